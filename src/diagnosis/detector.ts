import type { RecordedEvent } from "../events/event.ts";
import type { GrowingList } from "../events/growing-list.ts";
import type { DiagnosisName, Finding } from "./diagnosis.ts";
import type { ExpectedCurve } from "./expected-curve.ts";

/** What is known of a stage before it runs. */
export interface WatchedStage {
  /** What it plays or learns in the whole run, in the unit of its events; undefined if that is not known. */
  readonly planned: number | undefined;
  /** Games of a generation, of a stage that plays or learns from self-play; undefined elsewhere. */
  readonly generation: number | undefined;
  /** Number of players, and the least and greatest return. */
  readonly players: number;
  readonly returnBounds: readonly [number, number];
  /** Whether the net that it learns begins with random weights. */
  readonly fresh: boolean;
  /** Agents that play at random, and agents whose nets are learned in this run. */
  readonly random: ReadonlySet<string>;
  readonly learners: ReadonlySet<string>;
  /** What an agent that it measures is expected to reach; undefined if that is not known. */
  readonly expected: ExpectedCurve | undefined;
}

/** The types of the events that diagnoses are made from. */
export type WatchedType = "self-play-figures" | "figure" | "training" | "games" | "match";

type EventOf<T extends WatchedType> = Extract<RecordedEvent, { readonly type: T }>;

/** The events of one type of one stage, the oldest first. */
export type EventsOfStage<T extends WatchedType> = GrowingList<{ readonly event: EventOf<T> }>;

/**
 * Finds a diagnosis in the events of one type of one stage: a pure function that is called after each of these events. The order
 * of the events of one stage depends neither on threads nor on time, so what a detector finds does not either.
 */
export interface Detector<T extends WatchedType = WatchedType> {
  readonly name: DiagnosisName;
  readonly reads: T;
  find(events: EventsOfStage<T>, stage: WatchedStage): Finding | undefined;
}

/** The newest events of a stage, at most `count` of them, the oldest first. */
export function newest<T extends WatchedType>(events: EventsOfStage<T>, count: number): EventOf<T>[] {
  const found: EventOf<T>[] = [];
  for (let i = Math.max(0, events.length - count); i < events.length; i++) found.push(events.at(i)!.event);
  return found;
}
