import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { RecordedEvent } from "../events/event.ts";
import { isFlow } from "../events/flow-event.ts";
import { readMetrics } from "../events/metrics-file.ts";
import { factsOf, initialState, reduce, type RunState } from "../events/run-state.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { readOwnText } from "../formats/files/own-file.ts";
import { reading } from "../formats/files/reading.ts";
import { sha256 } from "../formats/sha256.ts";
import { OtherRunFormat, parseRunManifest } from "../operators/run/run-manifest.ts";
import type { WithExperiment } from "./experiment-settings.ts";
import { placesOfStages } from "./stage-order.ts";

/** Events of one kind, with their time. */
export type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;

/** All that a report is made from. */
export interface RunData {
  /** The run's folder, with the records of its stages. */
  readonly folder: string;
  /** The experiment's name; without a manifest the folder's name. */
  readonly name: string;
  /** The content of `manifest.json`; empty if there is none. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The content of `experiment.yaml`. */
  readonly experiment?: string;
  /** The events that count: without those of an interrupted part whose work the resumption repeated. */
  readonly events: readonly RecordedEvent[];
}

/** Takes in what is damaged in a run. */
export type OnDamage = (damage: FileCorrupt) => void;

/**
 * Reads a run's folder. Throws `FileCorrupt` if it holds no metrics, or if something is damaged; with `onDamage`, damaged
 * parts are left out instead.
 */
export function readRun(folder: string, onDamage?: OnDamage): RunData {
  const metrics = join(folder, "metrics.jsonl");
  if (!existsSync(metrics))
    throw new FileCorrupt(
      folder,
      existsSync(join(folder, "manifest.json"))
        ? "has no metrics.jsonl: its run has not begun, or the file is lost"
        : "is not the folder of a run: it has no metrics.jsonl",
    );
  return runDataOf(folder, readMetrics(metrics, onDamage), onDamage);
}

/** A run's data from its folder and all its events; damaged parts are as in `readRun`. Throws `FileCorrupt`. */
function runDataOf(folder: string, events: readonly RecordedEvent[], onDamage?: OnDamage): RunData {
  return { ...runFilesOf(folder, onDamage), events: withoutRepeated(events) };
}

/** What does not change in a run's data; damaged parts are as in `readRun`. Throws `FileCorrupt`. */
export function runFilesOf(folder: string, onDamage?: OnDamage): Omit<RunData, "events"> {
  const manifest = orDamage(() => readManifest(join(folder, "manifest.json")), onDamage) ?? {};
  const experiment = orDamage(() => readExperiment(join(folder, "experiment.yaml"), manifest), onDamage);
  return {
    folder,
    name: typeof manifest["name"] === "string" ? manifest["name"] : basename(resolve(folder)),
    manifest,
    ...(experiment === undefined ? {} : { experiment }),
  };
}

/**
 * The events of one kind: in the order of their stages in the experiment, and of each stage as they were emitted. So the order
 * does not depend on which of two stages was done first.
 */
export function eventsOf<T extends RecordedEvent["type"]>(
  run: Pick<RunData, "events"> & WithExperiment,
  type: T,
): EventOf<T>[] {
  const place = placesOfStages(run);
  return run.events
    .filter((event): event is EventOf<T> => event.type === type)
    .toSorted((a, b) => place(stageOf(a)) - place(stageOf(b)));
}

/** The stage that an event is about; empty if it is about none. */
export function stageOf(event: RecordedEvent): string {
  return "stage" in event ? (event.stage ?? "") : "";
}

/** The groups of a list by a key, in the order of their first members. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, key)];
}

/** The events without facts that a resumption emitted again, since their work was done again; `state` is that after them. */
export function withoutRepeated(
  events: readonly RecordedEvent[],
  state: RunState = events.reduce(reduce, initialState),
): RecordedEvent[] {
  const counting = new Set<RecordedEvent>(factsOf(state));
  return events.filter((event) => isFlow(event) || counting.has(event));
}

/** What is read; undefined after a call of `onDamage` if it is damaged. */
export function orDamage<T>(read: () => T, onDamage: OnDamage | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (onDamage === undefined || !(error instanceof FileCorrupt) || error.cause instanceof OtherRunFormat)
      throw error;
    onDamage(error);
    return undefined;
  }
}

function readManifest(path: string): Record<string, unknown> {
  const text = textOf(path);
  if (text === undefined) return {};
  try {
    return parseRunManifest(text);
  } catch (error) {
    const what = error instanceof SyntaxError ? `is no JSON: ${error.message}` : (error as Error).message;
    throw new FileCorrupt(path, what, { cause: error });
  }
}

function readExperiment(path: string, { experimentSha256 }: RunData["manifest"]): string | undefined {
  const text = textOf(path);
  if (text === undefined || experimentSha256 === undefined) return text;
  if (sha256(text) === experimentSha256) return text;
  throw new FileCorrupt(path, "is not the experiment that the run began with");
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? reading(path, () => readOwnText(path)) : undefined;
}
