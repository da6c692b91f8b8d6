import type { Evaluator } from "../games/evaluation.ts";
import type { Asked } from "./episode.ts";
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
export type Asking<S, R> = Generator<Asked<S>, R, void>;

/** Runs one episode to its end, answering its questions in this thread: `evaluators[asked.evaluator]` does. */
export function driveEpisode<S, R>(asking: Asking<S, R>, evaluators: readonly Evaluator<S>[]): R {
  let step = asking.next();
  while (step.done !== true) {
    evaluators[step.value.evaluator]!.evaluate(step.value.request);
    step = asking.next();
  }
  return step.value;
}

/**
 * Keeps up to `places` generators in flight and advances them in lockstep: the open questions of all are answered
 * in one call of `evaluate`, then all go on.
 *
 * `next(place)` starts the next one in a free place, or says undefined when there is none now; it is asked again
 * whenever another one has ended. `done(result, place)` is handed each result at once. Results come in the order in
 * which they end, which depends on `places`; what each holds does not. Returns when nothing is in flight and
 * `next` has nothing for any place. The list given to `evaluate` is used again by the next round.
 */
export function driveAll<S, R>(options: {
  readonly places: number;
  readonly next: (place: number) => Asking<S, R> | undefined;
  readonly evaluate: (asked: readonly Asked<S>[]) => void;
  readonly done: (result: R, place: number) => void;
}): void {
  const { places, next, evaluate, done } = options;
  const flights: (Asking<S, R> | undefined)[] = Array.from({ length: places }, () => undefined);
  const asked: Asked<S>[] = [];
  for (;;) {
    asked.length = 0;
    for (let place = 0; place < places; place++)
      for (;;) {
        const flight = (flights[place] ??= next(place));
        if (flight === undefined) break;
        const step = flight.next();
        if (step.done !== true) {
          asked.push(step.value);
          break;
        }
        flights[place] = undefined;
        done(step.value, place);
      }
    if (asked.length > 0) evaluate(asked);
    else if (flights.every((flight) => flight === undefined)) return;
  }
}
