import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { NodeStates } from "../tree/node-states.ts";
import { TreeSearch } from "../tree/tree-search.ts";
import { Walk } from "../tree/walk.ts";
import { BoltzmannChildren } from "./boltzmann-children.ts";
import { BoltzmannPolicy, policySchema } from "./boltzmann-policy.ts";
import { SoftmaxChoice } from "./softmax-choice.ts";
import { StatefulMoves } from "./softmax-moves.ts";
import { BoltzmannBackup, BoltzmannSelection, EvaluateChildren } from "./softmax-parts.ts";
import { openSampler, samplesSchema } from "./softmax-samples.ts";

const options = Type.Object(
  {
    trees: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 1,
        description: "Number of trees, searched independently. The move is chosen by their mean values.",
      }),
    ),
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 100,
        description: "Simulations in each tree. The first one expands the root.",
      }),
    ),
    randomness: Type.Optional(
      Type.Union([Type.Literal("fixed"), Type.Literal("chance")], {
        default: "chance",
        description:
          "Chance nodes of a tree. fixed: one outcome is drawn at the first visit and kept. chance: every visit draws an outcome.",
      }),
    ),
    selection: Type.Optional({
      ...policySchema,
      default: "L-max",
      description: "Selection temperature: how a simulation chooses among the children of a node.",
    }),
    backup: Type.Optional({
      ...policySchema,
      default: "best",
      description: "Backup temperature: how the value of a node follows from those of its children.",
    }),
    samples: Type.Optional({ ...samplesSchema, default: 0 }),
    sampling: Type.Optional({
      ...policySchema,
      default: { use: "uniform", from: 0.005, to: 1 },
      description: "Sampling temperature: how sampled paths choose among the children of a node.",
    }),
  },
  { additionalProperties: false },
);

/**
 * MC Softmax search: Monte Carlo tree search with a value function and Boltzmann distributions, no rollout and no
 * policy.
 *
 * Source: Watanabe and Matsuzaki, "Adaption of MC Softmax Search for 2048"; the search is by Igarashi, Morioka and
 * Yamamoto (2018). A simulation goes down by the Boltzmann distribution over the mover's action values (reward plus
 * value), expands the leaf, has its children evaluated, and backs up Boltzmann-weighted means. Chance nodes are
 * weighted by probability. The defaults are the best pair of appendix A.1 for a tree with chance nodes.
 *
 * Where the source is silent: the first simulation expands the root; rewards count in every comparison; the visits of a
 * node include the current simulation; the move played is the first with the greatest mean over the trees of reward
 * plus value; a chance node averages over the outcomes visited so far; positions that were not expanded are not
 * sampled. `docs/search.md` gives the reasons.
 */
export const mcSoftmax: SearchDefinition<typeof options> = {
  name: "mc-softmax",
  description: "Monte Carlo tree search with a value function and Boltzmann selection and backup.",
  options,
  needs: { value: true, policy: false },
  best: "value",
  create(game, { trees, simulations, randomness, selection, backup, samples, sampling }) {
    const count = { simulations, trees };
    const policy = (of: typeof selection) => new BoltzmannPolicy(of, count);
    const children = (of: typeof selection) => new BoltzmannChildren(game, policy(of));
    const states = Array.from({ length: trees }, () => new NodeStates(game));
    const sampler = openSampler(game, samples, policy(sampling), count);
    return new TreeSearch(game, {
      walks: states.map(({ tree }, index) => new Walk(game, tree, index)),
      moves: new StatefulMoves(game, states, randomness),
      selection: new BoltzmannSelection(children(selection), states),
      leaf: new EvaluateChildren(game, states),
      backup: new BoltzmannBackup(children(backup), states),
      choice: new SoftmaxChoice(game, states, simulations, sampler),
      opening: true,
    });
  },
};
