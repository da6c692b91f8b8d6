import { setImmediate } from "node:timers/promises";
import { findRuns } from "../../runs/find-runs.ts";
import { differingPaths, shortPath } from "../../runs/comparison/settings.ts";
import { type Settings, settingsOf, valueText } from "../../operators/experiment/settings-by-path.ts";
import { isAtWork } from "../../runs/run-condition.ts";
import type { RunRow, RunsUpdate } from "../views/run-views.ts";
import { FollowedRun, stampOf } from "./followed-run.ts";
import { rowOf } from "./run-row.ts";

/** Interval of looks at runs that pages watch, and at the list. In milliseconds. */
const LOOK_MS = 1000;
const LIST_MS = 2000;
/** The share of the server's time that looking through all folders may take, and its longest interval in milliseconds. */
const LIST_SHARE = 0.002;
const MOST_LIST_MS = 15_000;
/** Time for which a run is kept after the last page has left it. In milliseconds. */
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
  /** The row as it is compared: without what the page counts by itself. */
  readonly key: string;
  readonly settings: Settings | undefined;
  /** The run itself while a process is at work on it: its reading continues from the last position. */
  readonly run: FollowedRun | undefined;
}

/** What has changed in the list since the previous update. */
type Update = Omit<RunsUpdate, "folder">;

/** The runs of a folder, as pages look at them. */
export class FollowedRuns {
  readonly #root: string;
  readonly #watched = new Map<string, Watched>();
  readonly #listed = new Map<string, Listed>();
  /** The listeners of the list, and whether each has got all rows: from then on it gets only changes. */
  readonly #listWatchers = new Map<(update: Update) => void, boolean>();
  #listTimer: NodeJS.Timeout | undefined;
  #listing: Promise<readonly RunRow[]> | undefined;
  /** The time from which all folders are looked at again. */
  #wholeFrom = 0;
  /** What the runs differ in from their namesakes, by their folders; made anew when runs have come or gone. */
  #differences: ReadonlyMap<string, string> | undefined;

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
    this.lookAnew();
    const rows = await this.#rows();
    if (this.#listWatchers.size === 0) this.#leaveRuns();
    return rows;
  }

  /** Has all folders looked at by the next look: a run has been started, or resumed. */
  lookAnew(): void {
    this.#wholeFrom = 0;
  }

  async #rows(): Promise<readonly RunRow[]> {
    this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  /**
   * Calls `listener` with all runs, and then with what has changed of them; returns a function that ends it. Rows of runs at work
   * are compared without their time at work, which the page counts by itself.
   */
  watchList(listener: (update: Update) => void): () => void {
    // From the first moment: another one that leaves meanwhile does not end the looks.
    this.#listWatchers.set(listener, false);
    void this.#rows().then((rows) => {
      if (!this.#listWatchers.has(listener)) return;
      listener({ order: rows.map(({ path }) => path), runs: rows });
      this.#listWatchers.set(listener, true);
    });
    if (this.#listTimer === undefined) {
      // A listener that is there at the first look gets all rows from that look.
      let before: ReadonlyMap<string, string> | undefined;
      let order = "";
      const look = async () => {
        const rows = await this.#rows();
        const keys = new Map([...this.#listed.values()].map(({ key, row }) => [row.path, key]));
        const known = before;
        const runs = rows.filter(({ differs, path }) => known?.get(path) !== `${keys.get(path)}${differs}`);
        before = new Map(rows.map(({ differs, path }) => [path, `${keys.get(path)}${differs}`]));
        const paths = rows.map(({ path }) => path);
        const moved = order !== paths.join("\n");
        order = paths.join("\n");
        if (known === undefined || (runs.length === 0 && !moved)) return;
        const update = { ...(moved ? { order: paths } : {}), runs };
        for (const [each, informed] of this.#listWatchers) if (informed) each(update);
      };
      void look();
      this.#listTimer = setInterval(() => void look(), LIST_MS);
    }
    return () => {
      this.#listWatchers.delete(listener);
      if (this.#listWatchers.size > 0) return;
      clearInterval(this.#listTimer);
      this.#listTimer = undefined;
      this.#leaveRuns();
    };
  }

  /** Keeps no run of the list in memory any more. */
  #leaveRuns(): void {
    for (const [folder, listed] of this.#listed)
      if (listed.run !== undefined) this.#listed.set(folder, { ...listed, stamp: "", run: undefined });
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
      const run = this.#listed.get(folder)?.run ?? new FollowedRun(this.#root, folder);
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
    const begun = performance.now();
    const whole = begun >= this.#wholeFrom;
    const folders = whole ? findRuns(this.#root) : [...this.#listed.keys()];
    let spent = performance.now() - begun;
    if (whole) {
      const found = new Set(folders);
      for (const folder of this.#listed.keys()) if (!found.has(folder)) this.#forget(folder);
    }
    for (const folder of folders) {
      const known = this.#listed.get(folder);
      if (known?.run === undefined) {
        if (!whole) continue;
        const looked = performance.now();
        const stamp = stampOf(folder);
        spent += performance.now() - looked;
        if (known?.stamp === stamp) continue;
      }
      await this.#read(folder, known);
    }
    // A folder with many runs is looked through less often.
    if (whole)
      this.#wholeFrom = performance.now() + Math.min(MOST_LIST_MS, Math.max(LIST_MS / 2, spent / LIST_SHARE));
    this.#differences ??= differencesOf(this.#listed);
    return [...this.#listed]
      .map(([folder, { row }]) => ({ ...row, differs: this.#differences!.get(folder) ?? "" }))
      .toSorted(
        (a, b) =>
          Number(isAtWork(b.condition)) - Number(isAtWork(a.condition)) ||
          (b.started ?? "").localeCompare(a.started ?? ""),
      );
  }

  /** Reads what is new in a run, and makes its row. */
  async #read(folder: string, known: Listed | undefined): Promise<void> {
    // Before it is read: what comes meanwhile is read the next time.
    const stamp = stampOf(folder);
    const run = this.#watched.get(folder)?.run ?? known?.run ?? new FollowedRun(this.#root, folder);
    while (run.refresh()) await setImmediate();
    const row = rowOf(run);
    const live = isAtWork(row.condition);
    const settings = known?.settings ?? (run.experiment && new Map(settingsOf(run.experiment)));
    if (known === undefined || known.settings !== settings || known.row.name !== row.name)
      this.#differences = undefined;
    const key = JSON.stringify(live ? { ...row, elapsed: undefined } : row);
    this.#listed.set(folder, { stamp, row, key, settings, run: live ? run : undefined });
    await setImmediate();
  }

  #forget(folder: string): void {
    this.#listed.delete(folder);
    this.#differences = undefined;
  }
}

/** The settings in which each run differs from the others of its name, by its folder. */
function differencesOf(listed: ReadonlyMap<string, Listed>): Map<string, string> {
  const groups = Map.groupBy(listed, ([, { row }]) => row.name);
  return new Map(
    [...groups.values()].flatMap((members) => {
      const known = members.flatMap(([, { settings }]) => settings ?? []);
      const paths = known.length < 2 ? [] : differingPaths(known);
      return members.map(([folder, { settings }]) => {
        const named = paths
          .filter((path) => settings?.get(path) !== undefined)
          .map((path) => `${shortPath(path, paths)} ${valueText(settings!.get(path))}`);
        const more = named.length - MOST_DIFFERENCES;
        const text = [...named.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`${more} more differ`] : [])];
        return [folder, text.join(", ")] as const;
      });
    }),
  );
}
