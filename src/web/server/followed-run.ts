import { existsSync, readFileSync, statSync } from "node:fs";
import { finiteOrNull } from "../../formats/finite-or-null.ts";
import { join, relative } from "node:path";
import type { RecordedEvent } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import { factsOf, NOTHING_TOLD, reduce, type RunState, secondsLeft } from "../../events/run-state.ts";
import { GrowingLog } from "../../formats/record-log.ts";
import { graphLinks } from "../../graph/graph-links.ts";
import { listenToRun, type RunListener } from "../../graph/live/listen-to-run.ts";
import { MANIFEST, metricsPath, openRunFolder, type RunManifest } from "../../graph/folder/run-folder.ts";
import { processAtWork } from "../../graph/folder/run-lock.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { gamesPath } from "../../operators/run/run-files.ts";
import { reportFigures } from "../../report/report.ts";
import { type RunData, runDataOf } from "../../report/run-data.ts";
import { resultSentence } from "../../report/sections/headline.ts";
import { markup } from "../../figures/markup.ts";
import { curvesOf } from "../../runs/comparison/run-curves.ts";
import { lastResult } from "../../runs/last-result.ts";
import { progressOf } from "../../runs/run-progress.ts";
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
} from "../views/run-views.ts";
import { eventLine } from "./event-lines.ts";
import { flowView } from "./flow-view.ts";
import { MetricsTail } from "./metrics-tail.ts";
import { runPath } from "./run-paths.ts";

/** Seconds that "now" is about, and the strip of who worked when. */
const NOW_S = 60;
const STRIP_S = 600;
/** From this share of the work on, the time left is told. */
const EVIDENT_SHARE = 0.05;
/** The most points of a curve in the list of runs. */
const MOST_CURVE = 60;
/** The most rows of a figure's table that a page gets. */
const MOST_ROWS = 100;

