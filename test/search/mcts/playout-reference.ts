import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";

/** A move at a node: whose, which, and the node it leads to once it has been tried. */
interface Branch<S> {
  readonly seat: number;
  readonly action: number;
  node?: PlainNode<S>;
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
  const branchesOf = (node: PlainNode<S>): Branch<S>[] => {
    const mover = game.toMove(node.state);
    if (!layered || mover === me || mover === CHANCE)
      return listed(node.state).map((action) => ({ seat: mover, action }));
    return Array.from({ length: game.players - 1 }, (_, i) => (me + i + 1) % game.players).flatMap((seat) => {
      const turned = copyOf(game, node.state);
      return game.search!.passTo!(turned, seat) ? listed(turned).map((action) => ({ seat, action })) : [];
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
      made.push({ seat: mover, action });
      game.play(state, action);
    }
    const returns = new Float64Array(game.players);
    game.returns(state, returns);
    if (options.payoff === "score") return [...returns];
    const top = Math.max(...returns);
    const winners = returns.filter((each) => each === top).length;
    return Array.from(returns, (each) => (each < top ? 0 : options.payoff === "win" ? 1 : 1 / winners));
  };
  const simulate = (node: PlainNode<S>, made: Branch<S>[]): number[] => {
    const mover = game.toMove(node.state);
    const expands = mover === CHANCE || node.visits >= (node === root ? 1 : options.expansion);
    if (node.branches.length === 0 && mover !== OVER && expands) node.branches = branchesOf(node);
    let payoffs: number[];
    if (node.branches.length === 0) payoffs = playOut(node.state, made);
    else {
      let branch: Branch<S>;
      if (mover === CHANCE) {
        const outcome = game.chance!.sample(node.state, random);
        branch = node.branches.find(({ action }) => action === outcome)!;
      } else {
        branch = select(node);
        made.push(branch);
      }
      branch.node ??= makeNode(game, after(node.state, branch));
      payoffs = simulate(branch.node, made);
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
