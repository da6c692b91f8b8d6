import * as tf from "@tensorflow/tfjs-core";
import type { ActionPlanes, Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import { NetDoesNotFit } from "../definition.ts";
import { constant, type Initialiser, xavierUniform } from "./initialiser.ts";
import { meanAndMax } from "./global-pooling.ts";
import { convolution, dense, flatten, type Layer } from "./layers.ts";
import { normalisedConvolution } from "./normalised-convolution.ts";

/** The option `policyHead` of nets. */
export const policyHead = Type.Union([Type.Literal("dense"), Type.Literal("convolutional")], {
  default: "dense",
  description:
    "`dense`: a 1x1 convolution to 2 planes and a dense layer to all actions; `convolutional`: 1x1 convolutions to one plane per kind of action, for games that say where actions lie on the board; actions off the board, such as a pass, get theirs from the means and maxima over the board.",
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
export type PolicyHead = Layer<tf.Tensor2D>;

/** The layout of logits for a head of this kind. Throws NetDoesNotFit. */
export function policyLayout<S>(
  game: Game<S>,
  net: string,
  kind: "dense" | "convolutional",
  cells: number,
): PolicyLayout {
  if (kind === "dense") return { logits: game.actions };
  const { planes, offBoard = 0, index } = actionPlanesOf(game, net);
  return {
    logits: planes * cells + offBoard,
    logitOf: Int32Array.from({ length: game.actions }, (_, action) => index(action)),
  };
}

/** Where the actions of a game lie on the board. Throws NetDoesNotFit if the game does not say it. */
export function actionPlanesOf<S>(game: Game<S>, net: string): ActionPlanes {
  const actionPlanes = game.nets?.actionPlanes;
  if (actionPlanes === undefined)
    throw new NetDoesNotFit(net, game.name, "the game does not say where its actions lie on the board");
  return actionPlanes;
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
 *
 * Actions off the board have no cell: their logits, after those of the planes, come from a dense layer on the means and
 * maxima of the hidden planes over the board, as for the pass in Wu 2019 (appendix A).
 */
export function convolutionalPolicy(
  name: string,
  filters: number,
  cells: number,
  actionPlanes: Pick<ActionPlanes, "planes" | "offBoard">,
  last: LastLayer,
): PolicyHead {
  const hidden = normalisedConvolution(name, filters, filters, 1);
  const logits = logitsOfPlanes(name, filters, cells, actionPlanes, last);
  return {
    parameters: [...hidden.parameters, ...logits.parameters],
    apply: (tower, pass) => logits.apply(tf.relu(hidden.apply(tower, pass)), pass),
  };
}

/**
 * AlphaGo's head: a 1x1 convolution to the planes of actions, with a bias of its own for each cell (Silver et al. 2016,
 * Methods). Logits are laid out as in `convolutionalPolicy`, those off the board included.
 */
export function cellwisePolicy(
  name: string,
  filters: number,
  cells: number,
  actionPlanes: Pick<ActionPlanes, "planes" | "offBoard">,
): PolicyHead {
  return logitsOfPlanes(name, filters, cells, actionPlanes, xavierUniform, "cells");
}

/**
 * A 1x1 convolution to the planes of actions, with a bias for each plane or for each cell of each plane; a dense layer on
 * the means and maxima over the board for actions off the board.
 */
function logitsOfPlanes(
  name: string,
  filters: number,
  cells: number,
  { planes, offBoard = 0 }: Pick<ActionPlanes, "planes" | "offBoard">,
  last: LastLayer,
  biases: "planes" | "cells" = "planes",
): PolicyHead {
  const toPlanes = convolution({
    name: `${name}/planes`,
    from: filters,
    to: planes,
    size: 1,
    initialiser: last(filters, planes),
    bias: biases === "planes",
  });
  const ofCells = {
    name: `${name}/planes/bias`,
    shape: [planes * cells],
    initialiser: constant(0),
    trained: true,
  };
  const away = `${name}/off-board`;
  const toOffBoard =
    offBoard === 0 ? undefined : dense(away, 2 * filters, offBoard, last(2 * filters, offBoard));
  return {
    parameters: [
      ...toPlanes.parameters,
      ...(biases === "cells" ? [ofCells] : []),
      ...(toOffBoard?.parameters ?? []),
    ],
    apply: (features, pass) => {
      const images = toPlanes.apply(features, pass);
      // ONNX Runtime computes planes before cells, so this order moves no logits.
      const onBoard = inLayer(`${name}/planes`, () => {
        const logits = tf.reshape<tf.Rank.R2>(tf.transpose(images, [0, 3, 1, 2]), [-1, planes * cells]);
        return biases === "cells" ? tf.add<tf.Tensor2D>(logits, pass.parameters[ofCells.name]!) : logits;
      });
      if (toOffBoard === undefined) return onBoard;
      const others = toOffBoard.apply(meanAndMax(away, features as tf.Tensor4D), pass);
      return inLayer(away, () => tf.concat2d([onBoard, others], 1));
    },
  };
}
