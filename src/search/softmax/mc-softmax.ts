import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { firstBest } from "../choice/decision-buffer.ts";
import { BoltzmannBackup, BoltzmannSampler, BoltzmannSelection, EvaluateChildren } from "./softmax-parts.ts";
import { BoltzmannPolicy, policySchema } from "./boltzmann-policy.ts";
import { TreeSearch } from "../tree/tree-search.ts";

const options = Type.Object(
  {
    trees: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 1,
        description: "Number of trees, searched side by side.",
      }),
    ),
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 100,
        description: "Simulations in each tree; the first one expands the root.",
      }),
    ),
    randomness: Type.Optional(
      Type.Union([Type.Literal("fixed"), Type.Literal("chance")], {
        default: "chance",
        description:
          "Chance in a tree: one outcome drawn per place and kept (fixed), or drawn anew each time (chance).",
      }),
    ),
    selection: Type.Optional({
      ...policySchema,
      default: "L-max",
      description: "Selection temperature: how a simulation goes down.",
    }),
    backup: Type.Optional({
      ...policySchema,
      default: "best",
      description: "Backup temperature: how a node's value is made of its children's.",
    }),
    samples: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: "Paths per tree to learn from." }),
    ),
    sampling: Type.Optional({
      ...policySchema,
      default: { use: "uniform", from: 0.005, to: 1 },
      description: "Sampling temperature: how those paths go down.",
    }),
  },
  { additionalProperties: false },
);

/**
 * MC Softmax search: Monte Carlo tree search with a value function and Boltzmann distributions, no rollout and no
 * policy.
 *
 * Source: Watanabe and Matsuzaki, "Adaption of MC Softmax Search for 2048"; the search is by Igarashi, Morioka and
 * Yamamoto (2018). A simulation goes down by the Boltzmann distribution over what the mover earns by each child
 * (reward and value), expands the leaf, has its children evaluated, and backs up Boltzmann-weighted means; chance
 * nodes are weighted by probability. The defaults are the best pair of appendix A.1 on a tree with chance nodes.
 *
 * Where the source is silent: the first simulation is the root's expansion; rewards count in every comparison; a
 * node's visits count the present simulation; the move played is the first with the greatest mean over the trees of
 * reward and value; a chance node averages over the outcomes visited so far; samples leave out positions that were
 * not searched below. `docs/search.md` gives the reasons.
 */
export const mcSoftmax: SearchDefinition<typeof options> = {
  name: "mc-softmax",
  description: "Monte Carlo tree search with a value function and Boltzmann selection and backup.",
  options,
  needs: { value: true, policy: false },
  best: "value",
  create(game, { trees, simulations, randomness, selection, backup, samples, sampling }) {
    const policy = (of: typeof selection) => new BoltzmannPolicy(of, simulations);
    const sampler = new BoltzmannSampler(game, policy(sampling), samples, simulations);
    return new TreeSearch(game, {
      trees,
      simulations,
      randomness,
      selection: new BoltzmannSelection(game, policy(selection)),
      leaf: new EvaluateChildren(game),
      backup: new BoltzmannBackup(game, policy(backup)),
      choice: (_visits, values) => firstBest(values),
      samples: (tree, random, into) => sampler.sample(tree, random, into),
    });
  },
};
