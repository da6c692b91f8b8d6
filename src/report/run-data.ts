import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { RecordedEvent } from "../events/event.ts";
import { isFlow } from "../events/flow-event.ts";
import { readMetrics } from "../events/metrics-file.ts";
import { factsOf, NOTHING_TOLD, reduce } from "../events/run-state.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { placesOfStages } from "./stage-order.ts";

/** Events of one kind, with their time. */
export type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;

/** All that a report is made from. */
export interface RunData {
  /** The run's folder, with the records of its stages. */
  readonly folder: string;
  /** The experiment's name, or the folder's where no manifest tells. */
  readonly name: string;
  /** `manifest.json` as it stands; empty where there is none. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** `experiment.yaml` as it stands. */
  readonly experiment?: string;
  /** The events that count: without those of an interrupted part whose work the resumption repeated. */
  readonly events: readonly RecordedEvent[];
}

/** Reads a run's folder. `FileCorrupt` where it holds no metrics or they or the manifest are damaged. */
export function readRun(folder: string): RunData {
  const metrics = join(folder, "metrics.jsonl");
  if (!existsSync(metrics))
    throw new FileCorrupt(folder, "is not the folder of a run: it has no metrics.jsonl");
  return runDataOf(folder, readMetrics(metrics));
}

/** A run's data from its folder and all events that it has told. Throws `FileCorrupt`. */
export function runDataOf(folder: string, told: readonly RecordedEvent[]): RunData {
  const manifest = readManifest(join(folder, "manifest.json"));
  const experiment = textOf(join(folder, "experiment.yaml"));
  return {
    folder,
    name: typeof manifest["name"] === "string" ? manifest["name"] : basename(resolve(folder)),
    manifest,
    ...(experiment === undefined ? {} : { experiment }),
    events: withoutRepeated(told),
  };
}

/**
 * The events of one kind: in the order of their stages in the experiment, and of each stage as they were told. So the order
 * does not depend on which of two stages was done first.
 */
export function eventsOf<T extends RecordedEvent["type"]>(
  run: Pick<RunData, "events" | "experiment">,
  type: T,
): EventOf<T>[] {
  const place = placesOfStages(run);
  return run.events
    .filter((event): event is EventOf<T> => event.type === type)
    .toSorted((a, b) => place(stageOf(a)) - place(stageOf(b)));
}

/** The stage that an event is about; empty where it is about none. */
export function stageOf(event: RecordedEvent): string {
  return "stage" in event ? (event.stage ?? "") : "";
}

/** The groups of a list by a key, in the order of their first members. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, key)];
}

/** The events without facts that a resumption told again, since their work was done again. */
export function withoutRepeated(events: readonly RecordedEvent[]): RecordedEvent[] {
  const counting = new Set<RecordedEvent>(factsOf(events.reduce(reduce, NOTHING_TOLD)));
  return events.filter((event) => isFlow(event) || counting.has(event));
}

function readManifest(path: string): Record<string, unknown> {
  const text = textOf(path);
  if (text === undefined) return {};
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new FileCorrupt(path, `is not JSON: ${(error as Error).message}`);
  }
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
    throw new FileCorrupt(path, "is no JSON object");
  return manifest as Record<string, unknown>;
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
