import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { PositionValues } from "../../play/evaluation/position-values.ts";
import { networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { weightsOf } from "../../run/weights/named-tensors.ts";
import { readNamedWeights } from "../../run/weights/net-weights.ts";
import { decisionsOf, type SeatDecisions } from "./decision-batches.ts";

/** The values that a net gives to a seat at its decisions in a game, from -1 to 1 as results are. */
export type BaselineValues = (
  game: Pick<SeatDecisions, "actions" | "seat">,
) => Effect.Effect<readonly number[]>;

/** Opens the value net of a baseline with the weights that it names. */
export const baselineValues = (
  opened: OpenExperiment,
  net: string,
): Effect.Effect<BaselineValues, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        PositionValues.open(opened, net, weightsOf(readNamedWeights(opened.experiment, net).tensors)),
      ),
      (values) => Effect.promise(() => values.dispose()),
    ),
    (values) => baselineBy(opened, net, values),
  );

/** The baseline of a net whose values of positions are given by seat. */
export function baselineBy(
  opened: OpenExperiment,
  net: string,
  values: Pick<PositionValues<unknown>, "of">,
): BaselineValues {
  const { game } = opened;
  const shares = networkOf(opened, net).values === "win-share";
  return ({ actions, seat }) =>
    Effect.promise(async () => {
      const bySeat = await values.of(statesOf(opened, { actions, seat }));
      return bySeat
        .filter((_, i) => i % game.players === seat)
        .map((value) => (shares ? 2 * value - 1 : value));
    });
}

function* statesOf({ game }: OpenExperiment, decided: Pick<SeatDecisions, "actions" | "seat">): Generator {
  for (const { state } of decisionsOf(game, decided)) yield state;
}
