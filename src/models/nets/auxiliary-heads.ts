import * as tf from "@tensorflow/tfjs-core";
import type { Game } from "../../games/game.ts";
import { scoreOf } from "../../games/score.ts";
import { Type } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import { xavierUniform } from "./initialiser.ts";
import { convolution, dense, type Layer } from "./layers.ts";

/** The options of nets that choose their auxiliary targets. */
export const auxiliaryOptions = {
  score: Type.Boolean({
    default: false,
    description:
      "Auxiliary target: the final score of every seat, in games without a score their return (in training only; Wu 2019, section 4.1).",
  }),
  ownership: Type.Boolean({
    default: false,
    description:
      "Auxiliary target: which seat covers each cell at the end (in training only; Wu 2019, section 4.1).",
  }),
  reply: Type.Boolean({
    default: false,
    description:
      "Auxiliary target: the policy of the next decision (in training only; Wu 2019, section 3.4).",
  }),
};

/** The units in which scores are predicted: the middle of a game's scores and half their range. */
export interface ScoreUnits {
  readonly middle: number;
  readonly half: number;
}

/** Units in which a game's scores lie in [-1, 1]. For unbounded scores: middle 0 and half range `otherwise`. */
export function scoreUnits<S>(game: Game<S>, otherwise: number): ScoreUnits {
  const [least, greatest] = scoreOf(game).bounds;
  const half = (greatest - least) / 2;
  return Number.isFinite(half) && half > 0
    ? { middle: (least + greatest) / 2, half }
    : { middle: 0, half: otherwise };
}

/** Score head on the value head's hidden layer: [rows, units] to [rows, seats], in the units of the game's scores. */
export function scoreHead(units: number, seats: number, { middle, half }: ScoreUnits): Layer<tf.Tensor2D> {
  const linear = dense("score/dense", units, seats, xavierUniform(units, seats));
  return {
    parameters: linear.parameters,
    apply: (features, pass) => {
      const relative = linear.apply(features, pass);
      return inLayer("score", () => tf.add<tf.Tensor2D>(tf.mul(relative, half), middle));
    },
  };
}

/**
 * Ownership head: a 1x1 convolution from the tower's [rows, height, width, filters] to [rows, cells, seats], the logits of
 * each seat's covering each cell at the end.
 */
export function ownershipHead(filters: number, seats: number): Layer<tf.Tensor3D> {
  const initialiser = xavierUniform(filters, seats);
  const planes = convolution({ name: "ownership/conv", from: filters, to: seats, size: 1, initialiser });
  return {
    parameters: planes.parameters,
    apply: (tower, pass) => {
      const [, height, width] = (tower as tf.Tensor4D).shape;
      const image = planes.apply(tower, pass);
      return inLayer("ownership", () => tf.reshape(image, [-1, height * width, seats]));
    },
  };
}
