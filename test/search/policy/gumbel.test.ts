import { describe, expect, it } from "vitest";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { completeOptions } from "../../../src/options.ts";
import { noNets } from "../../../src/search/definition.ts";
import { createSearch, openSearch, searches } from "../../../src/search/registry.ts";
import { gumbel, logDrawn } from "../../../src/search/policy/gumbel.ts";
import { sequentialHalving } from "../../../src/search/policy/sequential-halving.ts";
import { plainGumbel } from "./gumbel-reference.ts";
import { HashEvaluator, hashGame, type HashState } from "../depth-first/hash-game.ts";
import { meanOf, type Node } from "../mcts/mcts-reference.ts";
import { casesOf } from "../../number-of-cases.ts";

describe("sequential halving", () => {
  it("visits all equally often, then half of them, down to two", () => {
    expect([...sequentialHalving(4, 16)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect([...sequentialHalving(3, 8)]).toEqual([0, 0, 0, 1, 1, 2, 2, 3]);
    expect([...sequentialHalving(1, 4)]).toEqual([0, 1, 2, 3]);
    expect([...sequentialHalving(8, 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("gives 16 actions 1, 2, 4 and 8 visits in the four phases of 64 simulations", () => {
    const plan = [...sequentialHalving(16, 64)];
    expect(plan).toHaveLength(64);
    const having = (count: number) => plan.filter((each) => each === count).length;
    expect(Array.from({ length: 16 }, (_, count) => having(count))).toEqual([
      16, 8, 8, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 0,
    ]);
  });
});

describe("gumbel", () => {
  it("equals the plain search from the same draws: visits, values, policy and move", () => {
    for (let seed = 0; seed < casesOf(60); seed++) {
      const game = hashGame({
        seed,
        players: 1 + (seed % 4),
        branching: 2 + ((7 * seed) % 25),
        depth: 2 + (seed % 6),
        chance: (seed % 3) / 5,
      });
      const options = {
        simulations: 1 + ((13 * seed) % 150),
        considered: 1 + ((5 * seed) % 20),
        cVisit: seed % 2 === 0 ? 50 : 5,
        cScale: seed % 5 === 0 ? 0.1 : 1,
        range: seed % 7 === 6 ? ("completed" as const) : 40,
        target: (["completed", "tried", "tried-unweighted"] as const)[seed % 3]!,
        // Every second game with several leaves in flight.
        leaves: seed % 2 === 0 ? 1 : 1 + (seed % 12),
      };
      const temperature = [1, 1, 0.5, 0][seed % 4]!;
      const search = openSearch("gumbel", game, { ...options, temperature: [{ value: temperature }] });
      const mine = Random.named("gumbel", seed);
      const theirs = Random.resume(mine.state());
      const decision = drive(search.search(game.initial(), mine, 0), new HashEvaluator(game));
      const { root, index, policy } = plainGumbel(game, game.initial(), theirs, { ...options, temperature });
      expect([...decision.visits], `seed ${seed}`).toEqual(root.children.map(({ visits }) => visits));
      for (const [i, child] of root.children.entries())
        expect(decision.actionValues[i]).toBeCloseTo(meanOf(child, root.mover), 9);
      expect(decision.action).toBe(decision.actions[index]);
      for (const [seat, value] of decision.values.entries())
        expect(value).toBeCloseTo(meanOf(root.children[index]!, seat), 9);
      const sum = decision.policy!.reduce((a, b) => a + b, 0);
      for (const [i, share] of policy.entries()) expect(decision.policy![i]! / sum).toBeCloseTo(share, 6);
      expect(mine.state()).toEqual(theirs.state());
    }
  });

  it("has its target over the moves tried where they are an eighth of the legal ones at most, unless told otherwise", () => {
    const game = hashGame({ seed: 3, players: 2, branching: 24, depth: 4, chance: 0 });
    const taught = (options: Readonly<Record<string, unknown>>) => {
      const search = openSearch("gumbel", game, { range: 40, ...options });
      const decision = drive(
        search.search(game.initial(), Random.named("taught"), 0),
        new HashEvaluator(game),
      );
      return decision.policy!.filter((share) => share > 0).length;
    };
    expect(taught({ simulations: 20, considered: 2 })).toBe(2);
    expect(taught({ simulations: 20, considered: 3 })).toBe(21);
    expect(taught({ simulations: 2, considered: 16 })).toBe(2);
    expect(taught({ simulations: 20, considered: 2, target: "completed" })).toBe(21);
    expect(taught({ simulations: 20, considered: 4, target: "tried" })).toBe(4);
  });

  it("goes on with the tree below the moves played: N and Q of all simulations, halving by the new ones", () => {
    let kept = 0;
    for (let seed = 0; seed < casesOf(30); seed++) {
      const game = hashGame({ seed, players: 2, branching: 9, depth: 7, chance: (seed % 2) / 8, ends: 0 });
      const options = {
        simulations: 24,
        considered: 6,
        cVisit: 5,
        cScale: 1,
        range: 40,
        leaves: 1 + (seed % 5),
      };
      const search = openSearch("gumbel", game, { ...options, reuse: true });
      const mine = Random.named("gumbel reuse", seed);
      const theirs = Random.resume(mine.state());
      const estimates = new Map<Node<HashState>, number>();
      const state = game.initial();
      search.begin!(state);
      let node: Node<HashState> | undefined;
      for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
        let action = 0;
        if (mover !== CHANCE) {
          const from = node === undefined || node.visits === 0 ? {} : { from: node };
          if ("from" in from) kept++;
          const decision = drive(search.search(state, mine, 0), new HashEvaluator(game));
          const plain = plainGumbel(game, state, theirs, { ...options, temperature: 1, estimates, ...from });
          node = plain.root;
          expect([...decision.visits]).toEqual(node.children.map(({ visits }) => visits));
          expect(decision.action).toBe(decision.actions[plain.index]);
          const sum = decision.policy!.reduce((a, b) => a + b, 0);
          for (const [i, share] of plain.policy.entries())
            expect(decision.policy![i]! / sum).toBeCloseTo(share, 6);
          ({ action } = decision);
        }
        search.observe!(state, action);
        node = node?.children[action];
        game.play(state, action);
      }
      expect(mine.state()).toEqual(theirs.state());
    }
    expect(kept).toBeGreaterThan(casesOf(60));
  });

  it("samples moves by their priors where values count for nothing, and takes the likeliest at temperature 0", () => {
    const game = hashGame({ seed: 8, players: 2, branching: 6, depth: 4, chance: 0 });
    const priors = [0.4, 0.05, 0.2, 0.1, 0.2, 0.05];
    const state = { ...game.initial(), path: 6 };
    const random = Random.named("sampling");
    const temperature = [{ until: 2, value: 1 }];
    const search = openSearch("gumbel", game, { simulations: 4, considered: 6, range: 1e12, temperature });
    const decide = (decisions: number) =>
      drive(search.search(state, random, decisions), {
        evaluate: ({ values, priors: out }) => {
          values.fill(0);
          out!.set(priors);
        },
      });
    const { length } = decide(0).actions;
    expect(length).toBeGreaterThan(3);
    const mass = priors.slice(0, length).reduce((a, b) => a + b, 0);
    const counts = priors.map(() => 0);
    for (let i = 0; i < 6000; i++) counts[decide(i % 2).action]!++;
    for (let i = 0; i < length; i++)
      expect(Math.abs(counts[i]! / 6000 - priors[i]! / mass)).toBeLessThan(0.025);
    for (let i = 0; i < 20; i++) expect(decide(2).action).toBe(0);
  });

  it("weighs a move that was drawn by the inverse of the probability that it is: on average every move counts once", () => {
    const random = Random.named("drawn");
    const logits = [0.5, 0.25, 0.12, 0.08, 0.04, 0.01].map(Math.log);
    const counts = logits.map(() => 0);
    const draws = 40_000;
    for (const temperature of [1, 2]) {
      counts.fill(0);
      for (let i = 0; i < draws; i++) {
        const scores = logits.map((each) => each - temperature * Math.log(-Math.log(1 - random.float())));
        const next = scores.toSorted((a, b) => b - a)[3]!;
        for (const [action, score] of scores.entries())
          if (score > next) counts[action]! += 1 / Math.exp(logDrawn((logits[action]! - next) / temperature));
      }
      for (const count of counts) expect(Math.abs(count / draws - 1)).toBeLessThan(0.1);
    }
    expect(logDrawn(-1000)).toBe(-1000);
    expect(logDrawn(1000)).toBe(0);
    for (const x of [-39.99, -40.01]) expect(logDrawn(x)).toBeCloseTo(x, 9);
  });

  it("follows schedules of its options by the version of the net", () => {
    const game = hashGame({ seed: 12, players: 2, branching: 30, depth: 5, chance: 0, ends: 0 });
    const options = {
      considered: [{ until: 2, value: 4 }, { value: 8 }],
      cScale: [{ until: 2, value: 0 }, { value: 1 }],
      simulations: 8,
    };
    const tried = (version?: number) => {
      const completed = completeOptions(gumbel.options, options);
      if ("wrong" in completed) throw new Error(completed.wrong);
      const search = createSearch("gumbel", game, completed.options, searches, noNets, undefined, version);
      const decision = drive(
        search.search(game.initial(), Random.named("tried"), 0),
        new HashEvaluator(game),
      );
      return decision.visits.filter((visits) => visits > 0).length;
    };
    expect([tried(0), tried(2), tried(3), tried()]).toEqual([4, 4, 8, 8]);
    for (const [wrong, message] of [
      [{ cScale: [{ until: 3, value: 1 }] }, /cScale: every entry but the last has an until/],
      [{ considered: 1.5 }, /considered/],
    ] as const)
      expect(() => openSearch("gumbel", game, wrong)).toThrow(message);
  });

  it("has priors in proportion to p^(1/T), at the root by a T of its own", () => {
    const game = hashGame({ seed: 8, players: 2, branching: 6, depth: 4, chance: 0 });
    const raw = [0.4, 0.05, 0.2, 0.1, 0.2, 0.05];
    for (const [options, power] of [
      [{}, 1],
      [{ priorTemperature: 2 }, 1 / 2],
      [{ rootPriorTemperature: 4 }, 1 / 4],
      [{ priorTemperature: 2, rootPriorTemperature: 0.5 }, 2],
    ] as const) {
      const search = openSearch("gumbel", game, { simulations: 1, ...options });
      const { actions } = drive(search.search(game.initial(), Random.named("priors"), 0), {
        evaluate: ({ priors }) => priors!.set(raw),
      });
      const powers = raw.slice(0, actions.length).map((prior) => prior ** power);
      const sum = powers.reduce((a, b) => a + b, 0);
      for (const [i, action] of actions.entries())
        expect(search.outlook!(action).prior).toBeCloseTo(powers[i]! / sum, 6);
    }
  });

  it("draws nothing in quick searches", () => {
    const game = hashGame({ seed: 12, players: 2, branching: 12, depth: 5, chance: 0 });
    const decide = (options: Readonly<Record<string, unknown>>, name: number) =>
      drive(
        openSearch("gumbel", game, options).search(game.initial(), Random.named(name), 0),
        new HashEvaluator(game),
      );
    const best = decide({ simulations: 9, temperature: [], considered: 4 }, 0);
    const others = new Set<number>();
    for (let name = 0; name < 20; name++) {
      const quick = decide({ considered: 4, playoutCap: { fraction: 0, simulations: 9 } }, name);
      expect(quick.learn).toBe(false);
      expect([quick.action, ...quick.visits]).toEqual([best.action, ...best.visits]);
      others.add(decide({ simulations: 9, considered: 4, cScale: 0 }, name).action);
    }
    expect(others.size).toBeGreaterThan(1);
  });

  it("is refused where returns have no bounds and no range is given", () => {
    const game = {
      ...hashGame({ seed: 1, players: 1, branching: 2, depth: 3, chance: 0 }),
      returnBounds: [0, Infinity] as const,
    };
    expect(() => openSearch("gumbel", game)).toThrow(
      /the rules of hash set no bounds to its returns: give their range/,
    );
    expect(openSearch("gumbel", game, { range: 10 }).maxRequest).toBe(1);
  });
});
