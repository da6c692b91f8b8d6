import { Type, type Static } from "../schema.ts";
import type { Random } from "../random.ts";
import type { SearchDefinition } from "./definition.ts";
import { drawDirichlet } from "./dirichlet.ts";
import { MeanBackup, PolicyLeaf } from "./mean-parts.ts";
import { byVisits, moveTemperature } from "./move-choice.ts";
import { type Selection, TreeSearch } from "./tree-search.ts";
import { ROOT, type Tree } from "./tree.ts";

/**
 * Selects argmax Q^p(s,a) + C(s) P(s,a) sqrt(N(s)) / (1 + N(s,a)), C(s) = log((1 + N(s) + base)/base) + init, for the
 * mover p; the first of equals.
 *
 * Q is 0 before the first visit. N(s) counts the visits before the present simulation, the one that expanded s
 * included, so that the priors order even the first one.
 */
export class PuctSelection<S> implements Selection<S> {
  readonly #base: number;
  readonly #init: number;

  constructor(base: number, init: number) {
    this.#base = base;
    this.#init = init;
  }

  select(tree: Tree<S>, node: number): number {
    const before = tree.visits[node]! - 1;
    const mover = tree.toMove[node]!;
    const exploration = (Math.log((1 + before + this.#base) / this.#base) + this.#init) * Math.sqrt(before);
    const first = tree.firstChild[node]!;
    const end = first + tree.childCount[node]!;
    let best = first;
    let greatest = -Infinity;
    for (let child = first; child < end; child++) {
      const score =
        tree.worth(child, mover) + (exploration * tree.probability[child]!) / (1 + tree.visits[child]!);
      if (score > greatest) {
        greatest = score;
        best = child;
      }
    }
    return best;
  }
}

const noise = Type.Object(
  {
    epsilon: Type.Number({ minimum: 0, maximum: 1, description: "Share of the noise in the root's priors." }),
    alpha: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description: "Concentration of the Dirichlet distribution.",
    }),
  },
  { additionalProperties: false },
);

const options = Type.Object(
  {
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 800,
        description: "Simulations a decision; the root's own evaluation comes on top.",
      }),
    ),
    cBase: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        default: 19625,
        description: "c_base: when exploration begins to grow.",
      }),
    ),
    cInit: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1.25,
        description: "c_init: exploration at first, in units of the returns.",
      }),
    ),
    noise: Type.Optional(
      Type.Union([noise, Type.Null()], {
        default: null,
        description: "Dirichlet noise on the root's priors, for self-play; null for none.",
      }),
    ),
    temperature: Type.Optional({
      ...moveTemperature,
      default: [],
      description: "Temperature of the played move over the game; empty: always the most visited move.",
    }),
  },
  { additionalProperties: false },
);

/** Mixes Dirichlet noise into the priors of the root's children: (1 - epsilon) P + epsilon Dir(alpha). */
function mixNoise<S>(tree: Tree<S>, { epsilon, alpha }: Static<typeof noise>, random: Random): void {
  const draws = new Float64Array(tree.childCount[ROOT]!);
  drawDirichlet(alpha, random, draws);
  const first = tree.firstChild[ROOT]!;
  for (let i = 0; i < draws.length; i++)
    tree.probability[first + i] = (1 - epsilon) * tree.probability[first + i]! + epsilon * draws[i]!;
}

/**
 * AlphaZero's tree search for any number of players: PUCT selection for the mover's part of a value vector, the
 * net's values and priors at the leaf, mean backup, the move by visits.
 *
 * Source: Silver et al. 2018 (AlphaZero), equations of the supplementary pseudocode; several players as in
 * BlokusZero (section 4.2): each edge keeps a mean per seat and nothing is rescaled. Values weigh against priors in
 * units of the returns, so it suits games whose returns stay within about one of each other.
 */
export const puct: SearchDefinition<typeof options> = {
  name: "puct",
  description: "AlphaZero's search: PUCT with the net's values and priors, for any number of players.",
  options,
  needs: { value: true, policy: true },
  best: "visits",
  create: (game, { simulations, cBase, cInit, noise: rootNoise, temperature }) =>
    new TreeSearch(game, {
      trees: 1,
      simulations: simulations + 1,
      randomness: "chance",
      selection: new PuctSelection(cBase, cInit),
      leaf: new PolicyLeaf(game),
      backup: new MeanBackup(game),
      choice: byVisits(temperature),
      ...(rootNoise === null ? {} : { rooted: (tree, random) => mixNoise(tree, rootNoise, random) }),
    }),
};