type ResultShown = Pick<RunRow, "curve" | "result">;

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
  #lines: EventLine[] = [];
  /** Flows of each second, of the last minutes, as its process tells them. */
  #seconds: RecordedEvent[] = [];
  /** By stage: its stored games. */
  readonly #logs = new Map<string, GrowingLog>();
  /** Why the folder cannot be used. */
  #damage: string | undefined;
  #opened: { readonly manifest: RunManifest; readonly experiment: Experiment } | undefined;
  #listener: RunListener | undefined;
  /** What is made from its facts, until there are new ones: a page asks each second. */
  #data: RunData | undefined;
  #result: ResultShown | undefined;
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

  /** Reads what the run has told since; returns whether more is left to be read. */
  refresh(): boolean {
    this.#looks++;
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
    if (this.#listener !== undefined || this.process === undefined) return;
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
    this.#seconds = [];
  }

  /** Asks its process to stop; false where nobody listens there. */
  async stop(): Promise<boolean> {
    this.listen();
    return (await this.#listener?.stop()) ?? false;
  }

  get condition(): ShownCondition {
    if (this.#damage !== undefined) return "damaged";
    if (this.process !== undefined) return "running";
    return this.#state.ended?.outcome ?? "silent";
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
    const left = condition === "running" ? this.#secondsLeft(progress) : undefined;
    return {
      path: runPath(this.#root, this.folder),
      condition,
      ...(message === undefined ? {} : { message }),
      name: manifest?.name ?? parts.at(-2) ?? "",
      id: manifest?.id ?? parts.at(-1) ?? "",
      game: experiment === undefined ? "" : experiment.game.rules,
      ...(manifest === undefined ? {} : { seed: manifest.seed, started: manifest.started }),
      ...(seen === undefined ? {} : { seen }),
      elapsed: this.#state.elapsed,
      ...(progress === undefined ? {} : { progress }),
      ...(left === undefined ? {} : { secondsLeft: left }),
      ...this.#resultShown(),
      differs,
    };
  }

  /** Its last result, and the learning curve to it. */
  #resultShown(): ResultShown {
    return (this.#result ??= this.#resultOf());
  }

  #resultOf(): ResultShown {
    const experiment = this.#opened?.experiment;
    const result = experiment && lastResult(factsOf(this.#state), experiment);
    if (experiment === undefined || result === undefined) return { curve: [] };
    const matches = this.#events.filter(({ type }) => type === "match");
    const points = curvesOf(matches, experiment).find(
      ({ agent, stage }) => agent === result.agent && stage === result.stage,
    )?.points;
    const { agent, interval, learned, measure, stage, unit, value } = result;
    return {
      result: {
        agent,
        stage,
        measure,
        value,
        interval: [finiteOrNull(interval[0]), finiteOrNull(interval[1])],
        learned,
        unit,
      },
      curve: (points ?? [])
        .filter((_, i, { length }) => length <= MOST_CURVE || i % Math.ceil(length / MOST_CURVE) === 0)
        .map((point) => [
          point.learned,
          point.value,
          finiteOrNull(point.interval[0]),
          finiteOrNull(point.interval[1]),
        ]),
    };
  }

  /** The sentence of its result. */
  #sentenceShown(): string {
    return (this.#sentence ??= markup`${resultSentence(this.data)}`.text);
  }

  /** The head of its page. */
  head(): RunHead {
    const { manifest } = this.#opened ?? {};
    const saved = this.#events.findLast((event) => event.type === "checkpoint");
    const started = this.#state.started ?? this.#events.findLast((event) => event.type === "run-started");
    return {
      ...this.row(),
      sentence: this.#damage === undefined ? this.#sentenceShown() : "",
      ...(manifest === undefined ? {} : { workers: started?.workers ?? manifest.workers }),
      compute: started?.compute ?? "",
      reproducible: manifest?.reproducible !== false ? true : (manifest.irreproducible ?? []),
      ...(saved?.type === "checkpoint" ? { saved: { learned: saved.learned, unit: saved.unit } } : {}),
      folder: relative(".", this.folder) || ".",
      games: this.#games(),
    };
  }

  /** All that its report is made from. */
  get data(): RunData {
    return (this.#data ??= runDataOf(this.folder, this.#events));
  }

  /** The figures of its report, with short tables. */
  figures(): FigureShown[] {
    if (this.#damage !== undefined) return [];
    return reportFigures(this.data).map(({ figure, section }) => ({
      section,
      rows: figure.table.rows.length,
      figure: { ...figure, table: { ...figure.table, rows: figure.table.rows.slice(-MOST_ROWS) } },
    }));
  }

  /** What flows in it now; of the whole run where it has ended. */
  flow(): FlowView {
    const uses = Object.fromEntries(this.graph().nodes.map(({ name, use }) => [name, use]));
    const recorded = this.#events.filter(isFlow);
    if (this.condition !== "running")
      return flowView({ now: recorded, strip: recorded, whole: true }, this.#state, uses);
    const { elapsed } = this.#state;
    // What its process told each second, and before that what it has recorded.
    const first = this.#seconds[0];
    const begin = first === undefined ? Infinity : first.elapsed - 1;
    const all = [...recorded.filter((event) => event.elapsed <= begin), ...this.#seconds];
    const since = (seconds: number) => all.filter((event) => event.elapsed > elapsed - seconds);
    return flowView({ now: since(NOW_S), strip: since(STRIP_S), whole: false }, this.#state, uses);
  }

  /** The graph of its experiment. */
  graph(): GraphView {
    if (this.#opened === undefined) return { nodes: [], edges: [], back: [] };
    const { back, stages, streams } = graphLinks(this.#opened.experiment);
    return { nodes: stages, edges: streams, back };
  }

  /** What it has told, from a place on; the newest last. */
  lines(from = 0): readonly EventLine[] {
    return this.#lines.slice(from);
  }

  settings(): RunSettings {
    const path = join(this.folder, "experiment.yaml");
    const manifest = this.#opened?.manifest ?? {};
    return {
      experiment: existsSync(path) ? readFileSync(path, "utf8") : "",
      manifest: Object.entries(manifest).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    };
  }

  get experiment(): Experiment | undefined {
    return this.#opened?.experiment;
  }

  #open(): void {
    this.#data = this.#result = this.#sentence = undefined;
    try {
      this.#opened = openRunFolder(this.folder);
      this.#damage = undefined;
    } catch (error) {
      this.#damage = (error as Error).message;
    }
  }

  #reset(): void {
    this.#tail = new MetricsTail(metricsPath(this.folder));
    this.#state = NOTHING_TOLD;
    this.#events = [];
    this.#lines = [];
    this.#changed();
  }

  #take(event: RecordedEvent): void {
    // Its process tells flows each second: the newest is not that of the file.
    this.#state = reduce(this.#state, event);
    this.#events.push(event);
    const line = eventLine(event, this.#lines.length);
    if (line !== undefined) this.#lines.push(line);
    if (!isFlow(event)) this.#changed();
  }

  #hear(event: RecordedEvent): void {
    this.#state = reduce(this.#state, event);
    if (!isFlow(event)) return;
    this.#seconds.push(event);
    const { elapsed } = event;
    if (this.#seconds[0]!.elapsed < elapsed - STRIP_S - 60)
      this.#seconds = this.#seconds.filter((each) => each.elapsed > elapsed - STRIP_S);
  }

  #changed(): void {
    this.#version++;
    this.#data = this.#result = this.#sentence = undefined;
  }

  #progress(): ShownProgress | undefined {
    if (this.#opened === undefined) return undefined;
    const whole = progressOf(
      this.#opened.experiment,
      this.#state,
      (stage) => this.#gamesOf(stage).starts().length,
    );
    if (whole === undefined) return undefined;
    const finer = this.#stageOf(whole)?.progress?.done ?? 0;
    return { ...whole, done: Math.max(whole.done, finer) };
  }

  #secondsLeft(progress: ShownProgress | undefined): number | undefined {
    if (progress === undefined) return undefined;
    const { elapsed } = this.#state;
    const stage = this.#stageOf(progress);
    const known = stage && secondsLeft(stage, elapsed);
    if (known !== undefined) return known;
    // A stage that counts its generations one by one: at the mean speed so far.
    const share = progress.done / progress.total;
    return share >= EVIDENT_SHARE && share < 1 ? (elapsed / share) * (1 - share) : undefined;
  }

  /** The stage whose work is that of the run. */
  #stageOf({ total, unit }: ShownProgress) {
    return Object.values(this.#state.stages).find(
      ({ progress }) => progress?.total === total && progress.unit === unit,
    );
  }

  #games(): number {
    const stages = Object.keys(this.#opened?.experiment.graph ?? {});
    return stages.reduce((sum, stage) => sum + recordsIn(this.#gamesOf(stage)), 0);
  }

  /** The stored games of a stage. */
  #gamesOf(stage: string): GrowingLog {
    const log = this.#logs.get(stage) ?? new GrowingLog(gamesPath(this.folder, stage));
    this.#logs.set(stage, log);
    return log;
  }
}

/** The number of records; none where the log is damaged. */
function recordsIn(log: GrowingLog): number {
  try {
    return log.starts().length;
  } catch {
    return 0;
  }
}

/** Names the content of the files that a run's line in the list is made from: while it is the same, so is the line. */
export function stampOf(folder: string): string {
  const of = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "-" : `${stat.size}:${stat.mtimeMs}`;
  };
  return [of(metricsPath(folder)), of(join(folder, MANIFEST)), processAtWork(folder) ?? "-"].join(" ");
}
