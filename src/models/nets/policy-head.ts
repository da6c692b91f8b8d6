import * as tf from "@tensorflow/tfjs-core";
import type { Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import { NetDoesNotFit } from "../definition.ts";
import type { Initialiser } from "./initialiser.ts";
import { convolution, dense, flatten, type Layer } from "./layers.ts";
import { normalisedConvolution } from "./normalised-convolution.ts";

/** The option `policyHead` of nets. */
export const policyHead = Type.Union([Type.Literal("dense"), Type.Literal("convolutional")], {
  default: "dense",
  description:
    "`dense`: a 1x1 convolution to 2 planes and a dense layer to all actions; `convolutional`: 1x1 convolutions to one plane per kind of action, for games that say where actions lie on the board.",
});

/** The arrangement of a policy's logits in a row. */
export interface PolicyLayout {
  /** Numbers in a row of logits. */
  readonly logits: number;
  /** The index of each action's logit; absent if the logit of action a has index a. */
  readonly logitOf?: Int32Array;
}

/** The initialiser of a head's last layer, by its numbers of inputs and outputs. */
export type LastLayer = (from: number, to: number) => Initialiser;

/** A policy head: from the images of the tower to rows of logits. */
export type PolicyHead = Layer<tf.Tensor4D, tf.Tensor2D>;

/** The layout of logits for a head of this kind. Throws NetDoesNotFit. */
export function policyLayout<S>(
  game: Game<S>,
  net: string,
  kind: "dense" | "convolutional",
  cells: number,
): PolicyLayout {
  if (kind === "dense") return { logits: game.actions };
  const actionPlanes = game.nets?.actionPlanes;
  if (actionPlanes === undefined)
    throw new NetDoesNotFit(net, game.name, "the game does not say where its actions lie on the board");
  return {
    logits: actionPlanes.planes * cells,
    logitOf: Int32Array.from({ length: game.actions }, (_, action) => actionPlanes.index(action)),
  };
}

/** AlphaZero's head for Go: 2 planes, batch-normalised and rectified, and a dense layer (Silver et al. 2017). */
export function densePolicy(
  name: string,
  filters: number,
  cells: number,
  actions: number,
  last: LastLayer,
): PolicyHead {
  const planes = normalisedConvolution(name, filters, 2, 1);
  const logits = dense(`${name}/dense`, 2 * cells, actions, last(2 * cells, actions));
  return {
    parameters: [...planes.parameters, ...logits.parameters],
    apply: (tower, pass) => logits.apply(flatten(tf.relu(planes.apply(tower, pass))), pass),
  };
}

/**
 * A 1x1 convolution that keeps the number of filters, batch-normalised and rectified, and a 1x1 convolution to the planes of
 * actions. The logit of plane p on cell c has index p * cells + c (AlphaZero's head for chess, Silver et al. 2018, with 1x1
 * windows).
 */
export function convolutionalPolicy(
  name: string,
  filters: number,
  cells: number,
  planes: number,
  last: LastLayer,
): PolicyHead {
  const hidden = normalisedConvolution(name, filters, filters, 1);
  const initialiser = last(filters, planes);
  const toPlanes = convolution({ name: `${name}/planes`, from: filters, to: planes, size: 1, initialiser });
  return {
    parameters: [...hidden.parameters, ...toPlanes.parameters],
    apply: (tower, pass) => {
      const images = toPlanes.apply(tf.relu(hidden.apply(tower, pass)), pass);
      // ONNX Runtime computes planes before cells, so this order moves no logits.
      return inLayer(`${name}/planes`, () =>
        tf.reshape(tf.transpose(images, [0, 3, 1, 2]), [-1, planes * cells]),
      );
    },
  };
}
