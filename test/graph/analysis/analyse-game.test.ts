import { describe, expect, it } from "vitest";
import { openAgent } from "../../../src/graph/agents/open-agent.ts";
import type { Game } from "../../../src/games/game.ts";
import type { EvaluationRequest } from "../../../src/games/evaluation.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { analyseGame, largestMistakes, seatAnalyses } from "../../../src/graph/analysis/analyse-game.ts";
import type { Analyst, PlyAnalysis } from "../../../src/graph/analysis/analyse-ply.ts";
import { forAnalysis } from "../../../src/protocols/session-agent.ts";
import { Random } from "../../../src/random.ts";

const whole = { first: 0, last: Infinity };

function analyst(
  game: Game<any>,
  settings: Readonly<Record<string, unknown>>,
  { moves = 4, seed = 1 } = {},
): Analyst {
  return { agent: openAgent(forAnalysis(settings), game as Game<unknown>), moves, seed };
}

/** A game of random moves, or its first plies. */
function randomGame(game: Game<any>, random: Random, most = Infinity): number[] {
  const state: unknown = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const actions: number[] = [];
  for (let mover = game.toMove(state); mover !== OVER && actions.length < most; mover = game.toMove(state)) {
    const action =
      mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(game.legal(state, legal))]!;
    actions.push(action);
    game.play(state, action);
  }
  return actions;
}

function analysed(game: Game<any>, by: Analyst, actions: readonly number[], plies = whole): PlyAnalysis[] {
  return [...analyseGame(game as Game<unknown>, by, { start: game.initial(), actions }, plies)].map(
    ({ analysis }) => analysis,
  );
}

/** The value of a position for each seat by plain minimax: every seat maximises its own return. */
function minimax(game: Game<any>, state: unknown): number[] {
  const returns = new Float64Array(game.players);
  const mover = game.toMove(state);
  if (mover === OVER) {
    game.returns(state, returns);
    return [...returns];
  }
  return childrenOf(game, state)
    .map(({ child }) => minimax(game, child))
    .reduce((best, values) => (values[mover]! > best[mover]! ? values : best));
}

function childrenOf(game: Game<any>, state: unknown): { action: number; child: unknown }[] {
  const legal = new Int32Array(game.maxLegal);
  return Array.from(legal.subarray(0, game.legal(state, legal)), (action) => {
    const child: unknown = game.initial();
    game.copy(state, child);
    game.play(child, action);
    return { action, child };
  });
}

