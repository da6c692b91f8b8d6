import { statSync } from "node:fs";
import type { RecordedEvent } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import type { RunState } from "../../events/run-state.ts";
import { RecordCount } from "../../formats/record-log.ts";
import { listenToRun, type RunListener } from "../../graph/live/listen-to-run.ts";
import { metricsPath, openRunFolder, type RunManifest } from "../../graph/folder/run-folder.ts";
import { processAtWork } from "../../graph/folder/run-lock.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { gamesPath } from "../../operators/run/run-files.ts";
import { checkSavedLogs } from "../../operators/run/saved-logs.ts";
import { type RunData, runFilesOf, withoutRepeated } from "../../report/run-data.ts";
import type { RunCondition } from "../../runs/run-condition.ts";
import { RunStatus } from "../../runs/run-status.ts";
import { MetricsTail } from "./metrics-tail.ts";
import { RunLog } from "./run-log.ts";
import { runPath } from "./run-paths.ts";

/** The state of a process is asked for again after this time at the latest. In milliseconds. */
const PROCESS_MS = 900;

/**
 * A run that pages look at, from the files of its folder, and from its process while one is at work. Nothing of the run is
 * changed, and the run is the same whether or not a page looks.
 */
export class FollowedRun {
  readonly folder: string;
  /** Its name in addresses. */
  readonly path: string;
  #tail: MetricsTail;
  #log = new RunLog();
  /** Made from its facts, until there are new ones: a page asks each second. */
  #status: RunStatus | undefined;
  #data: RunData | undefined;
  #files: Omit<RunData, "events"> | undefined;
  #process: { readonly pid: number | undefined; readonly at: number } | undefined;
  /** By stage: how many games it has stored. */
  readonly #counts = new Map<string, RecordCount>();
  #damage: string | undefined;
  #opened: { readonly manifest: RunManifest; readonly experiment: Experiment } | undefined;
  #listener: RunListener | undefined;
  #version = 0;
  #looks = 0;

  constructor(root: string, folder: string) {
    this.folder = folder;
    this.path = runPath(root, folder);
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

  get log(): RunLog {
    return this.#log;
  }

  get state(): RunState {
    return this.#log.state;
  }

  get status(): RunStatus {
    return (this.#status ??= new RunStatus(this));
  }

  get experiment(): Experiment | undefined {
    return this.#opened?.experiment;
  }

  get manifest(): RunManifest | undefined {
    return this.#opened?.manifest;
  }

  /** Why the folder cannot be used. */
  get damage(): string | undefined {
    return this.#damage;
  }

  get condition(): RunCondition {
    return this.#damage === undefined ? this.status.condition(this.#hasProcess) : "damaged";
  }

  /** All that its report is made from. */
  get data(): RunData {
    this.#files ??= runFilesOf(this.folder);
    return (this.#data ??= { ...this.#files, events: withoutRepeated(this.#log.events, this.state) });
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

  /** How many games a stage has stored; none if they cannot be read. */
  readonly recorded = (stage: string): number => {
    const count = this.#counts.get(stage) ?? new RecordCount(gamesPath(this.folder, stage));
    this.#counts.set(stage, count);
    try {
      return count.now();
    } catch {
      return 0;
    }
  };

  /** Reads the new events of its file; returns whether more is left to be read. */
  refresh(): boolean {
    this.#looks++;
    this.#process = undefined;
    if (this.#damage !== undefined) this.#open();
    try {
      const events = this.#tail.next();
      if (events === undefined) {
        this.#tail = new MetricsTail(metricsPath(this.folder));
        this.#log = new RunLog();
        this.#changed();
        return true;
      }
      for (const event of events) this.#log.record(event);
      if (!events.every((event) => isFlow(event))) this.#changed();
      return events.length > 0;
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
      (event: RecordedEvent) => this.#log.receive(event),
      () => {
        this.#listener = undefined;
        this.#version++;
      },
    );
  }

  /** Stops listening: no page looks any more. */
  close(): void {
    this.#listener?.close();
    this.#listener = undefined;
    this.#log.flows.forgetReceived();
  }

  /** Asks its process to stop; returns false if it does not listen. */
  async stop(): Promise<boolean> {
    this.listen();
    return (await this.#listener?.stop()) ?? false;
  }

  #open(): void {
    this.#data = this.#files = this.#status = undefined;
    try {
      this.#opened = openRunFolder(this.folder);
      if (!this.#hasProcess) checkSavedLogs(this.folder);
      this.#damage = undefined;
    } catch (error) {
      this.#damage = (error as Error).message;
    }
  }

  #changed(): void {
    this.#version++;
    this.#data = this.#status = undefined;
  }
}

/**
 * Names the content of the files that a run's line in the list is made from, if no process is at work: as long as it is equal, so
 * is the line. A process that begins makes a lock in the folder, which changes the folder's time.
 */
export function stampOf(folder: string): string {
  const [of, metrics] = [folder, metricsPath(folder)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return `${of?.mtimeMs} ${metrics?.size} ${metrics?.mtimeMs}`;
}
