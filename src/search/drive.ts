import type { Evaluator } from "../games/evaluation.ts";
import type { EpisodeRequest } from "./episode.ts";
import type { Decision, Searching } from "./search.ts";

/** Runs one search to its end and evaluates its requests in this thread. */
export function drive<S>(searching: Searching<S>, evaluator: Evaluator<S>): Decision<S> {
  let step = searching.next();
  while (step.done !== true) {
    evaluator.evaluate(step.value);
    step = searching.next();
  }
  return step.value;
}

/** A generator that yields evaluation requests, as an `episode` does, and ends with a result. */
export type Requesting<S, R> = Generator<EpisodeRequest<S>, R, void>;

/** Runs one generator to its end and evaluates its requests in this thread, each by `evaluators[its evaluator]`. */
export function driveEpisode<S, R>(requesting: Requesting<S, R>, evaluators: readonly Evaluator<S>[]): R {
  let step = requesting.next();
  while (step.done !== true) {
    evaluators[step.value.evaluator]!.evaluate(step.value.request);
    step = requesting.next();
  }
  return step.value;
}

/** How `driveAll` gets its generators, and how their requests are evaluated. */
export interface Driving<S, R> {
  /** The greatest number of generators in flight. */
  readonly places: number;
  /** Number of groups, 1 by default. Place p belongs to group p mod groups. */
  readonly groups?: number;
  /** The next generator for a free place, or undefined when there is none now. */
  readonly next: (place: number) => Requesting<S, R> | undefined;
  /**
   * Takes in a request of a group. Returns true when it is evaluated already, false when `collect` will evaluate it.
   */
  readonly add: (request: EpisodeRequest<S>, group: number) => boolean;
  /** Submits the added requests of a group, so that their evaluation can begin. */
  readonly submit: (group: number) => void;
  /** Returns when all submitted requests of a group are evaluated. */
  readonly collect: (group: number) => void;
  /** Receives each result as soon as its generator ends. */
  readonly done: (result: R, place: number) => void;
}

/**
 * Keeps generators in flight and advances them group by group: while the requests of one group are being evaluated, the
 * other groups search. With one group all generators advance in lockstep.
 *
 * In the turn of a group, `next` is called for every free place, of all groups. Results come in the order in which the
 * generators end. This order depends on `places` and `groups`; the contents of the results do not. Returns when nothing
 * is in flight and `next` has nothing for any place.
 */
export function driveAll<S, R>(driving: Driving<S, R>): void {
  const { places, groups = 1, next, add, submit, collect, done } = driving;
  const flights: (Requesting<S, R> | undefined)[] = Array.from({ length: places }, () => undefined);
  for (let group = 0; ; group = (group + 1) % groups) {
    collect(group);
    for (let place = 0; place < places; place++) flights[place] ??= next(place);
    if (flights.every((flight) => flight === undefined)) return;
    let waits = false;
    for (let place = group; place < places; place += groups)
      while (flights[place] !== undefined) {
        const step = flights[place]!.next();
        if (step.done === true) {
          flights[place] = undefined;
          done(step.value, place);
          flights[place] = next(place);
        } else if (!add(step.value, group)) {
          waits = true;
          break;
        }
      }
    if (waits) submit(group);
  }
}
