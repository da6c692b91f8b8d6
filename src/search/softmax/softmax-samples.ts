import { CHANCE, type Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { type Static, Type } from "../../schema.ts";
import { drawIndex } from "../choice/draw-index.ts";
import type { Sample } from "../search.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { NodeStates } from "../tree/node-states.ts";
import { BoltzmannChildren } from "./boltzmann-children.ts";
import type { BoltzmannPolicy, SimulationCount } from "./boltzmann-policy.ts";

/** Which positions of a searched tree become training examples. */
export const samplesSchema = Type.Union(
  [
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "Number of paths in each tree; the positions on them are sampled.",
    }),
    Type.Object(
      { use: Type.Literal("inner", { description: "All inner nodes of each tree." }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        use: Type.Literal("visits", { description: "All nodes of each tree with more than `above` visits." }),
        above: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            default: 10,
            description: "The number of visits that a node must exceed.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  { description: "Positions of the searched trees that are sampled as training examples." },
);

/** Which positions of a searched tree become training examples, as the options give it. */
export type SamplesOptions = Static<typeof samplesSchema>;

/** Collects training examples from a searched tree. */
export interface Sampler<S> {
  /** Appends the examples of tree number `tree`, from 0. */
  sample(states: NodeStates<S>, tree: number, random: Random, into: Sample<S>[]): void;
}

/**
 * The sampler that these options describe. An example is always a position that was evaluated and whose children have been
 * searched since, with its value in the tree: of all other positions the tree knows no more than the net.
 *
 * `policy` draws among children if `samples` is a number of paths.
 */
export function openSampler<S>(
  game: Game<S>,
  samples: SamplesOptions,
  policy: BoltzmannPolicy,
  { simulations }: SimulationCount,
): Sampler<S> {
  if (typeof samples === "number") return new PathSampler(game, policy, samples, simulations);
  return new NodeSampler(samples.use === "inner" ? 0 : (samples.above ?? 10));
}

/** The reason why nothing can be learned from the samples of an agent's searches: it takes none. Else undefined. */
export function samplesNothing(agent: string, config: Readonly<Record<string, unknown>>): string | undefined {
  const samples = config["samples"];
  if (typeof samples === "object" || Number(samples) > 0) return undefined;
  return `"${agent}" samples no positions: give agents.${agent} the option samples (paths in each tree, or which nodes; only mc-softmax has it)`;
}

/**
 * Samples paths (section 3.4): `paths` of them go down from the root. A path follows the Boltzmann distribution at decision
 * nodes, and probability among the visited outcomes at chance nodes. It ends at the first node without children.
 *
 * Paths are drawn independently: a position on two paths is taken twice.
 */
class PathSampler<S> implements Sampler<S> {
  readonly #paths: number;
  readonly #children: BoltzmannChildren<S>;
  readonly #simulations: number;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy, paths: number, simulations: number) {
    this.#paths = paths;
    this.#children = new BoltzmannChildren(game, policy);
    this.#simulations = simulations;
    this.#weights = new Float64Array(game.maxLegal);
  }

  sample(states: NodeStates<S>, index: number, random: Random, into: Sample<S>[]): void {
    const { tree } = states;
    for (let path = 0; path < this.#paths; path++) {
      this.#children.begin(index, this.#simulations, random);
      let node = ROOT;
      while (tree.firstEdge[node] !== NONE) {
        if (tree.toMove[node] === CHANCE) node = this.#outcome(states, node, random);
        else {
          node = tree.child[this.#children.draw(states, node, tree.visits[node]!, random)]!;
          if (tree.firstEdge[node] !== NONE) into.push(exampleOf(states, node));
        }
      }
    }
  }

  #outcome({ tree, probability }: NodeStates<S>, node: number, random: Random): number {
    const first = tree.firstEdge[node]!;
    const count = tree.edgeCount[node]!;
    let sum = 0;
    for (let i = 0; i < count; i++)
      sum += this.#weights[i] = tree.child[first + i] === NONE ? 0 : probability.data[first + i]!;
    return tree.child[first + drawIndex(this.#weights, count, sum, random)]!;
  }
}

/**
 * Takes every node of a tree with more than `above` visits (section 5.1), each once, in the order in which their parents
 * were added: with `above` 0 all inner nodes.
 */
class NodeSampler<S> implements Sampler<S> {
  readonly #above: number;

  constructor(above: number) {
    this.#above = above;
  }

  sample(states: NodeStates<S>, _index: number, _random: Random, into: Sample<S>[]): void {
    const { toMove, firstEdge, edgeCount, child, visits, size } = states.tree;
    for (let node = ROOT; node < size; node++) {
      if (toMove[node]! < 0 || firstEdge[node] === NONE) continue;
      const first = firstEdge[node]!;
      for (let edge = first; edge < first + edgeCount[node]!; edge++) {
        const to = child[edge]!;
        if (firstEdge[to] !== NONE && visits[to]! > this.#above) into.push(exampleOf(states, to));
      }
    }
  }
}

function exampleOf<S>(states: NodeStates<S>, node: number): Sample<S> {
  const { players, values } = states.tree;
  return {
    state: states.state(node),
    values: Array.from(values.subarray(node * players, (node + 1) * players)),
  };
}
