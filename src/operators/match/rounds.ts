import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../../schema.ts";
import type { MatchRound, WeightsVersion } from "../run/items.ts";
import type { StageEnv } from "../operator.ts";
import type { RunError } from "../run/run-error.ts";

/** How often a stage measures, as a setting. */
export const everySchema = (byDefault: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: byDefault,
    description:
      "Versions of the weights that something was learned for, from one round to the next; the last version is always measured, with 0 it alone.",
  });

/** One round of measuring: which, and with how much learned. */
export interface Round extends Pick<WeightsVersion, "learned" | "unit" | "final"> {
  /** Counts from 0. */
  readonly number: number;
}

/**
 * Rounds of measuring as learning goes on; one, with final weights, where no learner is followed. Ends when the run is
 * asked to stop.
 */
export function rounds(
  after: Stream.Stream<WeightsVersion, RunError> | undefined,
  every: number,
  { board, stop }: Pick<StageEnv, "board" | "stop">,
  nets: readonly string[],
  play: (round: Round) => Effect.Effect<MatchRound, RunError>,
): Stream.Stream<MatchRound, RunError> {
  // The last round is between weights that do not change any more, whichever learner is done first.
  const begin = (round: Round) =>
    Effect.andThen(round.final ? board.settled(nets) : board.reached(nets, 0), play(round));
  const held =
    after === undefined
      ? Stream.fromEffect(begin({ number: 0, learned: 0, unit: "games", final: true }))
      : after.pipe(
          Stream.filter(({ final, partial, trainings }) => final || (!partial && trainings % every === 0)),
          Stream.mapEffect(({ final, learned, unit, trainings }) =>
            begin({ number: every === 0 ? 0 : Math.ceil(trainings / every), learned, unit, final }),
          ),
        );
  return held.pipe(Stream.interruptWhen(stop.wait));
}
