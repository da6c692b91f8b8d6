import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";

/** A node of the plain tree: sums over all the returns that passed through it. */
export interface Node<S> {
  readonly state: S;
  readonly mover: number;
  readonly reward: number[];
  prior: number;
  visits: number;
  readonly total: number[];
  children: Node<S>[];
}

/** The mover's mean of a child, the way to it included; 0 before its first visit. */
export function meanOf<S>(child: Node<S>, seat: number): number {
  return child.visits === 0 ? 0 : child.reward[seat]! + child.total[seat]! / child.visits;
}

/** Monte Carlo tree search with means, written as plainly as it can be: objects, sums, recursion. */
export function plainTreeSearch<S>(
  game: Game<S>,
  start: S,
  random: Random,
  parts: {
    readonly simulations: number;
    /** `visits` of the node does not count the present simulation. */
    readonly select: (node: Node<S>) => Node<S>;
    /** The return of each seat from the leaf on; may set the children's priors. */
    readonly evaluate: (leaf: Node<S>) => number[];
    readonly rooted?: (root: Node<S>) => void;
    /** A node of an earlier search to go on from, in place of a new root. */
    readonly from?: Node<S>;
  },
): Node<S> {
  const returns = (state: S) => {
    const out = new Float64Array(game.players);
    game.returns(state, out);
    return out;
  };
  const make = (from: S, action: number | undefined, prior: number): Node<S> => {
    const state = game.initial();
    game.copy(from, state);
    if (action !== undefined) game.play(state, action);
    const before = returns(from);
    return {
      state,
      mover: game.toMove(state),
      reward: Array.from(returns(state), (sum, seat) => sum - before[seat]!),
      prior,
      visits: 0,
      total: Array.from(before, () => 0),
      children: [],
    };
  };
  const simulate = (node: Node<S>): number[] => {
    let result: number[];
    if (node.mover === OVER) result = node.total.map(() => 0);
    else {
      const actions = new Int32Array(game.maxLegal);
      const probabilities = new Float64Array(game.maxLegal);
      let next: Node<S> | undefined;
      if (node.mover === CHANCE) {
        if (node.children.length === 0) {
          const count = game.chance!.outcomes(node.state, actions, probabilities);
          for (let i = 0; i < count; i++) node.children.push(make(node.state, actions[i], probabilities[i]!));
        }
        let left = random.float();
        next = node.children.find((child) => (left -= child.prior) < 0) ?? node.children.at(-1);
      } else if (node.children.length > 0) next = parts.select(node);
      if (next !== undefined) {
        const below = simulate(next);
        result = below.map((value, seat) => value + next.reward[seat]!);
      } else {
        const count = game.legal(node.state, actions);
        for (let i = 0; i < count; i++) node.children.push(make(node.state, actions[i], 0));
        result = parts.evaluate(node);
      }
    }
    node.visits++;
    for (const [seat, value] of result.entries()) node.total[seat]! += value;
    return result;
  };
  const root = parts.from ?? make(start, undefined, 1);
  if (root.visits === 0) simulate(root);
  parts.rooted?.(root);
  for (let i = 0; i < parts.simulations; i++) simulate(root);
  return root;
}
