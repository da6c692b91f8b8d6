import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";

/** A node of the plain tree: sums over all the returns that passed through it. */
export interface Node<S> {
  readonly state: S;
  readonly mover: number;
  readonly reward: number[];
  prior: number;
  visits: number;
  /** Simulations through the node that are in flight. */
  lost: number;
  /** Whether it is a leaf in flight. */
  pending: boolean;
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
    /** The greatest number of simulations in flight; 1 where absent. */
    readonly leaves?: number;
    /** Whether the next simulation starts only when none is in flight. */
    readonly awaitsAll?: () => boolean;
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
      lost: 0,
      pending: false,
      total: Array.from(before, () => 0),
      children: [],
    };
  };
  /** A simulation; it stops at its leaf until that is evaluated, and at the leaf of another one until that is. */
  function* simulation(): Generator<"leaf" | "waits", void> {
    const path = [root];
    function* stop(reason: "leaf" | "waits") {
      for (const node of path) node.lost++;
      yield reason;
      for (const node of path) node.lost--;
    }
    let result: number[];
    for (;;) {
      const node = path.at(-1)!;
      if (node.pending) yield* stop("waits");
      if (node.mover === OVER) {
        yield* stop("leaf");
        result = node.total.map(() => 0);
        break;
      }
      const actions = new Int32Array(game.maxLegal);
      const probabilities = new Float64Array(game.maxLegal);
      if (node.mover === CHANCE) {
        if (node.children.length === 0) {
          const count = game.chance!.outcomes(node.state, actions, probabilities);
          for (let i = 0; i < count; i++) node.children.push(make(node.state, actions[i], probabilities[i]!));
        }
        let left = random.float();
        path.push(node.children.find((child) => (left -= child.prior) < 0) ?? node.children.at(-1)!);
      } else if (node.children.length > 0) path.push(parts.select(node));
      else {
        const count = game.legal(node.state, actions);
        for (let i = 0; i < count; i++) node.children.push(make(node.state, actions[i], 0));
        node.pending = true;
        yield* stop("leaf");
        node.pending = false;
        result = parts.evaluate(node);
        break;
      }
    }
    for (const node of path.toReversed()) {
      node.visits++;
      for (const [seat, value] of result.entries()) node.total[seat]! += value;
      result = result.map((value, seat) => value + node.reward[seat]!);
    }
  }
  const root = parts.from ?? make(start, undefined, 1);
  if (root.visits === 0) for (const _ of simulation());
  parts.rooted?.(root);
  const { leaves = 1, simulations } = parts;
  let waiting: ReturnType<typeof simulation>[] = [];
  for (let done = 0; done < simulations;) {
    const atLeaf: typeof waiting = [];
    const stillWaiting: typeof waiting = [];
    const advance = (each: (typeof waiting)[number]) =>
      (each.next().value === "leaf" ? atLeaf : stillWaiting).push(each);
    waiting.forEach(advance);
    let inFlight = waiting.length;
    for (; inFlight < Math.min(leaves, simulations - done); inFlight++) {
      if (inFlight > 0 && parts.awaitsAll?.() === true) break;
      advance(simulation());
    }
    for (const each of atLeaf) each.next();
    done += atLeaf.length;
    waiting = stillWaiting;
  }
  return root;
}
