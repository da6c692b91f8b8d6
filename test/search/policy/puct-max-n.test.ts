import { describe, expect, it } from "vitest";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { drawDirichlet } from "../../../src/search/policy/dirichlet.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision } from "../../../src/search/search.ts";
import { HashEvaluator, hashGame, hashPrior, type HashState, hashValue } from "../depth-first/hash-game.ts";
import { meanOf, type Node, plainTreeSearch } from "../mcts/mcts-reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const games = Array.from({ length: casesOf(40) }, (_, seed) =>
  hashGame({
    seed,
    players: 1 + (seed % 4),
    branching: 2 + ((5 * seed) % 23),
    depth: 3 + (seed % 6),
    chance: (seed % 3) / 4,
  }),
);

interface PlainOptions {
  readonly simulations: number;
  readonly cBase: number;
  readonly cInit: number;
  readonly noise: { readonly epsilon: number; readonly alpha: number } | null;
  readonly firstPlayReduction: number | null;
  readonly forcedPlayouts: number | null;
  readonly leaves?: number;
  readonly firstPlay?: number;
  readonly rootFirstPlay?: number;
  readonly rootFirstPlayReduction?: number;
  readonly priorTemperature?: number;
  readonly rootPriorTemperature?: number;
}

/** Simulations through a node, with those in flight. */
const started = ({ lost, visits }: Node<HashState>) => visits + lost;

/** Shares in proportion to the numbers to the power 1 / T. */
const softened = (priors: readonly number[], temperature = 1) => {
  const powers = priors.map((prior) => prior ** (1 / temperature));
  return powers.map((power) => Math.fround(power / sum(powers)));
};

const scoreOf = (
  node: Node<HashState>,
  child: Node<HashState>,
  { cBase, cInit }: PlainOptions,
  untried = 0,
) =>
  (child.visits === 0 ? untried : meanOf(child, node.mover)) +
  ((Math.log((1 + started(node) + cBase) / cBase) + cInit) * child.prior * Math.sqrt(started(node))) /
    (1 + started(child));

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0);

const forcedOf = (root: Node<HashState>, child: Node<HashState>, k: number) =>
  Math.sqrt(k * child.prior * sum(root.children.map(started)));

/** The search as its formulas stand, over all actions of every node. */
function plainPuct(
  game: Game<HashState>,
  start: HashState,
  random: Random,
  options: PlainOptions,
  from?: Node<HashState>,
): Node<HashState> {
  const { simulations, noise, firstPlayReduction, forcedPlayouts } = options;
  let root: Node<HashState>;
  /** The root's children in the order in which they were first visited. */
  const order: Node<HashState>[] = [];
  return plainTreeSearch(game, start, random, {
    simulations,
    leaves: options.leaves ?? 1,
    evaluate: (leaf) => {
      const priors = softened(
        leaf.children.map((_, i) => hashPrior(leaf.state, i)),
        options.priorTemperature,
      );
      for (const [i, child] of leaf.children.entries()) child.prior = priors[i]!;
      return leaf.total.map((_, seat) => hashValue(leaf.state, seat));
    },
    rooted: (node) => {
      root = node;
      const { priorTemperature = 1, rootPriorTemperature = priorTemperature } = options;
      const priors = softened(
        node.children.map(({ prior }) => prior),
        rootPriorTemperature / priorTemperature,
      );
      for (const [i, child] of node.children.entries()) child.prior = priors[i]!;
      if (noise === null) return;
      const draws = new Float64Array(node.children.length);
      drawDirichlet(noise.alpha, random, draws);
      for (const [i, child] of node.children.entries())
        child.prior = Math.fround((1 - noise.epsilon) * child.prior + noise.epsilon * draws[i]!);
    },
    select: (node) => {
      if (node === root && forcedPlayouts !== null) {
        const due = order.find((child) => started(child) < forcedOf(root, child, forcedPlayouts));
        if (due !== undefined) return due;
      }
      const mass = sum(node.children.filter((child) => started(child) > 0).map(({ prior }) => prior));
      const reduction =
        firstPlayReduction !== null && node === root && noise !== null ? 0 : firstPlayReduction;
      const mean = node.total[node.mover]! / node.visits;
      const below = (by: number) => ({ flying: mean, untried: mean - by * Math.sqrt(mass) });
      const constant = (value: number) => ({ flying: value, untried: value });
      let { flying, untried } = reduction === null ? constant(options.firstPlay ?? 0) : below(reduction);
      if (node === root && options.rootFirstPlay !== undefined)
        ({ flying, untried } = constant(options.rootFirstPlay));
      if (node === root && options.rootFirstPlayReduction !== undefined)
        ({ flying, untried } = below(options.rootFirstPlayReduction));
      const scores = node.children.map((child) =>
        scoreOf(node, child, options, child.lost > 0 ? flying : untried),
      );
      const chosen = node.children[scores.indexOf(Math.max(...scores))]!;
      if (node === root && started(chosen) === 0) order.push(chosen);
      return chosen;
    },
    ...(from === undefined ? {} : { from }),
  });
}

