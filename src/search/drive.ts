import type { Evaluator } from "../games/evaluation.ts";
import type { EpisodeRequest } from "./episode.ts";
import type { Decision, Searching } from "./search.ts";

/** Runs one search to its end, answering its questions in this thread. */
export function drive<S>(searching: Searching<S>, evaluator: Evaluator<S>): Decision<S> {
  let step = searching.next();
  while (step.done !== true) {
    evaluator.evaluate(step.value);
    step = searching.next();
  }
  return step.value;
}

/** A generator that asks for evaluations, of an `episode` for instance, and ends with a result. */
export type Requesting<S, R> = Generator<EpisodeRequest<S>, R, void>;

/** Runs one episode to its end, answering its questions in this thread: `evaluators[asked.evaluator]` does. */
export function driveEpisode<S, R>(requesting: Requesting<S, R>, evaluators: readonly Evaluator<S>[]): R {
  let step = requesting.next();
  while (step.done !== true) {
    evaluators[step.value.evaluator]!.evaluate(step.value.request);
    step = requesting.next();
  }
  return step.value;
}

/** How many generators are driven at once: see `driveAll`. */
export interface Driving<S, R> {
  /** The most generators in flight. */
  readonly places: number;
  /** Place p belongs to group p mod groups; 1 by default. */
  readonly groups?: number;
  /** The next generator for a free place, or undefined when there is none now. */
  readonly next: (place: number) => Requesting<S, R> | undefined;
  /** Takes in a question of a group; true where it is answered at once, false where `collect` will. */
  readonly add: (request: EpisodeRequest<S>, group: number) => boolean;
  /** Told when the group's questions are all taken in, so that they may be computed meanwhile. */
  readonly submit: (group: number) => void;
  /** Returns when all that the group has asked is answered. */
  readonly collect: (group: number) => void;
  /** Handed each result at once. */
  readonly done: (result: R, place: number) => void;
}

/**
 * Keeps generators in flight and advances them by groups in turn: while the questions of one group are being computed,
 * the others search. With one group all go on in lockstep.
 *
 * Whenever a group's turn comes, `next` is asked for every free place, of whatever group. Results come in the order in
 * which they end, which depends on places and groups; what each holds does not. Returns when nothing is in flight and
 * `next` has nothing for any place.
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