describe("the analysis of a game", () => {
  const game = openGame("tic-tac-toe");

  it("gives what the agent's net says without search, and nothing of that without a net", () => {
    // A net that likes the cells in their order, and the first player.
    const legal = new Int32Array(game.maxLegal);
    const net = {
      hasPolicy: true,
      hasValue: true,
      evaluator: {
        evaluate: ({ count, priors, states, values }: EvaluationRequest<any>) => {
          for (let i = 0; i < count; i++) {
            values.set([0.75, 0.25], 2 * i);
            const moves = game.legal(states[i], legal);
            const total = (moves * (moves + 1)) / 2;
            for (let k = 0; k < moves; k++) priors![i * game.maxLegal + k] = (moves - k) / total;
          }
        },
      },
    };
    const settings = { use: "puct-max-n", simulations: 12, net: "it" };
    const agent = openAgent(settings, game as Game<unknown>, () => net);
    const plies = analysed(game, { agent, moves: 9, seed: 1 }, [4, 0, 8]);
    expect(plies.map(({ opinion }) => opinion?.values)).toEqual(plies.map(() => [0.75, 0.25]));
    // Cell 4 is the fifth of nine, cell 0 the first of the other eight, cell 8 the last of seven.
    expect(plies.map(({ opinion }) => opinion?.rank)).toEqual([5, 1, 7]);
    for (const { action, prior } of plies[0]!.moves) expect(prior).toBeCloseTo((9 - action) / 45);
    const without = analysed(game, analyst(game, { use: "uct", simulations: 12 }), [4, 0, 8]);
    expect(without.every(({ opinion }) => opinion === undefined)).toBe(true);
    expect(without.flatMap(({ moves }) => moves).every(({ prior }) => Number.isNaN(prior))).toBe(true);
  });

  it("has the losses of plain minimax if the search is exact, whichever way the moves are compared", () => {
    const random = Random.named("analyse", "exact");
    // A search by values, and one by visits that proves what it says.
    const exact = analyst(game, { use: "paranoid", depth: 9 });
    const solver = analyst(game, {
      use: "mcts-max-n",
      simulations: 1000,
      solver: true,
      payoff: "score",
      progressiveHistory: 0,
    });
    const later = { first: 3, last: Infinity };
    let mistakes = 0;
    for (let number = 0; number < 4; number++) {
      const actions = randomGame(game, random);
      const state = game.initial();
      const plain = actions.map((action, ply) => {
        // Plain minimax of the first plies would take longer than all the rest.
        if (ply < later.first) return game.play(state, action);
        const mover = game.toMove(state);
        const best = minimax(game, state)[mover]!;
        game.play(state, action);
        return best - minimax(game, state)[mover]!;
      });
      for (const by of [exact, solver])
        expect(analysed(game, by, actions, later).map(({ loss }) => loss)).toEqual(plain.slice(later.first));
      mistakes += plain.slice(later.first).filter((loss) => loss! > 0).length;
    }
    expect(mistakes).toBeGreaterThan(1);
  });

  it("does not depend on which plies are analysed, and draws from the seed alone", () => {
    const actions = randomGame(game, Random.named("analyse", "plies"));
    const by = (seed: number) => analyst(game, { use: "uct", simulations: 40 }, { seed });
    const all = analysed(game, by(3), actions);
    expect(all).toHaveLength(actions.length);
    for (const ply of actions.keys())
      expect(analysed(game, by(3), actions, { first: ply, last: ply })).toEqual([all[ply]]);
    expect(analysed(game, by(4), actions)).not.toEqual(all);
  });

  it("lists the best move first and always the move played", () => {
    const actions = randomGame(game, Random.named("analyse", "moves"));
    for (const moves of [2, 3, 9])
      for (const { action, legal, loss, moves: listed, visits } of analysed(
        game,
        analyst(game, { use: "uct", simulations: 60 }, { moves }),
        actions,
      )) {
        expect(listed).toHaveLength(Math.min(moves, legal));
        expect(new Set(listed.map((each) => each.action)).size).toBe(listed.length);
        expect(listed.map((each) => each.action)).toContain(action);
        const others = listed.slice(0, -1).map((each) => each.visits);
        expect(others).toEqual(others.toSorted((a, b) => b - a));
        expect(visits).toBe(60);
        if (listed[0]!.action === action) expect(loss).toBe(0);
      }
  });

  it("knows no loss if an exact search has proved none in its time", () => {
    const go = openGame("go", { size: 9 });
    const actions = randomGame(go, Random.named("analyse", "open"), 2);
    for (const { loss, moves, values } of analysed(
      go,
      analyst(go, { use: "minimax", milliseconds: 1 }),
      actions,
    )) {
      expect(loss).toBeUndefined();
      expect([...values, ...moves.map(({ value }) => value)].every(Number.isNaN)).toBe(true);
    }
  });

  it("counts the reward of a move besides the value of the position after it", () => {
    const rewarding = rewardingGame();
    const [loss] = analysed(
      rewarding,
      analyst(rewarding, { use: "uct", simulations: 300, exploration: 5 }),
      [0],
    );
    // After either move the rest of the game is the same, and so are the draws of its search.
    expect(loss).toMatchObject({ action: 0, loss: 5 });
    // If only the winner is paid, rewards are no part of the values.
    const paid = analyst(rewarding, { use: "mcts-max-n", simulations: 300, progressiveHistory: 0 });
    expect(analysed(rewarding, paid, [0, 1])).toMatchObject([{ loss: 0 }, { loss: 0 }]);
  });

  it("compares values of the one search if chance moves next, and knows none of a move not tried", () => {
    const sliding = openGame("2048", { rows: 2, columns: 2 });
    const actions = randomGame(sliding, Random.named("analyse", "chance"), 12);
    const settings = { use: "uct", simulations: 50, exploration: 50 };
    const found = analysed(sliding, analyst(sliding, settings), actions);
    expect(found.length).toBeGreaterThan(2);
    for (const { action, loss, moves } of found) {
      const played = moves.find((each) => each.action === action)!;
      expect(loss).toBe(moves[0]!.value - played.value);
    }
    const once = analysed(sliding, analyst(sliding, { ...settings, simulations: 1 }), actions);
    const untried = once.filter(({ loss }) => loss === undefined);
    expect(untried).not.toEqual([]);
    for (const { action, moves } of untried)
      expect(moves.find((each) => each.action === action)).toMatchObject({ visits: 0 });
  });

  it("has no values if the search does not look at the only move", () => {
    const random = Random.named("analyse", "only move");
    let actions = randomGame(game, random);
    while (actions.length < 9) actions = randomGame(game, random);
    const flat = analysed(game, analyst(game, { use: "flat-monte-carlo", simulations: 20 }), actions);
    expect(flat.at(-1)).toMatchObject({ legal: 1, visits: 0, loss: 0, values: [NaN, NaN] });
    // So the move before it is judged by the search of its own position.
    const before = flat.at(-2)!;
    const valueOf = (move: number) => before.moves.find(({ action }) => action === move)!.value;
    expect(before.loss).toBe(valueOf(before.moves[0]!.action) - valueOf(before.action));
  });

  it("is uncertain if a search by visits has few simulations for each move", () => {
    const actions = randomGame(game, Random.named("analyse", "few"), 3);
    const uncertain = (settings: Readonly<Record<string, unknown>>) =>
      analysed(game, analyst(game, settings), actions).map((each) => each.uncertain);
    // 9, 8 and 7 legal moves.
    expect(uncertain({ use: "uct", simulations: 32 })).toEqual([true, false, false]);
    expect(uncertain({ use: "paranoid", depth: 1 })).toEqual([false, false, false]);
  });

  it("is summed up by seat, with the largest mistakes", () => {
    const ply = (number: number, seat: number, best: number, loss: number | undefined): PlyAnalysis => ({
      ply: number,
      seat,
      action: 1,
      legal: 3,
      visits: 10,
      values: [0, 0],
      moves: [{ action: best, visits: 9, prior: NaN, value: 1 }],
      loss,
      uncertain: false,
    });
    const plies = [
      ply(0, 1, 1, 0),
      ply(1, 0, 2, 0.5),
      ply(2, 1, 2, 0.75),
      ply(3, 1, 2, undefined),
      ply(4, 0, 2, -0.25),
      ply(5, 0, 2, 0.5),
    ];
    expect(seatAnalyses(plies)).toEqual([
      { seat: 0, decisions: 3, best: 1, meanLoss: 1 / 3 },
      { seat: 1, decisions: 3, best: 1, meanLoss: 0.375 },
    ]);
    expect(largestMistakes(plies, 2).map((each) => each.ply)).toEqual([2, 1]);
    expect(largestMistakes(plies, 9).map((each) => each.ply)).toEqual([2, 1, 5]);
  });
});

/** A game of one player with two moves, each 0 or 1: the first 1 earns 5 at once, the second one 1. */
function rewardingGame(): Game<{ plies: number; score: number }> {
  return {
    name: "rewards",
    players: 1,
    actions: 2,
    maxLegal: 2,
    returnBounds: [0, 6],
    initial: () => ({ plies: 0, score: 0 }),
    toMove: ({ plies }) => (plies === 2 ? OVER : 0),
    legal(_, out) {
      out.set([0, 1]);
      return 2;
    },
    play(state, action) {
      state.score += action * (state.plies === 0 ? 5 : 1);
      state.plies++;
    },
    copy: (from, into) => void Object.assign(into, from),
    returns: ({ score }, out) => out.fill(score),
    notation: {
      format: (_, action) => String(action),
      parse: (_, text) => Number(text),
      position: ({ plies, score }) => `${plies} ${score}`,
      parsePosition: () => ({ error: { code: "ERR_SYNTAX", message: "" } }),
    },
    drawing: { text: () => "", svg: () => "" },
  };
}
