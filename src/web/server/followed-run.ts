import { existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { explainedAt } from "../../messages/diagnosis-text.ts";
import type { RecordedEvent } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import { factsOfType, newestFacts, NOTHING_TOLD, reduce, type RunState } from "../../events/run-state.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { readOwnText } from "../../formats/files/own-file.ts";
import { RecordCount } from "../../formats/record-log.ts";
import { graphLinks } from "../../graph/graph-links.ts";
import { listenToRun, type RunListener } from "../../graph/live/listen-to-run.ts";
import { metricsPath, openRunFolder, type RunManifest } from "../../graph/folder/run-folder.ts";
import { processAtWork } from "../../graph/folder/run-lock.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { gamesPath } from "../../operators/run/run-files.ts";
import { checkSavedLogs } from "../../operators/run/saved-logs.ts";
import { reportFigures } from "../../report/report.ts";
import { type RunData, runFilesOf, withoutRepeated } from "../../report/run-data.ts";
import { eventsWithin, type Stretch } from "../../report/stretch.ts";
import { resultSentence } from "../../report/sections/headline.ts";
import { markup } from "../../figures/markup.ts";
import { ago } from "../../figures/number-text.ts";
import { progressOf, type ShownRunProgress } from "../../runs/run-progress.ts";
import type {
  EventLine,
  FigureShown,
  FlowView,
  GraphView,
  ShownCondition,
  RunHead,
  RunRow,
  RunSettings,
  ShownProgress,
  StripView,
} from "../views/run-views.ts";
import { isAtWork } from "../views/conditions.ts";
import { eventLine } from "./event-lines.ts";
import { FlowLog } from "./flow-log.ts";
import { flowView, stripView } from "./flow-view.ts";
import { MetricsTail } from "./metrics-tail.ts";
import { beginningSentence, type Filling, fillingOf, fillingSentence, isWaiting } from "./run-beginning.ts";
import { shortSentence } from "./result-sentence.ts";
import { rowResult, type RowResult } from "./row-result.ts";
import { runPath } from "./run-paths.ts";

/** Seconds that "now" is about, the latest part of them, and the strip of who worked when. */
const NOW_S = 60;
const LATEST_S = 10;
const STRIP_S = 600;
/** Where the state of a process is asked again, at the latest. In milliseconds. */
const PROCESS_MS = 900;
/** The most rows of a figure's table that a page gets. */
const MOST_ROWS = 100;

/**
 * A run that pages look at, from the files of its folder, and from its process while one is at work. Nothing of the run is
 * changed, and it does not matter to the run whether anybody looks.
 */
export class FollowedRun {
  readonly folder: string;
  readonly #root: string;
  #tail: MetricsTail;
  #state: RunState = NOTHING_TOLD;
  #events: RecordedEvent[] = [];
  /** Its checkpoints: a long run is not gone through each second. */
  #checkpoints: Extract<RecordedEvent, { type: "checkpoint" }>[] = [];
  #lines: EventLine[] = [];
  #flows = new FlowLog(STRIP_S);
  #files: Omit<RunData, "events"> | undefined;
  #process: { readonly pid: number | undefined; readonly at: number } | undefined;
  #graph: GraphView | undefined;
  /** By stage: how many games it has stored. */
  readonly #counts = new Map<string, RecordCount>();
  /** Why the folder cannot be used. */
  #damage: string | undefined;
  #opened: { readonly manifest: RunManifest; readonly experiment: Experiment } | undefined;
  #listener: RunListener | undefined;
  /** What is made from its facts, until there are new ones: a page asks each second. */
  #data: RunData | undefined;
  #result: RowResult | undefined;
  #sentence: string | undefined;
  #version = 0;
  #looks = 0;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.folder = folder;
    this.#tail = new MetricsTail(metricsPath(folder));
    this.#open();
  }

  /** Grows with each look at its files. */
  get looks(): number {
    return this.#looks;
  }

  /** Grows with each new fact. */
  get version(): number {
    return this.#version;
  }

  get state(): RunState {
    return this.#state;
  }

  get events(): readonly RecordedEvent[] {
    return this.#events;
  }

  /** The process that is at work on it; undefined if there is none on this machine. */
  get process(): number | undefined {
    return processAtWork(this.folder);
  }

  /** Whether a process was at work on it within the last second: several parts of a page ask. */
  get #hasProcess(): boolean {
    const now = performance.now();
    if (this.#process === undefined || now - this.#process.at > PROCESS_MS)
      this.#process = { pid: this.process, at: now };
    return this.#process.pid !== undefined;
  }

  /** Reads what the run has told since; returns whether more is left to be read. */
  refresh(): boolean {
    this.#looks++;
    this.#process = undefined;
    if (this.#damage !== undefined) this.#open();
    try {
      const told = this.#tail.next();
      if (told === undefined) {
        this.#reset();
        return true;
      }
      for (const event of told) this.#take(event);
      return told.length > 0;
    } catch (error) {
      this.#damage = (error as Error).message;
      return false;
    }
  }

  /** Listens to its process, if there is one; to be called again after a while, since one may begin. */
  listen(): void {
    if (this.#listener !== undefined || !this.#hasProcess) return;
    this.#listener = listenToRun(
      this.folder,
      (event) => this.#hear(event),
      () => {
        this.#listener = undefined;
        this.#version++;
      },
    );
  }

  /** Ends listening: nobody looks any more. */
  close(): void {
    this.#listener?.close();
    this.#listener = undefined;
    this.#flows.forgetHeard();
  }

  /** Asks its process to stop; false where nobody listens there. */
  async stop(): Promise<boolean> {
    this.listen();
    return (await this.#listener?.stop()) ?? false;
  }

  get condition(): ShownCondition {
    if (this.#damage !== undefined) return "damaged";
    if (!this.#hasProcess) return this.#state.ended?.outcome ?? "silent";
    if (this.#filling() !== undefined) return "filling";
    return isWaiting(this.#state) ? "waiting" : "running";
  }

  #filling(): Filling | undefined {
    return this.#opened && fillingOf(this.#opened.experiment, this.#state);
  }

  /** Its line in the list of runs; `differs` is told by the list. */
  row(differs = ""): RunRow {
    const { condition } = this;
    const message = this.#damage ?? (condition === "failed" ? this.#state.ended?.message : undefined);
    const parts = this.folder.split(/[/\\]/);
    const experiment = this.#opened?.experiment;
    const manifest = this.#opened?.manifest;
    const progress = this.#progress();
    const seen = this.#events.at(-1)?.time;
    const live = isAtWork(condition);
    const left = live ? progress?.secondsLeft : undefined;
    return {
      path: runPath(this.#root, this.folder),
      condition,
      ...(message === undefined ? {} : { message }),
      name: manifest?.name ?? parts.at(-2) ?? "",
      id: manifest?.id ?? parts.at(-1) ?? "",
      game: experiment === undefined ? "" : experiment.game.rules,
      ...(manifest === undefined ? {} : { seed: manifest.seed, started: manifest.started }),
      ...(seen === undefined || live ? {} : { seen }),
      elapsed: live ? this.#elapsedNow() : this.#state.elapsed,
      ...(progress === undefined ? {} : { progress: shownProgress(progress) }),
      ...(left === undefined ? {} : { secondsLeft: coarse(left), ...known("atMost", progress?.atMost) }),
      ...this.#resultShown(),
      differs,
    };
  }

  /** Its last result, and the learning curve to it. */
  #resultShown(): RowResult {
    return (this.#result ??= rowResult(this.#state, this.#opened?.experiment));
  }

  /** The sentence of its result; until there is one, of how it begins. */
  #sentenceShown({ condition, name, progress, result }: Omit<RunRow, "curve">): string {
    if (condition !== "finished" && result === undefined) {
      const filling = isAtWork(condition) ? this.#filling() : undefined;
      if (filling !== undefined)
        return fillingSentence(
          name,
          { ...filling, ...known("secondsLeft", coarse(filling.secondsLeft)) },
          ago,
        );
      const played = factsOfType(this.#state, "match").length > 0;
      if (progress !== undefined && !played) return beginningSentence(name, progress);
    }
    return (this.#sentence ??= this.#resultSentence());
  }

  #resultSentence(): string {
    const { result } = this.#resultShown();
    const match = factsOfType(this.#state, "match").findLast(
      (each) => each.stage === result?.stage && each.learned === result.learned,
    );
    // Strength against earlier selves is said in ratings; and what failed is said as the report says it.
    const told = newestFacts(this.#state);
    const plain =
      result !== undefined && match !== undefined && told.every(({ type }) => type !== "version-ratings");
    const failed = match?.contest !== undefined && match.agents.every(({ games }) => games === 0);
    return plain && !failed ? shortSentence(result, match) : markup`${resultSentence(this.data)}`.text;
  }

  /** Seconds at work until now: its newest event may be a minute old. */
  #elapsedNow(): number {
    const latest = this.#events.at(-1);
    const { elapsed } = this.#state;
    if (latest === undefined) return elapsed;
    return Math.max(elapsed, latest.elapsed + (Date.now() - Date.parse(latest.time)) / 1000);
  }

  /** The head of its page. */
  head(): RunHead {
    const { manifest } = this.#opened ?? {};
    const saved = this.#checkpoints.at(-1);
    const { started } = this.#state;
    const { curve: _, ...row } = this.row();
    return {
      ...row,
      sentence: this.#damage === undefined ? this.#sentenceShown(row) : "",
      ...(manifest === undefined ? {} : { workers: started?.workers ?? manifest.workers }),
      compute: started?.compute ?? "",
      reproducible: manifest?.reproducible !== false ? true : (manifest.irreproducible ?? []),
      ...(saved === undefined ? {} : { saved: { learned: saved.learned, unit: saved.unit } }),
      folder: relative(".", this.folder) || ".",
      games: this.#games(),
      diagnoses: factsOfType(this.#state, "diagnosis").map(({ cure, name, says, stage }) => ({
        name,
        stage,
        says,
        cure,
        explained: explainedAt(name),
      })),
    };
  }

  /** All that its report is made from. */
  get data(): RunData {
    this.#files ??= runFilesOf(this.folder);
    return (this.#data ??= { ...this.#files, events: withoutRepeated(this.#events, this.#state) });
  }

  /** The figures of its report, with short tables; of a stretch, as finely as of the whole run. */
  figures(stretch?: Stretch): FigureShown[] {
    if (this.#damage !== undefined) return [];
    const data =
      stretch === undefined ? this.data : { ...this.data, events: eventsWithin(this.data.events, stretch) };
    return reportFigures(data).map(({ figure, section }) => ({
      section,
      rows: figure.table.rows.length,
      figure: { ...figure, table: { ...figure.table, rows: figure.table.rows.slice(-MOST_ROWS) } },
    }));
  }

  /** What flows in it now; of the whole run where it has ended. */
  flow(): FlowView {
    const uses = Object.fromEntries(this.graph().nodes.map(({ name, use }) => [name, use]));
    const live = isAtWork(this.condition);
    return flowView(
      live
        ? { now: this.#flowsOf(NOW_S), latest: this.#flowsOf(LATEST_S), whole: false }
        : { now: this.#flows.recorded, latest: [], whole: true },
      this.#state,
      { uses, handed: (stage) => this.#flows.handedBy(stage) },
    );
  }

  /** Who worked when: in the last minutes, or in the whole run where it has ended. */
  strip(): StripView {
    const live = isAtWork(this.condition);
    const flows = live ? this.#flowsOf(STRIP_S) : this.#flows.recorded;
    return stripView(
      flows,
      !live,
      this.#checkpoints.map(({ elapsed }) => elapsed),
    );
  }

  #flowsOf(seconds: number): RecordedEvent[] {
    return this.#flows.after(this.#state.elapsed - seconds);
  }

  /** The graph of its experiment. */
  graph(): GraphView {
    if (this.#opened === undefined) return { nodes: [], edges: [], back: [] };
    if (this.#graph !== undefined) return this.#graph;
    const { back, stages, streams } = graphLinks(this.#opened.experiment);
    return (this.#graph = { nodes: stages, edges: streams, back });
  }

  /** How many lines it has told, and those from a place on; the newest last. */
  get lineCount(): number {
    return this.#lines.length;
  }

  lines(from = 0): readonly EventLine[] {
    return this.#lines.slice(from);
  }

  settings(): RunSettings {
    const manifest = this.#opened?.manifest ?? {};
    return {
      experiment: this.#experimentText(),
      manifest: Object.entries(manifest).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    };
  }

  /** The experiment as it is written; empty where there is no such file of the run's own. */
  #experimentText(): string {
    const path = join(this.folder, "experiment.yaml");
    try {
      return existsSync(path) ? readOwnText(path) : "";
    } catch (error) {
      if (error instanceof FileCorrupt) return "";
      throw error;
    }
  }

  get experiment(): Experiment | undefined {
    return this.#opened?.experiment;
  }

  #open(): void {
    this.#data = this.#files = this.#graph = this.#result = this.#sentence = undefined;
    try {
      this.#opened = openRunFolder(this.folder);
      if (!this.#hasProcess) checkSavedLogs(this.folder);
      this.#damage = undefined;
    } catch (error) {
      this.#damage = (error as Error).message;
    }
  }

  #reset(): void {
    this.#tail = new MetricsTail(metricsPath(this.folder));
    this.#state = NOTHING_TOLD;
    this.#events = [];
    this.#flows = new FlowLog(STRIP_S);
    this.#checkpoints = [];
    this.#lines = [];
    this.#changed();
  }

  #take(event: RecordedEvent): void {
    // Its process tells flows each second: the newest is not that of the file.
    this.#state = reduce(this.#state, event);
    this.#events.push(event);
    if (isFlow(event)) this.#flows.record(event);
    else if (event.type === "checkpoint") this.#checkpoints.push(event);
    const line = eventLine(event, this.#lines.length);
    if (line !== undefined) this.#lines.push(line);
    if (!isFlow(event)) this.#changed();
  }

  #hear(event: RecordedEvent): void {
    this.#state = reduce(this.#state, event);
    if (isFlow(event)) this.#flows.hear(event);
  }

  #changed(): void {
    this.#version++;
    this.#data = this.#result = this.#sentence = undefined;
  }

  #progress(): ShownRunProgress | undefined {
    return this.#opened && progressOf(this.#opened.experiment, this.#state, (stage) => this.#gamesOf(stage));
  }

  #games(): number {
    const stages = Object.keys(this.#opened?.experiment.graph ?? {});
    return stages.reduce((sum, stage) => sum + this.#gamesOf(stage), 0);
  }

  /** How many games a stage has stored; none where they cannot be read. */
  #gamesOf(stage: string): number {
    const count = this.#counts.get(stage) ?? new RecordCount(gamesPath(this.folder, stage));
    this.#counts.set(stage, count);
    try {
      return count.now();
    } catch {
      return 0;
    }
  }
}

/** Progress as pages show it: as finely as anybody sees it. */
function shownProgress({ now, share }: ShownRunProgress): ShownProgress {
  return { share: Math.floor(1000 * share) / 1000, ...known("now", now) };
}

/** A time left as finely as anybody reads it: it is told anew where that changes, and not each second. In seconds. */
function coarse(seconds: number): number;
function coarse(seconds: number | undefined): number | undefined;
function coarse(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const step = seconds < 60 ? 5 : seconds < 3600 ? 60 : 600;
  return step * Math.ceil(seconds / step);
}

/** A property where its value is known. */
function known<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [k in K]: V });
}

/**
 * Names the content of the files that a run's line in the list is made from, where no process is at work: while it is the same, so
 * is the line. A process that begins makes a lock in the folder, which changes the folder's time.
 */
export function stampOf(folder: string): string {
  const [of, metrics] = [folder, metricsPath(folder)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return `${of?.mtimeMs} ${metrics?.size} ${metrics?.mtimeMs}`;
}
