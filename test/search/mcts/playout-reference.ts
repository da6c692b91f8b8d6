import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";

/** A move at a node: whose, which, and the node it leads to once it has been tried. */
interface Branch<S> {
  readonly seat: number;
  readonly action: number;
  node?: PlainNode<S>;
  /** The prior value; the AMAF statistics; whether progressive widening has come to the move. */
  prior: number;
  readonly amaf: { sum: number; times: number };
  considered: boolean;
}

/** A node of the plain tree. */
export interface PlainNode<S> {
  readonly state: S;
  visits: number;
  readonly total: number[];
  branches: Branch<S>[];
}

/** The settings of a plain search, as the searches' options name them. */
export interface PlainOptions {
  readonly tree: "max-n" | "paranoid" | "best-reply";
  readonly simulations: number;
  readonly exploration: number;
  readonly progressiveHistory: number;
  readonly epsilon: number;
  readonly payoff: "win" | "share" | "score";
  readonly expansion: number;
  readonly rave?:
    | { readonly use: "equivalence"; readonly k: number }
    | { readonly use: "bias"; readonly b: number }
    | null;
  readonly prior?: { readonly of: string; readonly visits: number; readonly temperature?: number } | null;
  readonly widening?: { readonly simulations: number; readonly growth: number } | null;
  readonly firstPlay?: number | null;
}

/** Statistics of moves by seat and action. */
export type PlainHistory = Map<string, { sum: number; times: number }>;

/**
 * Monte Carlo tree search by playouts, written as plainly as it can be: a state in every node, recursion, sums, every
 * formula as it stands in the source. Goes on from `root` where one is given.
 */
