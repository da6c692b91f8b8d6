import type { Game } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";
import { hashPrior, type HashState, hashValue } from "../depth-first/hash-game.ts";
import { meanOf, type Node, plainTreeSearch } from "../mcts/mcts-reference.ts";

/** What the plain search found at its root. */
export interface PlainGumbel {
  readonly root: Node<HashState>;
  /** The index of the action to play. */
  readonly index: number;
  /** The improved policy over all actions. */
  readonly policy: number[];
}

/**
 * Gumbel AlphaZero on a hash game, written as the formulas stand, over all actions of every node and with a schedule of
 * its own: by phases, and by survivors at the end of each round.
 */
export function plainGumbel(
  game: Game<HashState>,
  start: HashState,
  random: Random,
  options: {
    readonly simulations: number;
    readonly considered: number;
    readonly cVisit: number;
    readonly cScale: number;
    readonly range: number | "completed";
    readonly target?: "completed" | "tried" | "tried-unweighted";
    readonly temperature: number;
    readonly leaves?: number;
    /** A node of an earlier search to go on from. */
    readonly from?: Node<HashState>;
    /** What the net said of the mover at each node; handed on from search to search. */
    readonly estimates?: Map<Node<HashState>, number>;
  },
): PlainGumbel {
  const { simulations, considered, cVisit, cScale, range, temperature, from } = options;
  const { estimates = new Map<Node<HashState>, number>(), target = "completed" } = options;
  const sigmas = (node: Node<HashState>): number[] => {
    const tried = node.children.filter(({ visits }) => visits > 0);
    const total = tried.reduce((sum, { visits }) => sum + visits, 0);
    const mass = tried.reduce((sum, { prior }) => sum + prior, 0);
    const mean = tried.reduce((sum, child) => sum + (child.prior * meanOf(child, node.mover)) / mass, 0);
    const mixed = (estimates.get(node)! + total * mean) / (1 + total);
    const most = Math.max(0, ...tried.map(({ visits }) => visits));
    const values = node.children.map((child) => (child.visits > 0 ? meanOf(child, node.mover) : mixed));
    const spread = Math.max(1e-8, Math.max(...values) - Math.min(...values));
    const divisor = range !== "completed" ? range : tried.length === 0 ? 1 : spread;
    return values.map((value) => ((cVisit + most) * cScale * value) / divisor);
  };
  const improved = (node: Node<HashState>): number[] => {
    const bonuses = sigmas(node);
    const peak = Math.max(...bonuses);
    const weights = node.children.map(({ prior }, i) => prior * Math.exp(bonuses[i]! - peak));
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  };
  const argmax = (numbers: readonly number[]) => numbers.indexOf(Math.max(...numbers));

  let gumbels: number[] = [];
  let considering: number[] = [];
  /** By action: the probability that it was drawn. */
  let drawn: number[] = [];
  const scores = (root: Node<HashState>) => {
    const bonuses = sigmas(root);
    return root.children.map(({ prior }, i) => gumbels[i]! + Math.log(prior) + bonuses[i]!);
  };
  let counts: number[] = [];
  let waiting: number[] = [];
  let left = 0;
  let round = 0;
  let rounds = 0;
  let phases = 0;
  let root!: Node<HashState>;
  const begin = (node: Node<HashState>) => {
    root = node;
    counts = node.children.map(() => 0);
    gumbels = node.children.map(() =>
      temperature > 0 ? -temperature * Math.log(-Math.log(1 - random.float())) : 0,
    );
    const order = node.children.map((_, i) => i);
    const flat = node.children.map(({ prior }, i) => gumbels[i]! + Math.log(prior));
    order.sort((a, b) => flat[b]! - flat[a]!);
    waiting = order.slice(0, Math.min(considered, simulations));
    considering = [...waiting];
    const next = order[waiting.length];
    drawn = node.children.map(({ prior }) =>
      temperature === 0 || next === undefined
        ? 1
        : 1 - Math.exp(-Math.exp((Math.log(prior) - flat[next]!) / temperature)),
    );
    left = waiting.length;
    phases = Math.max(1, Math.ceil(Math.log2(left)));
    rounds = Math.max(1, Math.floor(simulations / (phases * left)));
    visited = [];
  };
  /** Those who have been visited in this round; the next round is among them alone. */
  let visited: number[] = [];
  let started = 0;
  /** Whether a round begins that does not take all that the last one took, or fewer than are considered. */
  const awaitsAll = (): boolean => {
    if (visited.length > 0 && visited.length < left) return false;
    const among = visited.length === 0 ? waiting.length : left;
    const next =
      visited.length > 0 && round + 1 === rounds ? Math.max(Math.min(2, left), Math.floor(left / 2)) : left;
    return Math.min(next, simulations - started) < among;
  };
  const atRoot = (): number => {
    started++;
    if (visited.length === left) {
      waiting = visited;
      visited = [];
      round++;
      if (round === rounds) {
        left = Math.max(Math.min(2, left), Math.floor(left / 2));
        rounds = Math.max(1, Math.floor(simulations / (phases * left)));
        round = 0;
      }
    }
    const now = scores(root);
    const best = waiting[argmax(waiting.map((i) => now[i]!))]!;
    waiting = waiting.filter((i) => i !== best);
    visited.push(best);
    counts[best]!++;
    return best;
  };
  plainTreeSearch(game, start, random, {
    simulations,
    leaves: options.leaves ?? 1,
    awaitsAll,
    evaluate: (leaf) => {
      const priors = leaf.children.map((_, i) => hashPrior(leaf.state, i));
      const sum = priors.reduce((a, b) => a + b, 0);
      for (const [i, child] of leaf.children.entries()) child.prior = Math.fround(priors[i]! / sum);
      estimates.set(leaf, hashValue(leaf.state, leaf.mover));
      return leaf.total.map((_, seat) => hashValue(leaf.state, seat));
    },
    rooted: begin,
    select: (node) => {
      if (node === root) return node.children[atRoot()]!;
      const policy = improved(node);
      const counts = node.children.map(({ lost, visits }) => visits + lost);
      const total = counts.reduce((sum, count) => sum + count, 0);
      return node.children[argmax(counts.map((count, i) => policy[i]! - count / (1 + total)))]!;
    },
    ...(from === undefined ? {} : { from }),
  });
  const most = Math.max(...counts);
  const final = scores(root).map((score, i) => (counts[i] === most ? score : -Infinity));
  const completed = improved(root);
  const tried = completed.map((share, i) =>
    considering.includes(i) ? share / (target === "tried" ? drawn[i]! : 1) : 0,
  );
  const sum = tried.reduce((a, b) => a + b, 0);
  const policy = target === "completed" ? completed : tried.map((weight) => weight / sum);
  return { root, index: argmax(final), policy };
}
