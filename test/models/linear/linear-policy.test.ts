import { describe, expect, it } from "vitest";
import { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { guidedPlayouts, impartialGuide } from "../../../src/games/guided-playouts.ts";
import { type StateTicTacToe, ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { LinearPolicy } from "../../../src/models/linear/softmax-policy.ts";
import { linearPolicy } from "../../../src/models/linear/linear-policy.ts";
import { type LearnerOptions, tablesBuffer } from "../../../src/models/tables.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { PlayoutPolicy } from "../../../src/search/playouts/playout-policy.ts";

const game = new GameDaihinmin({ games: 1, virtualRanks: true });
const { names, perMove } = game.linear.moveFeatures;
const open = linearPolicy.open(game, {});

const options = (replays: number, rate = 0.3): LearnerOptions => ({
  lambda: 1,
  step: { use: "td", rate },
  replays,
});

/** A policy on weights of its own, drawn from the standard normal distribution times `scale`. */
function policyOf(scale: number) {
  const tables = open.load(new Map());
  const weights = new Float64Array(tablesBuffer(tables));
  const random = Random.named("weights");
  for (let i = 0; i < weights.length; i++) weights[i] = scale * random.normal();
  return { tables, policy: new LinearPolicy(game, tables) };
}

/** The probabilities of the legal moves, move by move and feature by feature. */
function probabilities(state: ReturnType<typeof game.initial>, weights: ArrayLike<number>) {
  const actions = new Int32Array(game.maxLegal);
  const rows = new Int32Array(game.maxLegal * perMove);
  const count = game.legal(state, actions);
  game.linear.moveFeatures.write(state, actions, count, rows);
  const phi = Array.from({ length: count }, (_, i) => {
    const counts = new Map<number, number>();
    for (const feature of rows.subarray(i * perMove, (i + 1) * perMove))
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
    return counts;
  });
  const odds = phi.map((row) => Math.exp([...row].reduce((sum, [i, n]) => sum + n * weights[i]!, 0)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return { actions: actions.slice(0, count), phi, pi: odds.map((odd) => odd / total) };
}

/** Plays on from a state by the policy; tells every decision. */
function playOut(
  state: ReturnType<typeof game.initial>,
  policy: LinearPolicy<ReturnType<typeof game.initial>>,
  random: Random,
  each: (mover: number, action: number) => void,
) {
  for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
    if (mover === CHANCE) {
      game.play(state, game.chance.sample(state, random));
      continue;
    }
    const action = policy.draw(state, random);
    each(mover, action);
    game.play(state, action);
  }
}

describe("a linear softmax policy", () => {
  it("draws by exp(theta . phi), the moves in the order of the rules", () => {
    const { policy } = policyOf(1);
    const random = Random.named("draws");
    let choices = 0;
    for (let deal = 0; deal < 5; deal++) {
      const state = game.initial();
      for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
        if (mover === CHANCE) {
          game.play(state, game.chance.sample(state, random));
          continue;
        }
        const { actions, pi } = probabilities(state, policy.weights);
        const before = Random.resume(random.state());
        const index = policy.drawIndex(state, random);
        expect(policy.count).toBe(actions.length);
        if (actions.length === 1) expect(random.state()).toEqual(before.state());
        else {
          choices++;
          for (const [i, p] of pi.entries()) expect(policy.odds[i]! / policy.total).toBeCloseTo(p, 12);
          const draw = before.float();
          const below = pi.slice(0, index).reduce((sum, p) => sum + p, 0);
          expect(draw).toBeGreaterThanOrEqual(below - 1e-12);
          expect(draw).toBeLessThan(below + pi[index]! + 1e-12);
        }
        game.play(state, actions[index]!);
      }
    }
    expect(choices).toBeGreaterThan(100);
  });

  it("is uniform before learning, and never overflows", () => {
    const state = game.initial();
    const random = Random.named("deal");
    while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    const { policy } = policyOf(0);
    policy.draw(state, random);
    expect(new Set(policy.odds.subarray(0, policy.count))).toEqual(new Set([1]));
    policy.weights.fill(1000);
    policy.draw(state, random);
    expect(policy.total).toBe(policy.count);
  });

  it("keeps its weights in a checkpoint, and refuses others", () => {
    const { tables, policy } = policyOf(1);
    const saved = new Map([...open.save(tables)].map(([name, { data }]) => [name, data]));
    expect(new Float64Array(tablesBuffer(open.load(saved)))).toEqual(policy.weights);
    expect(() => open.load(new Map([["weights", new Float64Array(3)]]))).toThrow(
      `the array weights of ${names.length} numbers`,
    );
  });

  it("needs a game that names features of its moves, and a stage of its own to learn", () => {
    expect(() => linearPolicy.open(ticTacToe, {})).toThrow("names no features of its moves");
    const { replays: _, ...td } = options(8);
    expect(open.refusal(td, false)).toMatchObject({ key: "net" });
    expect(open.refusal(options(8), false)).toBeUndefined();
  });
});

describe("a linear policy of a game that names the moves that it chooses from", () => {
  // Tic-tac-toe: the middle if it is free, otherwise all moves; a feature for each cell.
  const narrow: Game<StateTicTacToe> = {
    ...ticTacToe,
    linear: {
      moveFeatures: {
        count: 9,
        names: Array.from({ length: 9 }, (_, cell) => `cell ${cell}`),
        perMove: 1,
        write: (_state, actions, moves, out) => out.set(actions.subarray(0, moves)),
        moves(state, out) {
          if (state.cells[4] !== 0) return ticTacToe.legal(state, out);
          out[0] = 4;
          return 1;
        },
      },
      playoutsBy: (weights) => (state, _random, recorder) => {
        // The cell with the greatest weight first.
        for (const cell of [...weights.keys()].toSorted((a, b) => weights[b]! - weights[a]!)) {
          if (state.toMove === OVER || state.cells[cell] !== 0) continue;
          recorder?.add(state.toMove, cell);
          ticTacToe.play(state, cell);
        }
      },
    },
  };
  const tables = new SharedArrayBuffer(72);

  it("draws from those moves", () => {
    const policy = new LinearPolicy(narrow, tables);
    const random = Random.named("narrow");
    const state = ticTacToe.initial();
    expect(policy.draw(state, random)).toBe(4);
    expect(random.state()).toEqual(Random.named("narrow").state());
    ticTacToe.play(state, 4);
    policy.draw(state, random);
    expect([...policy.actions.subarray(0, policy.count)]).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
  });

  it("guides playouts: whole ones where each move follows it, else move by move", () => {
    const weights = new Float64Array(tables);
    weights.set([0, 9, 8, 7, 6, 5, 4, 3, 2]);
    const guided = guidedPlayouts(narrow, () => new LinearPolicy(narrow, tables));
    const random = Random.named("guided");
    const greedy = new PlayoutPolicy(guided, 0);
    greedy.play(ticTacToe.initial(), random);
    expect([...greedy.keys.subarray(0, greedy.length)].map((key) => key % 9)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(random.state()).toEqual(Random.named("guided").state());
    const mixed = new PlayoutPolicy(guided, 0.5);
    mixed.play(ticTacToe.initial(), random);
    expect(random.state()).not.toEqual(Random.named("guided").state());
    expect(
      guidedPlayouts(ticTacToe, () => ({ draw: () => 0, relativeOdds: () => {} })).playouts,
    ).not.toHaveProperty("finishPreferred");
  });

  it("gives the odds of all legal moves relative to the likeliest, 0 for those that it leaves out", () => {
    const weights = new Float64Array(tables);
    weights.set([0, 1, 2, 3, 4, 3, 2, 1, 0]);
    const { policy } = guidedPlayouts(narrow, () => new LinearPolicy(narrow, tables)).search!.movePriors!;
    const state = ticTacToe.initial();
    const actions = new Int32Array(9);
    const odds = new Float64Array(9);
    policy!(state, actions, ticTacToe.legal(state, actions), odds);
    expect([...odds]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
    ticTacToe.play(state, 4);
    policy!(state, actions, ticTacToe.legal(state, actions), odds);
    for (const [i, weight] of [0, 1, 2, 3, 3, 2, 1, 0].entries())
      expect(odds[i]).toBeCloseTo(Math.exp(weight - 3), 12);
  });

  it("plays: a draw from the policy, sharper or flatter by temperature, or the likeliest move", () => {
    const weights = new Float64Array(tables);
    weights.set([0, 1, 2, 0, 0, 0, 0, 0, 0]);
    const guided = guidedPlayouts(narrow, () => new LinearPolicy(narrow, tables));
    const state = ticTacToe.initial();
    ticTacToe.play(state, 4);
    const share = (temperature: number, games: number) => {
      const search = openSearch("preferred", guided, { temperature });
      const counts = new Float64Array(9);
      const random = Random.named("shares", temperature);
      for (let i = 0; i < games; i++)
        counts[drive(search.search(state, random, 0), { evaluate: () => {} }).action]!++;
      return counts.map((count) => count / games);
    };
    expect([...share(0, 5)]).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for (const temperature of [0.5, 1, 2]) {
      const odds = [0, 1, 2, 0, 0, 0, 0, 0].map((weight) => Math.exp(weight / temperature));
      const total = odds.reduce((sum, odd) => sum + odd, 0);
      const found = share(temperature, 3000);
      // Five standard deviations of the greatest variance.
      for (const move of [0, 1, 2]) expect(Math.abs(found[move]! - odds[move]! / total)).toBeLessThan(0.046);
    }
    expect(() => openSearch("preferred", narrow, { temperature: 0 })).toThrow(/needs the policy of a net/);
  });

  it("gives priors to a search, which a policy that has not been read gives too", () => {
    const options = { simulations: 20, epsilon: 0, prior: { of: "policy", visits: 4 } };
    for (const guide of [() => new LinearPolicy(narrow, tables), () => impartialGuide(narrow)]) {
      const guided = guidedPlayouts(ticTacToe, guide);
      const decision = drive(
        openSearch("uct", guided, options).search(ticTacToe.initial(), Random.named("priors"), 0),
        { evaluate: () => {} },
      );
      expect(decision.visits.reduce((sum, n) => sum + n, 0)).toBe(20);
    }
    expect(() => openSearch("uct", narrow, options)).toThrow(/no prior "policy"/);
  });
});

describe("learning it by policy gradients", () => {
  it.each(["score", "share"] as const)("takes the steps of the formula, where games pay the %s", (payoff) => {
    const replays = 3;
    const { tables, policy } = policyOf(0.3);
    const theta = Float64Array.from(policy.weights);
    const squares = new Float64Array(theta.length);
    const learner = open.learner(tables, { ...options(replays), payoff });
    for (let deal = 0; deal < 4; deal++) {
      // The same draws, by a policy that is not learned, with what is learned from them added up decision by decision.
      const random = Random.named("learn", deal);
      const { policy: frozen } = policyOf(0);
      frozen.weights.set(theta);
      const start = game.initial();
      while (game.toMove(start) === CHANCE) game.play(start, game.chance.sample(start, random));
      const scores = Array.from({ length: replays }, () => game.initial()).map((state) => {
        game.copy(start, state);
        const bySeat = Array.from({ length: 5 }, () => new Float64Array(theta.length));
        const mirror = game.initial();
        game.copy(start, mirror);
        playOut(state, frozen, random, (mover, action) => {
          while (game.toMove(mirror) === CHANCE) throw new Error("chance after the deal");
          const { actions, phi, pi } = probabilities(mirror, theta);
          if (actions.length > 1)
            for (const [i, row] of phi.entries())
              for (const [feature, n] of row)
                bySeat[mover]![feature]! += n * ((actions[i] === action ? 1 : 0) - pi[i]!);
          game.play(mirror, action);
        });
        const returns = new Float64Array(5);
        game.returns(state, returns);
        // The first place alone wins.
        const payoffs = payoff === "score" ? returns : returns.map((place) => (place === 1 ? 1 : 0));
        return { bySeat, returns, payoffs };
      });
      const g = new Float64Array(theta.length);
      for (const [k, { bySeat, payoffs }] of scores.entries())
        for (let seat = 0; seat < 5; seat++) {
          const others = scores.filter((_, other) => other !== k).map((score) => score.payoffs[seat]!);
          const advantage = payoffs[seat]! - others.reduce((sum, earned) => sum + earned, 0) / others.length;
          for (let i = 0; i < g.length; i++) g[i]! += (advantage * bySeat[seat]![i]!) / replays;
        }
      for (let i = 0; i < g.length; i++) {
        squares[i]! += g[i]! ** 2;
        theta[i]! += (0.3 * g[i]!) / Math.sqrt(squares[i]! + 1e-8);
      }
      const learned = learner.playGame(Random.named("learn", deal));
      expect(learned.returns).toEqual([...scores.at(-1)!.returns]);
      for (let i = 0; i < theta.length; i++) expect(policy.weights[i]).toBeCloseTo(theta[i]!, 9);
      theta.set(policy.weights);
    }
  });

  it("goes on from what it has saved as if it had not stopped, and records whole games", () => {
    const { tables } = policyOf(0);
    const learner = open.learner(tables, options(2));
    for (let deal = 0; deal < 3; deal++) learner.playGame(Random.named("deal", deal));
    const copy = open.load(new Map([...open.save(tables)].map(([name, { data }]) => [name, data])));
    const again = open.learner(copy, options(2));
    again.restore(new Map([...learner.state()].map(([name, { data }]) => [name, data])));
    const first = learner.playGame(Random.named("deal", 3));
    expect(again.playGame(Random.named("deal", 3))).toEqual(first);
    expect(new Float64Array(tablesBuffer(copy))).toEqual(new Float64Array(tablesBuffer(tables)));
    const state = game.initial();
    let decisions = 0;
    for (const action of learner.actions) {
      if (game.toMove(state) !== CHANCE) decisions++;
      game.play(state, action);
    }
    expect(game.toMove(state)).toBe(OVER);
    expect(learner.values.length).toBe(5 * decisions);
    expect(learner.actions.length).toBe(first.plies);
  });

  it("learns from nothing to beat random players", () => {
    const { tables, policy } = policyOf(0);
    const learner = open.learner(tables, options(4));
    for (let deal = 0; deal < 120; deal++) learner.playGame(Random.named("deal", deal));
    const random = Random.named("judge");
    const games = 200;
    let earned = 0;
    for (let number = 0; number < games; number++) {
      const state = game.initial();
      const returns = new Float64Array(5);
      for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
        if (mover === CHANCE) game.play(state, game.chance.sample(state, random));
        else if (mover === number % 5) game.play(state, policy.draw(state, random));
        else game.play(state, game.playouts.uniform(state, random));
      }
      game.returns(state, returns);
      earned += returns[number % 5]! / games;
    }
    // Five alike earn .5 each, with a standard error of .025.
    expect(earned).toBeGreaterThan(0.6);
  });
});