export function plainPlayoutSearch<S>(
  game: Game<S>,
  start: S,
  random: Random,
  options: PlainOptions,
  history: PlainHistory = new Map(),
  root: PlainNode<S> = makeNode(game, start),
): PlainNode<S> {
  const me = game.toMove(start);
  const hostile = options.tree !== "max-n";
  const layered = options.tree === "best-reply" && game.players > 2;
  const utility = (payoffs: readonly number[], seat: number) =>
    hostile && seat !== me ? 1 - payoffs[me]! : payoffs[seat]!;
  const listed = (state: S) => {
    const out = new Int32Array(game.maxLegal);
    return [...out.subarray(0, game.legal(state, out))];
  };
  const { rave = null, prior = null, widening = null, firstPlay = null } = options;
  const branch = (seat: number, action: number): Branch<S> => ({
    seat,
    action,
    prior: 0,
    amaf: { sum: 0, times: 0 },
    considered: widening === null,
  });
  const branchesOf = (node: PlainNode<S>): Branch<S>[] => {
    const mover = game.toMove(node.state);
    if (!layered || mover === me || mover === CHANCE)
      return listed(node.state).map((action) => branch(mover, action));
    return Array.from({ length: game.players - 1 }, (_, i) => (me + i + 1) % game.players).flatMap((seat) => {
      const turned = copyOf(game, node.state);
      return game.search!.passTo!(turned, seat) ? listed(turned).map((action) => branch(seat, action)) : [];
    });
  };
  const after = (state: S, { seat, action }: Branch<S>): S => {
    const next = copyOf(game, state);
    if (layered && seat !== me && seat !== CHANCE) game.search!.passTo!(next, seat);
    game.play(next, action);
    if (layered && seat !== me && game.toMove(next) >= 0) game.search!.passTo!(next, me);
    return next;
  };
  const meanOf = ({ seat, action }: Branch<S>) => {
    const past = history.get(`${seat}/${action}`);
    return past === undefined ? 0 : past.sum / past.times;
  };
  const select = (node: PlainNode<S>): Branch<S> => {
    const fresh = node.branches.filter((branch) => branch.node === undefined);
    if (fresh.length > 0) {
      const top = options.progressiveHistory > 0 ? Math.max(...fresh.map(meanOf)) : 0;
      const equal = options.progressiveHistory > 0 ? fresh.filter((branch) => meanOf(branch) === top) : fresh;
      return equal[random.below(equal.length)]!;
    }
    const mover = game.toMove(node.state);
    // Multiplied in the order of the code under test, so that what is equal there is equal here.
    const exploration = options.exploration * Math.sqrt(Math.log(node.visits));
    const scores = node.branches.map((branch) => {
      const { visits, total } = branch.node!;
      const w = hostile && mover !== me ? visits - total[me]! : total[mover]!;
      return (
        w / visits +
        exploration * (1 / Math.sqrt(visits)) +
        (options.progressiveHistory > 0
          ? meanOf(branch) * (options.progressiveHistory / (visits - w + 1))
          : 0)
      );
    });
    return node.branches[scores.indexOf(Math.max(...scores))]!;
  };
  /** The formula of RAVE with priors, as in the doc of the code under test; of equal moves a draw takes one. */
  const selectByRave = (node: PlainNode<S>): Branch<S> => {
    const mover = game.toMove(node.state);
    if (widening !== null)
      for (
        let n = node.branches.filter(({ considered }) => considered).length;
        n < node.branches.length;
        n++
      ) {
        let needed = 0;
        for (let i = 0; i < n; i++) needed += widening.simulations * widening.growth ** i;
        if (node.visits < needed - 1e-9) break;
        const left = node.branches.filter(({ considered }) => !considered);
        const top = Math.max(...left.map((each) => each.prior));
        const equal = left.filter((each) => each.prior === top);
        (equal.length === 1 ? equal[0]! : equal[random.below(equal.length)]!).considered = true;
      }
    const candidates = node.branches.filter(({ considered }) => considered);
    // Multiplied in the order of the code under test, so that what is equal there is equal here.
    const scores = candidates.map((each) => {
      const visits = each.node?.visits ?? 0;
      const total = each.node?.total ?? [];
      const sum = visits === 0 ? 0 : hostile && mover !== me ? visits - total[me]! : total[mover]!;
      const virtual = prior?.visits ?? 0;
      const n = visits + virtual;
      const m = each.amaf.times + virtual;
      const q = (sum + virtual * each.prior) / n;
      const later = (each.amaf.sum + virtual * each.prior) / m;
      const beta =
        rave === null
          ? 0
          : rave.use === "equivalence"
            ? Math.sqrt(rave.k / (3 * node.visits + rave.k))
            : m / (n + m + 4 * rave.b * rave.b * n * m);
      const mixed =
        rave !== null && n > 0 && m > 0
          ? (1 - beta) * q + beta * later
          : n > 0
            ? q
            : rave !== null && m > 0
              ? later
              : (firstPlay ?? Infinity);
      return (
        mixed +
        (options.exploration * Math.sqrt(Math.log(node.visits))) / Math.sqrt(Math.max(visits, 1)) +
        (options.progressiveHistory > 0
          ? meanOf(each) * (options.progressiveHistory / (visits - sum + 1))
          : 0)
      );
    });
    const top = Math.max(...scores);
    const equal = candidates.filter((_, i) => scores[i] === top);
    return equal.length === 1 ? equal[0]! : equal[random.below(equal.length)]!;
  };
  const playOut = (from: S, made: Branch<S>[]): number[] => {
    const state = copyOf(game, from);
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      if (mover === CHANCE) {
        game.play(state, game.chance!.sample(state, random));
        continue;
      }
      let choices = listed(state);
      if (game.search?.preference !== undefined) {
        const { epsilon } = options;
        const uniform = epsilon === 1 || (epsilon > 0 && random.uint32() < epsilon * 2 ** 32);
        const top = Math.max(...choices.map(game.search.preference));
        if (!uniform) choices = choices.filter((action) => game.search!.preference!(action) === top);
      }
      const action = choices[random.below(choices.length)]!;
      made.push(branch(mover, action));
      game.play(state, action);
    }
    const returns = new Float64Array(game.players);
    game.returns(state, returns);
    if (options.payoff === "score") return [...returns];
    const top = Math.max(...returns);
    const winners = returns.filter((each) => each === top).length;
    return Array.from(returns, (each) => (each < top ? 0 : options.payoff === "win" ? 1 : 1 / winners));
  };
  const plain = rave === null && prior === null && widening === null && firstPlay === null;
  const simulate = (node: PlainNode<S>, made: Branch<S>[]): number[] => {
    const mover = game.toMove(node.state);
    const expands = mover === CHANCE || node.visits >= (node === root ? 1 : options.expansion);
    if (node.branches.length === 0 && mover !== OVER && expands) {
      node.branches = branchesOf(node);
      const values = node.branches.map(({ action }) => game.search?.preference?.(action) ?? 0);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      for (const [i, each] of node.branches.entries())
        each.prior =
          prior === null
            ? 0
            : (most > least ? (values[i]! - least) / (most - least) : 0.5) ** (1 / (prior.temperature ?? 1));
    }
    let payoffs: number[];
    if (node.branches.length === 0) payoffs = playOut(node.state, made);
    else {
      let chosen: Branch<S>;
      if (mover === CHANCE) {
        const outcome = game.chance!.sample(node.state, random);
        chosen = node.branches.find(({ action }) => action === outcome)!;
      } else {
        chosen = plain ? select(node) : selectByRave(node);
        made.push(chosen);
      }
      const from = made.length - 1;
      chosen.node ??= makeNode(game, after(node.state, chosen));
      payoffs = simulate(chosen.node, made);
      if (rave !== null && mover !== CHANCE)
        for (const { seat, action, amaf } of node.branches) {
          if (!made.slice(from).some((move) => move.seat === seat && move.action === action)) continue;
          amaf.sum += utility(payoffs, mover);
          amaf.times++;
        }
    }
    node.visits++;
    for (const [seat, payoff] of payoffs.entries()) node.total[seat]! += payoff;
    return payoffs;
  };
  for (let done = root.visits === 0 ? -1 : 0; done < options.simulations; done++) {
    const made: Branch<S>[] = [];
    const payoffs = simulate(root, made);
    for (const { seat, action } of made) {
      const key = `${seat}/${action}`;
      const { sum, times } = history.get(key) ?? { sum: 0, times: 0 };
      history.set(key, { sum: sum + utility(payoffs, seat), times: times + 1 });
    }
  }
  return root;
}

function makeNode<S>(game: Game<S>, state: S): PlainNode<S> {
  return {
    state: copyOf(game, state),
    visits: 0,
    total: Array.from({ length: game.players }, () => 0),
    branches: [],
  };
}

function copyOf<S>(game: Game<S>, state: S): S {
  const copy = game.initial();
  game.copy(state, copy);
  return copy;
}