function agree(decision: Decision<HashState>, root: Node<HashState>): void {
  expect([...decision.visits]).toEqual(root.children.map(({ visits }) => visits));
  for (const [i, child] of root.children.entries())
    expect(decision.actionValues[i]).toBeCloseTo(meanOf(child, root.mover), 9);
}

describe("puct-max-n", () => {
  it("equals the plain search from the same draws: noise, first-play reduction and forced playouts included", () => {
    for (const [seed, game] of games.entries()) {
      const options: PlainOptions = {
        simulations: 150,
        cBase: 50,
        cInit: 3,
        noise: seed % 2 === 0 ? { epsilon: 0.25, alpha: 0.3 } : null,
        firstPlayReduction: seed % 3 === 0 ? 4 : null,
        forcedPlayouts: seed % 5 < 2 ? 2 : null,
      };
      const search = openSearch("puct-max-n", game, { ...options });
      const mine = Random.named("puct", seed);
      const theirs = Random.resume(mine.state());
      const decision = drive(search.search(game.initial(), mine, 0), new HashEvaluator(game));
      const root = plainPuct(game, game.initial(), theirs, options);
      agree(decision, root);
      expect(sum(decision.visits)).toBe(150);
      expect(mine.state()).toEqual(theirs.state());
      expect(decision.learn).toBeUndefined();
      if (options.forcedPlayouts === null) expect(decision.policy).toBeUndefined();
    }
  });

  it("equals the plain search with several leaves in flight, which are backed up in their order", () => {
    let together = 0;
    for (const [seed, game] of games.entries()) {
      const options: PlainOptions = {
        simulations: 97,
        leaves: 2 + (seed % 9),
        cBase: 50,
        cInit: 20,
        noise: seed % 2 === 0 ? { epsilon: 0.25, alpha: 0.3 } : null,
        firstPlayReduction: seed % 3 === 0 ? 4 : null,
        forcedPlayouts: seed % 5 < 2 ? 2 : null,
      };
      const search = openSearch("puct-max-n", game, { ...options });
      expect(search.maxRequest).toBe(options.leaves);
      const mine = Random.named("puct leaves", seed);
      const theirs = Random.resume(mine.state());
      const evaluator = new HashEvaluator(game);
      const decision = drive(search.search(game.initial(), mine, 0), evaluator);
      agree(decision, plainPuct(game, game.initial(), theirs, options));
      expect(sum(decision.visits)).toBe(97);
      expect(mine.state()).toEqual(theirs.state());
      together += evaluator.states / evaluator.requests;
    }
    expect(together / games.length).toBeGreaterThan(2);
  });

  it("equals it with first-play urgencies and prior temperatures of root and tree", () => {
    const variants: readonly Partial<PlainOptions>[] = [
      { firstPlay: 40 },
      { firstPlay: -3, rootFirstPlay: 50 },
      { firstPlayReduction: 5, rootFirstPlay: 25 },
      { rootFirstPlayReduction: 3, noise: { epsilon: 0.25, alpha: 0.3 } },
      { priorTemperature: 2.5 },
      { rootPriorTemperature: 0.5, noise: { epsilon: 0.25, alpha: 0.3 } },
      { priorTemperature: 0.4, rootPriorTemperature: 1.3 },
    ];
    for (const [seed, game] of games.entries()) {
      const options: PlainOptions = {
        simulations: 80,
        cBase: 50,
        cInit: 12,
        noise: null,
        firstPlayReduction: null,
        forcedPlayouts: null,
        ...variants[seed % variants.length],
      };
      const search = openSearch("puct-max-n", game, { ...options });
      const mine = Random.named("settings", seed);
      const theirs = Random.resume(mine.state());
      const decision = drive(search.search(game.initial(), mine, 0), new HashEvaluator(game));
      agree(decision, plainPuct(game, game.initial(), theirs, options));
      expect(mine.state()).toEqual(theirs.state());
    }
  });

  it("refuses a value of untried moves that is given twice", () => {
    for (const twice of [
      { firstPlay: 0, firstPlayReduction: 0.2 },
      { rootFirstPlay: 0, rootFirstPlayReduction: 0.2 },
    ])
      expect(() => openSearch("puct-max-n", games[0]!, twice)).toThrow(/set firstPlay or firstPlayReduction/);
  });

  it("frees the learned policy of the playouts that only force made", () => {
    let freed = 0;
    for (const [seed, game] of games.entries()) {
      const options: PlainOptions = {
        simulations: 200,
        cBase: 50,
        cInit: 20,
        noise: { epsilon: 0.5, alpha: 0.3 },
        firstPlayReduction: null,
        forcedPlayouts: 4,
      };
      const search = openSearch("puct-max-n", game, { ...options });
      const random = Random.named("pruning", seed);
      const plain = Random.resume(random.state());
      const { policy, visits } = drive(search.search(game.initial(), random, 0), new HashEvaluator(game));
      const root = plainPuct(game, game.initial(), plain, options);
      const best = root.children.reduce((a, b) =>
        b.visits > a.visits || (b.visits === a.visits && meanOf(b, root.mover) > meanOf(a, root.mover))
          ? b
          : a,
      );
      const target = scoreOf(root, best, options);
      const wanted = root.children.map((child) => {
        if (child === best) return child.visits;
        const exploration = scoreOf(root, { ...child, visits: 0 }, options);
        const score = (count: number) => meanOf(child, root.mover) + exploration / (1 + count);
        let least = child.visits;
        for (let away = 1; away <= forcedOf(root, child, 4) && away <= child.visits; away++)
          if (score(child.visits - away) < target) least = child.visits - away;
        return least <= 1 ? 0 : least;
      });
      expect([...policy!]).toEqual(wanted);
      expect(sum(wanted)).toBeGreaterThan(0);
      freed += sum(visits) - sum(wanted);
    }
    expect(freed).toBeGreaterThan(casesOf(150));
  });

  it("goes on with the tree below the moves played, and mixes new noise into what has become the root", () => {
    let kept = 0;
    for (const [seed, game] of games.entries()) {
      const options: PlainOptions = {
        simulations: 60,
        cBase: 50,
        cInit: 3,
        noise: seed % 2 === 0 ? { epsilon: 0.25, alpha: 0.3 } : null,
        firstPlayReduction: null,
        forcedPlayouts: null,
        leaves: seed % 4 === 1 ? 5 : 1,
        ...(seed % 3 === 0 ? { priorTemperature: 0.8, rootPriorTemperature: 1.2 } : {}),
      };
      const search = openSearch("puct-max-n", game, { ...options, reuse: true });
      const mine = Random.named("reuse", seed);
      const theirs = Random.resume(mine.state());
      const chance = Random.named("reuse", seed, "chance");
      const evaluator = new HashEvaluator(game);
      const state = game.initial();
      search.begin!(state);
      let node: Node<HashState> | undefined;
      let decisions = 0;
      for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
        let action: number;
        if (mover === CHANCE) action = game.chance!.sample(state, chance);
        else {
          const children = node?.children ?? [];
          if (seed % 4 > 1 && decisions++ % 2 > 0 && children.length > 0)
            // Another search plays here, and makes a move that this one has looked at.
            action = children.indexOf(children.reduce((a, b) => (b.visits > a.visits ? b : a)));
          else {
            if (node !== undefined && node.visits > 0) kept++;
            const decision = drive(search.search(state, mine, 0), evaluator);
            node = plainPuct(game, state, theirs, options, node?.visits === 0 ? undefined : node);
            agree(decision, node);
            action = decision.action;
          }
        }
        search.observe!(state, action);
        // Chance outcomes are numbered as the children are.
        node = node?.children[action];
        game.play(state, action);
      }
      expect(mine.state()).toEqual(theirs.state());
    }
    expect(kept).toBeGreaterThan(casesOf(20));
  });

  it("keeps nothing apart from a game, nor of a game that is over", () => {
    const game = games[7]!;
    const decide = (search: ReturnType<typeof openSearch<HashState>>) =>
      structuredClone(
        drive(search.search(game.initial(), Random.named("apart"), 0), new HashEvaluator(game)),
      );
    const fresh = decide(openSearch("puct-max-n", game, { simulations: 50 }));
    const search = openSearch("puct-max-n", game, { simulations: 50, reuse: true });
    expect(decide(search)).toEqual(fresh);
    expect(decide(search)).toEqual(fresh);
    search.begin!(game.initial());
    expect(decide(search)).toEqual(fresh);
    search.observe!(game.initial(), fresh.action);
    search.begin!(game.initial());
    expect(decide(search)).toEqual(fresh);
  });

  it("searches fully in a share of the decisions only: the others are short, plain, and not for learning", () => {
    const game = hashGame({ seed: 11, players: 3, branching: 12, depth: 5, chance: 0 });
    const loud = { noise: { epsilon: 0.9, alpha: 0.1 }, forcedPlayouts: 2, cInit: 10 };
    const search = openSearch("puct-max-n", game, {
      simulations: 40,
      playoutCap: { fraction: 0.25, simulations: 15 },
      ...loud,
    });
    const plain = drive(
      openSearch("puct-max-n", game, { simulations: 15, cInit: 10 }).search(
        game.initial(),
        Random.named("plain"),
        0,
      ),
      new HashEvaluator(game),
    );
    const random = Random.named("cap");
    const evaluator = new HashEvaluator(game);
    const decisions = casesOf(800);
    let full = 0;
    for (let i = 0; i < decisions; i++) {
      const decision = drive(search.search(game.initial(), random, 0), evaluator);
      if (decision.learn === false) {
        expect(decision.policy).toBeUndefined();
        expect([...decision.visits]).toEqual([...plain.visits]);
        expect(decision.action).toBe(plain.action);
      } else {
        full++;
        expect(sum(decision.visits)).toBe(40);
        expect(decision.policy).toBeDefined();
      }
    }
    expect(Math.abs(full - decisions / 4)).toBeLessThan(4 * Math.sqrt((decisions * 3) / 16));
  });

  it("draws the move in proportion to the visits while the temperature lasts, then takes the most visited", () => {
    const game = hashGame({ seed: 4, players: 2, branching: 6, depth: 5, chance: 0.3 });
    const search = openSearch("puct-max-n", game, {
      simulations: 60,
      cInit: 30,
      temperature: [{ until: 3, value: 1 }, { value: 0 }],
    });
    const random = Random.named("temperature");
    const counts = new Map<number, number>();
    const decide = (decisions: number) =>
      drive(search.search(game.initial(), random, decisions), new HashEvaluator(game));
    // In a tree with chance the visits differ from search to search: their mean is what the draws follow.
    const wanted = new Map<number, number>();
    const draws = casesOf(1500);
    for (let i = 0; i < draws; i++) {
      const { action, actions, visits } = decide(i % 3);
      counts.set(action, (counts.get(action) ?? 0) + 1);
      for (const [k, each] of actions.entries()) wanted.set(each, (wanted.get(each) ?? 0) + visits[k]! / 60);
    }
    expect(counts.size).toBeGreaterThan(1);
    for (const [action, count] of wanted)
      expect(Math.abs((counts.get(action) ?? 0) - count)).toBeLessThan(85 * Math.sqrt(draws / 1500));
    for (let i = 0; i < 20; i++) {
      const { action, actions, visits } = decide(3);
      expect(action).toBe(actions[visits.indexOf(Math.max(...visits))]);
    }
  });
});
