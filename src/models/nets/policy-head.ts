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

/** A policy's logits, and where they stand in a row. */
export interface PolicyLayout {
  /** Numbers in a row of logits. */
  readonly logits: number;
  /** The place of every action's logit; absent where action a has number a. */
  readonly logitOf?: Int32Array;
}

/** How the weights of a head's last layer are drawn, by the numbers of its inputs and outputs. */
export type LastLayer = (from: number, to: number) => Initialiser;

/** A policy head: from the tower's images to rows of logits. */
export type PolicyHead = Layer<tf.Tensor4D, tf.Tensor2D>;

/** How the logits of a head of this kind stand in a row. */
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
 * A 1x1 convolution to as many filters, batch-normalised and rectified, and one to the planes of actions: the logit of
 * plane p on cell c is number p * cells + c (AlphaZero's head for chess, Silver et al. 2018, with 1x1 windows).
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
      // Planes before cells is the order in which ONNX Runtime computes them: the logits are not moved.
      return inLayer(`${name}/planes`, () =>
        tf.reshape(tf.transpose(images, [0, 3, 1, 2]), [-1, planes * cells]),
      );
    },
  };
}
