import type { Game } from "../../../games/game.ts";
import { seatInTurnOrder } from "../../../games/turn-order.ts";
import { positionForMessage } from "../../../games/position-text.ts";
import { NumberUnsound } from "../../../messages/number-unsound.ts";
import type { OpenNetwork } from "../../../models/registry.ts";

/**
 * The error of a net's response to a position that has a number that is NaN or infinite: values in turn order from the seat to move,
 * then priors of the legal actions. If the planes of the position have such a number, the error is in the game. `called` is what
 * messages call the net.
 */
export function unsoundResponse<S>(
  game: Game<S>,
  network: OpenNetwork,
  called: string,
  state: S,
  response: ArrayLike<number>,
): NumberUnsound {
  const position = positionForMessage(game, state);
  const plane = unsoundPlane(network, state);
  if (plane !== undefined)
    return new NumberUnsound(
      `the game ${game.name} writes ${plane.number} into channel ${plane.channel} of its planes for nets in ${position}: every number of planes is finite`,
    );
  const { model } = network.net;
  const turn = Array.from({ length: game.players }, (_, at) => response[at]!).findIndex(
    (value) => !Number.isFinite(value),
  );
  const output = (name: string | undefined) => (name === undefined ? "" : ` (output "${name}")`);
  const what =
    turn < 0
      ? `no probabilities of the legal moves${output(model?.outputs.policy)}`
      : `${response[turn]} as the value of seat ${seatInTurnOrder(game, state, turn)}${output(model?.outputs.value)}`;
  const cause =
    turn < 0
      ? "a legal move has a logit of NaN or +infinity, or all legal moves have -infinity"
      : "a value is a finite number";
  const remedy =
    model === undefined
      ? "learning has diverged, or its weights are damaged: start from an earlier checkpoint, and learn with a lower rate"
      : "compute this position where the model was made, and export the model again";
  return new NumberUnsound(`${called} gives ${what} in ${position}: ${cause}; ${remedy}`);
}

/** The first number of a position's planes that is NaN or infinite. */
function unsoundPlane(
  { planes }: OpenNetwork,
  state: unknown,
): { number: number; channel: number } | undefined {
  const [height, width, channels] = planes.shape;
  const out = new Float32Array(height * width * channels);
  planes.write(state, out, 0);
  const at = out.findIndex((value) => !Number.isFinite(value));
  return at < 0 ? undefined : { number: out[at]!, channel: at % channels };
}
