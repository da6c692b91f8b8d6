import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../../schema.ts";
import type { MatchRound, WeightsVersion } from "../run/items.ts";
import type { StageEnv, StageView } from "../operator.ts";
import type { RunError } from "../run/run-error.ts";

/** The setting that says how often a stage measures. */
export const everySchema = (byDefault: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: byDefault,
    description:
      "Number of trained versions of the weights from one round to the next. The last version is always measured; 0 measures only this one.",
  });

/** Number of rounds in a whole run, from the stage behind the port `after`. */
export function roundsOf(every: number, { inputs, offered }: StageView): number {
  const trainings = offered("after", "weights")?.trainings;
  if (inputs["after"] === undefined || every === 0 || trainings === undefined) return 1;
  return 1 + Math.ceil(trainings / every);
}

/** One round of measuring: its number, how much was learned before it, and the version of the weights (0 without a learner). */
export interface Round extends Pick<WeightsVersion, "learned" | "unit" | "version"> {
  /** Counts from 0. */
  readonly number: number;
  /** True for the round with the last weights of the run. */
  readonly final: boolean;
}

/**
 * Plays rounds of measuring as learning goes on. Where no learner is followed, it plays one round with final weights.
 * Ends when the run is asked to stop.
 */
export function rounds(
  after: Stream.Stream<WeightsVersion, RunError> | undefined,
  every: number,
  { activity, board, clock, stop }: Pick<StageEnv, "activity" | "board" | "clock" | "stop">,
  nets: readonly string[],
  play: (round: Round) => Effect.Effect<MatchRound, RunError>,
): Stream.Stream<MatchRound, RunError> {
  const awaits = (from: number) => activity.waits(weightsOf(every, from));
  if (after === undefined) activity.waits("the last weights of all its nets");
  else awaits(0);
  // The last round waits until the weights of all these nets are final, whichever learner is done first.
  const begin = (round: Round) =>
    Effect.andThen(clock.waiting(round.final ? board.settled(nets) : board.reached(nets, 0)), play(round));
  const held =
    after === undefined
      ? Stream.fromEffect(begin({ number: 0, version: 0, learned: 0, unit: "games", final: true }))
      : after.pipe(
          Stream.filter(
            ({ state, trainings }) => state === "final" || (state === "whole" && trainings % every === 0),
          ),
          Stream.mapEffect(({ learned, state, trainings, unit, version }) =>
            Effect.tap(
              begin({
                number: every === 0 ? 0 : Math.ceil(trainings / every),
                version,
                learned,
                unit,
                final: state === "final",
              }),
              () => Effect.sync(() => awaits(trainings + 1)),
            ),
          ),
        );
  return held.pipe(Stream.interruptWhen(stop.wait));
}

/** The weights of the next round, in words. Versions of a buffer that is being filled are not trained, and do not count. */
function weightsOf(every: number, from: number): string {
  if (every === 0) return "the last weights";
  const next = Math.ceil(from / every) * every;
  return next === 0 ? "the first weights" : `trained version ${next} of the weights, or the last`;
}
