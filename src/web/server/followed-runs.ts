import { setImmediate } from "node:timers/promises";
import { findRuns } from "../../runs/find-runs.ts";
import { differingPaths, shortPath } from "../../runs/comparison/settings.ts";
import { type Settings, settingsOf, valueText } from "../../operators/experiment/settings-by-path.ts";
import type { RunRow } from "../views/run-views.ts";
import { FollowedRun, stampOf } from "./followed-run.ts";

/** Interval of looks at runs that somebody watches, and at the list. In milliseconds. */
const LOOK_MS = 1000;
const LIST_MS = 2000;
/** A run that nobody watches any more is kept so long. In milliseconds. */
const KEPT_MS = 60_000;
/** The most shares of a run's settings that its line names. */
const MOST_DIFFERENCES = 3;

interface Watched {
  readonly run: FollowedRun;
  readonly watchers: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
  leaving: NodeJS.Timeout | undefined;
}

interface Listed {
  readonly stamp: string;
  readonly row: RunRow;
  readonly settings: Settings | undefined;
}

/** The runs of a folder, as pages look at them. */
export class FollowedRuns {
  readonly #root: string;
  readonly #watched = new Map<string, Watched>();
  readonly #listed = new Map<string, Listed>();
  readonly #listWatchers = new Set<(rows: readonly RunRow[]) => void>();
  #listTimer: NodeJS.Timeout | undefined;
  #listing: Promise<readonly RunRow[]> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The run in a folder, read to its end. */
  async open(folder: string): Promise<FollowedRun> {
    return (await this.#followed(folder)).run;
  }

  /**
   * Watches a run: `look` is called about once a second, after what is new was read; returns the run and a function that ends
   * watching.
   */
  async watch(
    folder: string,
    look: () => void,
  ): Promise<{ readonly run: FollowedRun; readonly leave: () => void }> {
    const watched = await this.#followed(folder);
    clearTimeout(watched.leaving);
    watched.leaving = undefined;
    watched.watchers.add(look);
    watched.run.listen();
    watched.timer ??= setInterval(() => {
      watched.run.listen();
      watched.run.refresh();
      for (const each of watched.watchers) each();
    }, LOOK_MS);
    return {
      run: watched.run,
      leave: () => {
        watched.watchers.delete(look);
        if (watched.watchers.size === 0) this.#rest(folder, watched);
      },
    };
  }

  /** All runs: those at work first, then the newest. */
  async rows(): Promise<readonly RunRow[]> {
    this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  /** Calls `listener` with all runs now and whenever something of them has changed; returns a function that ends it. */
  watchList(listener: (rows: readonly RunRow[]) => void): () => void {
    this.#listWatchers.add(listener);
    let before = "";
    void this.rows().then((rows) => {
      before = JSON.stringify(rows);
      if (this.#listWatchers.has(listener)) listener(rows);
    });
    this.#listTimer ??= setInterval(() => {
      void this.rows().then((rows) => {
        const now = JSON.stringify(rows);
        if (now === before) return;
        before = now;
        for (const each of this.#listWatchers) each(rows);
      });
    }, LIST_MS);
    return () => {
      this.#listWatchers.delete(listener);
      if (this.#listWatchers.size > 0) return;
      clearInterval(this.#listTimer);
      this.#listTimer = undefined;
    };
  }

  /** Ends all watching. */
  close(): void {
    clearInterval(this.#listTimer);
    for (const { leaving, run, timer } of this.#watched.values()) {
      clearInterval(timer);
      clearTimeout(leaving);
      run.close();
    }
    this.#watched.clear();
  }

  async #followed(folder: string): Promise<Watched> {
    let watched = this.#watched.get(folder);
    if (watched === undefined) {
      const run = new FollowedRun(this.#root, folder);
      watched = { run, watchers: new Set(), timer: undefined, leaving: undefined };
      this.#watched.set(folder, watched);
      this.#rest(folder, watched);
    }
    // A long run is read in slices, so that other pages need not wait for it.
    while (watched.run.refresh()) await setImmediate();
    return watched;
  }

  #rest(folder: string, watched: Watched): void {
    clearInterval(watched.timer);
    watched.timer = undefined;
    watched.run.close();
    clearTimeout(watched.leaving);
    watched.leaving = setTimeout(() => this.#watched.delete(folder), KEPT_MS);
    watched.leaving.unref();
  }

  async #list(): Promise<readonly RunRow[]> {
    const folders = findRuns(this.#root);
    for (const folder of this.#listed.keys()) if (!folders.includes(folder)) this.#listed.delete(folder);
    for (const folder of folders) {
      const stamp = stampOf(folder);
      if (this.#listed.get(folder)?.stamp === stamp) continue;
      const known = this.#watched.get(folder)?.run;
      const run = known ?? new FollowedRun(this.#root, folder);
      while (run.refresh()) await setImmediate();
      const settings = run.experiment && new Map(settingsOf(run.experiment));
      this.#listed.set(folder, { stamp, row: run.row(), settings });
      await setImmediate();
    }
    return withDifferences([...this.#listed.values()]).toSorted(
      (a, b) =>
        Number(b.condition === "running") - Number(a.condition === "running") ||
        (b.started ?? "").localeCompare(a.started ?? ""),
    );
  }
}

/** The rows, each with the settings in which it differs from the others of its name. */
function withDifferences(listed: readonly Listed[]): RunRow[] {
  const groups = Map.groupBy(listed, ({ row }) => row.name);
  return [...groups.values()].flatMap((members) => {
    const known = members.flatMap(({ settings }) => settings ?? []);
    const paths = known.length < 2 ? [] : differingPaths(known);
    return members.map(({ row, settings }) => {
      const named = paths
        .filter((path) => settings?.get(path) !== undefined)
        .map((path) => `${shortPath(path, paths)} ${valueText(settings!.get(path))}`);
      const more = named.length - MOST_DIFFERENCES;
      return {
        ...row,
        differs: [...named.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`${more} more differ`] : [])].join(
          ", ",
        ),
      };
    });
  });
}
