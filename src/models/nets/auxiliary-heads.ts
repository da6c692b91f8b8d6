import * as tf from "@tensorflow/tfjs-core";
import type { Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import { xavierUniform } from "./initialiser.ts";
import { convolution, dense, type Layer } from "./layers.ts";

/** The options of nets for what they may learn besides value and policy. */
export const auxiliaryOptions = {
  score: Type.Boolean({
    default: false,
    description: "Learns every seat's final return besides (training only; Wu 2019, section 4.1).",
  }),
  ownership: Type.Boolean({
    default: false,
    description:
      "Learns which seat covers each cell at the end besides (training only; Wu 2019, section 4.1).",
  }),
  reply: Type.Boolean({
    default: false,
    description: "Learns the policy of the next to move besides (training only; Wu 2019, section 3.4).",
  }),
};

/** The middle of a game's returns and half their range: what scores are predicted in. */
export interface ScoreUnits {
  readonly middle: number;
  readonly half: number;
}

/** Units in which a game's returns lie in -1 to 1; where they have no bound, `otherwise` around 0. */
export function scoreUnits<S>(game: Game<S>, otherwise: number): ScoreUnits {
  const [least, greatest] = game.returnBounds;
  const half = (greatest - least) / 2;
  return Number.isFinite(half) && half > 0
    ? { middle: (least + greatest) / 2, half }
    : { middle: 0, half: otherwise };
}

/** Scores from the value head's hidden layer: [rows, units] to [rows, seats], in the game's units. */
export function scoreHead(
  units: number,
  seats: number,
  { middle, half }: ScoreUnits,
): Layer<tf.Tensor2D, tf.Tensor2D> {
  const linear = dense("score/dense", units, seats, xavierUniform(units, seats));
  return {
    parameters: linear.parameters,
    apply: (features, pass) => {
      const relative = linear.apply(features, pass);
      return inLayer("score", () => tf.add<tf.Tensor2D>(tf.mul(relative, half), middle));
    },
  };
}

/** Logits of covering each cell: a 1x1 convolution from the tower, [rows, height, width, filters] to [rows, cells, seats]. */
export function ownershipHead(filters: number, seats: number): Layer<tf.Tensor4D, tf.Tensor3D> {
  const initialiser = xavierUniform(filters, seats);
  const planes = convolution({ name: "ownership/conv", from: filters, to: seats, size: 1, initialiser });
  return {
    parameters: planes.parameters,
    apply: (tower, pass) => {
      const [, height, width] = tower.shape;
      const image = planes.apply(tower, pass);
      return inLayer("ownership", () => tf.reshape(image, [-1, height * width, seats]));
    },
  };
}
