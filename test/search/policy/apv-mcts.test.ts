import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { guidedPlayouts, impartialGuide } from "../../../src/games/guided-playouts.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import type { GivenNets } from "../../../src/search/definition.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, searches, SearchNotOpened } from "../../../src/search/registry.ts";
import { hashGame } from "../depth-first/hash-game.ts";
import { ApvReference, type ApvSettings } from "./apv-reference.ts";

const open = (name: string, options = {}) => openGame(name, options);
const ticTacToe = open("tic-tac-toe");
const go = open("go", { size: 5, komi: 0.5 });
const duo = open("blokus-duo");
/** Rewards on the way and chance. */
const chancy = hashGame({
  seed: 7,
  players: 3,
  branching: 4,
  depth: 9,
  chance: 0.2,
});

const both: GivenNets = { priors: true, values: "valueNet" };
const one: GivenNets = { priors: true, values: "net" };
const settings: ApvSettings = {
  simulations: 60,
  lambda: 0.5,
  cPuct: 2,
  expansion: 3,
  priorTemperature: 1.5,
  batch: 1,
  virtualLoss: 3,
};

/** The text of a position. Positions of the game of three players are numbers of paths. */
const textOf = (game: Game<any>, state: any) =>
  game === chancy ? `${state.depth} ${state.path}` : game.notation.position(state);

interface Asked {
  readonly net: string;
  readonly priors: boolean;
  readonly positions: string[];
}

/** Values and priors as functions of the position and of the net that is asked. */
class FakeNets implements Evaluator<any> {
  readonly #game: Game<any>;
  readonly requests: Asked[] = [];

  constructor(game: Game<any>) {
    this.#game = game;
  }

