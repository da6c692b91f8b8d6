import * as tf from "@tensorflow/tfjs-core";
import { encodingOf } from "../../games/packed-planes.ts";
import { Type } from "../../schema.ts";
import { NetDoesNotFit, netOptions, planesOf, type NetDefinition } from "../definition.ts";
import { caffeXavier, constant, xavierUniform } from "./initialiser.ts";
import { auxiliaryOptions, ownershipHead, scoreHead, scoreUnits } from "./auxiliary-heads.ts";
import { dense, flatten, type Pass } from "./layers.ts";
import type { Net } from "../net.ts";
import { normalisedConvolution } from "./normalised-convolution.ts";
import {
  actionPlanesOf,
  convolutionalPolicy,
  densePolicy,
  policyHead,
  type PolicyHead,
  policyLayout,
} from "./policy-head.ts";
import { poolingBlock, residualBlock } from "./residual-block.ts";
import { activateValue, ofBothPlayers, valueActivation, valueScale } from "./value-head.ts";

const options = Type.Object(
  {
    filters: Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: 128,
      description: "Filters of each convolution in the tower.",
    }),
    blocks: Type.Integer({
      minimum: 0,
      maximum: 200,
      default: 10,
      description: "Number of residual blocks, each of two convolutions.",
    }),
    valueUnits: Type.Integer({
      minimum: 1,
      maximum: 65_536,
      default: 256,
      description: "Units of the value head's hidden layer.",
    }),
    valueFilters: Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: 4,
      description: "Filters of the value head's 1x1 convolution: 4 in BlokusZero, 1 in AlphaZero.",
    }),
    valueOutputs: Type.Union([Type.Literal("seats"), Type.Literal("mover")], {
      default: "seats",
      description:
        "`seats`: a value for each seat (BlokusZero). `mover`: one value, for the player to move, whose negative is the other player's (AlphaZero): for games of two players, with `values: win-loss`.",
    }),
    policyHead,
    xavier: Type.Union([Type.Literal("glorot"), Type.Literal("caffe")], {
      default: "glorot",
      description:
        "What Xavier initialisation of the last layers of value and policy is: uniform within sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010), or within sqrt(3 / inputs) (Caffe).",
    }),
    globalPooling: Type.Integer({
      minimum: 0,
      maximum: 4096,
      default: 0,
      description:
        "Filters pooled over the whole board in every second block; they give a bias to the block's other filters (Wu 2019, section 3.3). 0: no pooling.",
    }),
    zeroHeads: Type.Boolean({
      default: false,
      description:
        "Start the last layers of value and policy at zero (Zhang, Dauphin and Ma 2019, Fixup). The untrained net then gives the value 0 and a uniform policy; randomly initialised heads give confident but meaningless outputs.",
    }),
    ...auxiliaryOptions,
    valueActivation,
    valueScale,
    ...netOptions,
  },
  { additionalProperties: false },
);

/**
 * The residual net of BlokusZero, after AlphaZero (Silver et al. 2017).
 *
 * The tower is a 3x3 stem and blocks of two 3x3 convolutions, each batch-normalised. The policy head is a 1x1 convolution
 * to 2 planes and a dense layer. The value head is a 1x1 convolution to 4 planes, a rectified dense layer and a dense
 * layer. Weights are initialised by He et al., those of both last dense layers by Xavier. AlphaZero's own value head, with
 * which the paper compares it (figure 8), is `valueFilters: 1, valueOutputs: mover`, its policy head `convolutional`.
 *
 * Options beyond the paper: a convolutional policy head, blocks that pool over the board, and heads for auxiliary targets,
 * which exist in training only.
 */
export const residual: NetDefinition<typeof options> = {
  name: "residual",
  description: "A residual tower of 3x3 convolutions with a value and a policy head, as in AlphaZero.",
  options,
  heads: () => ({ value: true, policy: true }),
  build: (game, chosen): Net => {
    const planes = planesOf(game, "residual", chosen.planes);
    const input = planes.shape;
    const [height, width, channels] = input;
    const { filters, valueUnits, globalPooling } = chosen;
    const cells = height * width;
    const seats = game.players;
    const layout = policyLayout(game, "residual", chosen.policyHead, cells);
    const one = chosen.valueOutputs === "mover";
    if (one && (seats !== 2 || chosen.values !== "win-loss"))
      throw new NetDoesNotFit(
        "residual",
        game.name,
        seats === 2
          ? `valueOutputs: mover gives the other player the negative value, so set values: win-loss (now ${chosen.values})`
          : `valueOutputs: mover is for two players, and it has ${seats}; leave it out`,
      );
    const last = (from: number, to: number) => {
      if (chosen.zeroHeads) return constant(0);
      return chosen.xavier === "caffe" ? caffeXavier(from) : xavierUniform(from, to);
    };
    const policyNamed = (name: string): PolicyHead =>
      layout.logitOf === undefined
        ? densePolicy(name, filters, cells, layout.logits, last)
        : convolutionalPolicy(name, filters, cells, actionPlanesOf(game, "residual"), last);
    const stem = normalisedConvolution("stem", channels, filters, 3);
    const blocks = Array.from({ length: chosen.blocks }, (_, i) =>
      globalPooling > 0 && i % 2 === 1
        ? poolingBlock(`block${i + 1}`, filters, globalPooling)
        : residualBlock(`block${i + 1}`, filters),
    );
    const policy = policyNamed("policy");
    const valuePlanes = normalisedConvolution("value", filters, chosen.valueFilters, 1);
    const hidden = dense("value/hidden", chosen.valueFilters * cells, valueUnits);
    const outputs = one ? 1 : seats;
    const value = dense("value/dense", valueUnits, outputs, last(valueUnits, outputs));
    const units = scoreUnits(game, chosen.valueScale);
    const score = chosen.score ? scoreHead(valueUnits, seats, units) : undefined;
    const ownership = chosen.ownership ? ownershipHead(filters, seats) : undefined;
    const reply = chosen.reply ? policyNamed("reply") : undefined;
    const layers = [stem, ...blocks, policy, valuePlanes, hidden, value, score, ownership, reply];
    return {
      name: "residual",
      input,
      encoding: encodingOf(planes),
      seats,
      actions: game.actions,
      ...layout,
      maxLegal: game.maxLegal,
      auxiliaryTargets: (["score", "ownership", "reply"] as const).filter((target) => chosen[target]),
      valueScale: chosen.valueScale,
      scoreScale: units.half,
      parameters: layers.flatMap((layer) => layer?.parameters ?? []),
      forward: (parameters, x, training) => {
        const pass: Pass = { parameters, training, state: {} };
        const first = tf.relu(stem.apply(x, pass));
        const tower = blocks.reduce((y, block) => block.apply(y, pass), first);
        const planes = flatten(tf.relu(valuePlanes.apply(tower, pass)));
        const features = tf.relu(hidden.apply(planes, pass));
        // The policy first: graphs are the same bytes as long as operations come in the same order.
        const logits = policy.apply(tower, pass);
        const values = activateValue(value.apply(features, pass), chosen);
        const heads = {
          policy: logits,
          value: one ? ofBothPlayers(values) : values,
          state: pass.state,
        };
        if (!training) return heads;
        return {
          ...heads,
          ...(score === undefined ? {} : { score: score.apply(features, pass) }),
          ...(ownership === undefined ? {} : { ownership: ownership.apply(tower, pass) }),
          ...(reply === undefined ? {} : { reply: reply.apply(tower, pass) }),
        };
      },
    };
  },
};