  evaluate({ states, count, values, priors, net }: EvaluationRequest<any>): void {
    const { players, maxLegal, returnBounds } = this.#game;
    const [least, most] = returnBounds;
    const positions: string[] = [];
    for (let row = 0; row < count; row++) {
      const position = textOf(this.#game, states[row]);
      positions.push(position);
      const random = Random.named("nets", net ?? "net", position);
      for (let seat = 0; seat < players; seat++)
        values[row * players + seat] = least + random.float() * (most - least);
      const weights = Random.named("priors", position);
      if (priors !== undefined)
        for (let i = 0; i < Math.min(maxLegal, 600); i++) priors[row * maxLegal + i] = weights.float() ** 3;
    }
    this.requests.push({
      net: net ?? "net",
      priors: priors !== undefined,
      positions,
    });
  }
}

/** Plays some decisions of a game by the search and by the reference, and compares them; returns what the nets were asked. */
function compare(game: Game<any>, given: Partial<ApvSettings>, nets: GivenNets, decisions: number, skip = 0) {
  const own = { ...settings, ...given };
  const fake = new FakeNets(game);
  const search = openSearch("apv-mcts", game, { ...own, reuse: true }, searches, nets);
  const reference = new ApvReference(game, own, nets, new FakeNets(game));
  const [random, other] = [Random.named("draws"), Random.named("draws")];
  const moves = Random.named("moves", game.name);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  search.begin?.(state);
  const play = (action: number) => {
    search.observe?.(state, action);
    reference.follow(action);
    game.play(state, action);
  };
  for (let made = -skip; made < decisions && game.toMove(state) !== OVER;) {
    if (game.toMove(state) === CHANCE) {
      play(game.chance!.sample(state, moves));
      continue;
    }
    if (made++ < 0) {
      play(legal[moves.below(game.legal(state, legal))]!);
      continue;
    }
    const decision = drive(search.search(state, random, made), fake);
    const expected = reference.search(state, other);
    expect([...decision.visits]).toEqual(expected.visits);
    expect(decision.action).toBe(expected.action);
    for (const [i, value] of decision.actionValues.entries())
      expect(value).toBeCloseTo(expected.values[i]!, 9);
    expect(random.state()).toEqual(other.state());
    play(decision.action);
  }
  return { requests: fake.requests, reference };
}

describe("apv-mcts decides as a plain implementation does, from the same draws", () => {
  it.each([
    ["tic-tac-toe", ticTacToe, 0],
    ["Go", go, 4],
    ["a game of three players with chance and rewards", chancy, 0],
  ] as const)("in %s, with one leaf in flight and with several", (_, game, skip) => {
    compare(game, {}, both, 3, skip);
    compare(game, { batch: 8, expansion: 1 }, both, 2, skip);
    compare(game, { batch: 5, virtualLoss: 1, simulations: 43, expansion: 2 }, one, 2, skip);
  });

  it("in Blokus Duo", () => {
    compare(duo, { batch: 6, simulations: 20, expansion: 2 }, both, 1, 30);
  });

  it("with every mixture of rollouts, values and priors", () => {
    for (const lambda of [0, 0.3, 1])
      for (const nets of [both, one, { priors: false, values: "valueNet" }, { priors: false }] as GivenNets[])
        if (lambda === 1 || nets.values !== undefined)
          for (const batch of [1, 4]) compare(ticTacToe, { lambda, batch }, nets, 2);
  });

  it("with the priors of the policy of rollouts, where no net gives any", () => {
    // The odds of a move follow from its number; rollouts stay uniformly random.
    const guided = guidedPlayouts(ticTacToe, () => ({
      ...impartialGuide(ticTacToe),
      relativeOdds: (_state, actions, count, out) => {
        for (const [i, action] of actions.subarray(0, count).entries())
          out[i] = action === 7 ? 1 : action / 20;
      },
    }));
    for (const nets of [{ priors: false, values: "valueNet" }, { priors: false }] as GivenNets[]) {
      const { requests } = compare(guided, { lambda: nets.values === undefined ? 1 : 0.5 }, nets, 3);
      expect(requests.some(({ priors }) => priors)).toBe(false);
    }
    // A policy net takes precedence.
    const { requests } = compare(guided, {}, both, 2);
    expect(requests.some(({ priors }) => priors)).toBe(true);
    const first = drive(
      openSearch("apv-mcts", guided, { ...settings, lambda: 1, cPuct: 1000 }, searches, {
        priors: false,
      }).search(guided.initial(), Random.named("draws"), 0),
      new FakeNets(guided),
    );
    expect(first.visits.indexOf(Math.max(...first.visits))).toBe(7);
    expect(first.visits[0]).toBe(0);
  });

  it("without virtual losses, and with more leaves in flight than the position has moves", () => {
    compare(ticTacToe, { batch: 32, virtualLoss: 0, expansion: 1 }, both, 5);
    compare(ticTacToe, { batch: 32, expansion: 7 }, one, 6);
  });

  it("by other constants", () => {
    compare(ticTacToe, { cPuct: 0, expansion: 1 }, both, 3);
    compare(go, { cPuct: 40, priorTemperature: 0.5, expansion: 1, lambda: 0 }, both, 1);
    compare(go, { priorTemperature: 1, expansion: 20, simulations: 100 }, both, 2, 10);
  });
});

describe("what apv-mcts asks its nets", () => {
  const asked = (nets: GivenNets, given: Partial<ApvSettings>) => {
    const { requests, reference } = compare(ticTacToe, { expansion: 4, ...given }, nets, 3);
    const positions = (net: string, priors: boolean) =>
      requests.filter((each) => each.net === net && each.priors === priors).flatMap((each) => each.positions);
    return { requests, positions, reference };
  };

  it("is the policy of the nodes that it expands, and the value of every other leaf once", () => {
    const { positions, reference } = asked(both, {});
    expect(positions("net", true).length).toBe(reference.asked.priors);
    expect(positions("valueNet", false).length).toBe(reference.asked.values);
    expect(positions("net", false)).toEqual([]);
    expect(positions("valueNet", true)).toEqual([]);
    expect(reference.asked.values).toBeGreaterThan(2 * reference.asked.priors);
  });

  it("is no value with lambda 1, and nothing without nets", () => {
    expect(new Set(asked(both, { lambda: 1 }).requests.map(({ net }) => net))).toEqual(new Set(["net"]));
    expect(asked({ priors: false }, { lambda: 1 }).requests).toEqual([]);
  });

  it("is one evaluation for priors and value where one net gives both at the same visit", () => {
    const { requests, reference } = asked(one, { expansion: 1 });
    const roots = 3;
    expect(requests.every(({ priors }) => priors)).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(reference.asked.values + roots);
  });

  it("holds no position twice, however many leaves are in flight", () => {
    const { requests } = compare(chancy, { batch: 16, expansion: 4 }, both, 3);
    for (const { positions } of requests) expect(new Set(positions).size).toBe(positions.length);
    expect(Math.max(...requests.map(({ positions }) => positions.length))).toBeGreaterThan(4);
  });
});

describe("apv-mcts", () => {
  const search = (options: Record<string, unknown>, nets?: GivenNets) =>
    openSearch("apv-mcts", ticTacToe, options, searches, nets);
  const quiet = { evaluate: () => expect.unreachable("it makes no requests") };

  it("finds the winning move by rollouts alone", () => {
    const state = ticTacToe.initial();
    for (const action of [0, 3, 1, 4]) ticTacToe.play(state, action);
    const decision = drive(search({ simulations: 300 }).search(state, Random.named("win"), 4), quiet);
    expect(decision.action).toBe(2);
    expect(decision.values[0]).toBeGreaterThan(0.9);
    expect(decision.visits.reduce((a, b) => a + b)).toBe(300);
  });

  it("keeps the visits of the moves played, and starts anew without a game", () => {
    const total = (reuse: boolean, follow: boolean) => {
      const own = search({ simulations: 200, expansion: 2, reuse });
      const state = ticTacToe.initial();
      const random = Random.named("kept");
      own.begin!(state);
      const first = drive(own.search(state, random, 0), quiet);
      const { action } = first;
      const kept = first.visits[first.actions.indexOf(action)]!;
      if (follow) {
        own.observe!(state, action);
        ticTacToe.play(state, action);
      }
      const second = drive(own.search(state, random, 1), quiet);
      return { kept, visits: second.visits.reduce((a, b) => a + b) };
    };
    const { kept, visits } = total(true, true);
    // The visits that made up the threshold ended at the node itself.
    expect(visits).toBe(200 + kept - 2);
    expect(total(false, true).visits).toBe(200);
    expect(total(true, false).visits).toBe(200);
  });

  it("searches for a time instead", () => {
    // Each reading of the clock is a millisecond after the one before.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    onTestFinished(() => clock.mockRestore());
    const own = search({ milliseconds: 30, simulations: 1, batch: 4 });
    const decision = drive(own.search(ticTacToe.initial(), Random.named("time"), 0), quiet);
    const visits = decision.visits.reduce((a, b) => a + b);
    expect(visits).toBeGreaterThan(4);
    expect(visits % 4).toBe(0);
  });

  it("mixes half and half where a net gives values, and refuses a lambda that none can serve", () => {
    const counting = new FakeNets(ticTacToe);
    drive(search({ simulations: 10 }, both).search(ticTacToe.initial(), Random.named("x"), 0), counting);
    expect(counting.requests.some(({ net }) => net === "valueNet")).toBe(true);
    expect(() => search({ lambda: 0.5 })).toThrow(SearchNotOpened);
    expect(() => search({ lambda: 0.5 })).toThrow(/a net values leaves: name a valueNet/);
    expect(() => search({ lambda: 0.5 }, { priors: true })).toThrow(/or give lambda: 1/);
  });
});
