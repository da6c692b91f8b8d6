import { describe, expect, it } from "vitest";
import { decodeGameAnalysis } from "../../../src/formats/game-analyses.ts";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { openGame } from "../../../src/games/registry.ts";
import type { Game } from "../../../src/games/game.ts";
import { gameFigures } from "../../../src/operators/play/game-figures.ts";
import { GameAnalyser } from "../../../src/operators/play/game-analyser.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode, type Seat } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Search } from "../../../src/search/search.ts";

const game = openGame("tic-tac-toe") as Game<unknown>;

/** A net that thinks the i-th legal action i + 1 times as likely as the first, and the first player the winner. */
const rising: Evaluator<unknown> = {
  evaluate({ count, priors, states, values }) {
    for (let row = 0; row < count; row++) {
      values.set([0.75, 0.25], 2 * row);
      const legal = game.legal(states[row], new Int32Array(game.maxLegal));
      for (let i = 0; i < legal; i++)
        priors![row * game.maxLegal + i] = (i + 1) / ((legal * (legal + 1)) / 2);
    }
  },
};

function seatsOf(wrap: (search: Search<unknown>) => Search<unknown>): Seat<unknown>[] {
  return [0, 1].map((seat) => ({
    search: wrap(openSearch("puct-max-n", game, { simulations: 20 })),
    random: Random.named("analysed", seat),
    evaluator: 0,
  }));
}

const played = (seats: readonly Seat<unknown>[], plies?: number) =>
  driveEpisode(
    episode(game, seats, Random.named("chance"), {
      keep: { visits: true },
      ...(plies === undefined ? {} : { plies }),
    }),
    [rising],
  );

describe("a game that is analysed", () => {
  const plain = played(seatsOf((search) => search));
  const analyser = new GameAnalyser(game, { moves: 3, tops: [1, 4, 100] });
  const watched = played(seatsOf((search) => analyser.analysed(search, true)));
  const { decisions, tops } = decodeGameAnalysis(analyser.analysis(7, watched.decisions), "x");

  it("is the same game", () => {
    expect(watched).toEqual(plain);
    expect(decisions.map(({ ply, seat, action }) => [ply, seat, action])).toEqual(
      plain.decisions.map(({ ply, seat }) => [ply, seat, plain.actions[ply]]),
    );
  });

  it("tells what the net said, without noise, and where the move stood in it", () => {
    expect(tops).toEqual([1, 4, 100]);
    const [first] = decisions;
    expect(first!.legal).toBe(9);
    // Of 45 parts the last action has 9; the four likeliest have 9 + 8 + 7 + 6.
    expect(first!.opinion!.shares.map((share) => share.toFixed(5))).toEqual([
      "0.20000",
      "0.66667",
      "1.00000",
    ]);
    expect(first!.opinion!.values).toEqual([0.75, 0.25]);
    const entropy = -Array.from({ length: 9 }, (_, i) => ((i + 1) / 45) * Math.log((i + 1) / 45)).reduce(
      (sum, part) => sum + part,
    );
    expect(first!.opinion!.entropy).toBeCloseTo(entropy, 6);
    // Actions of an empty board are its legal ones in order: the last is the likeliest.
    for (const { action, opinion } of decisions.slice(0, 1)) expect(opinion!.rank).toBe(9 - action);
  });

  it("keeps the moves most visited, the one played among them", () => {
    for (const [i, { action, moves, visits }] of decisions.entries()) {
      const kept = plain.decisions[i]!;
      expect(visits).toBe(kept.visits.reduce((sum, count) => sum + count, 0));
      expect(moves.map((move) => move.visits)).toEqual([...kept.visits].sort((a, b) => b - a).slice(0, 3));
      expect(moves.map((move) => move.action)).toContain(action);
      for (const move of moves) expect(move.visits).toBe(kept.visits[kept.actions.indexOf(move.action)]);
    }
  });

  it("keeps the move played though others were visited more, and asks no net that has no policy", () => {
    const random = () => openSearch("random", game, {});
    const one = new GameAnalyser(game, { moves: 1, tops: [1] });
    const seats = [0, 1].map((seat) => ({
      search: one.analysed(random(), false),
      random: Random.named("r", seat),
      evaluator: -1,
    }));
    const drawn = driveEpisode(episode(game, seats, Random.named("c")), []);
    const analysis = decodeGameAnalysis(one.analysis(0, drawn.decisions), "x");
    expect(analysis.decisions.map(({ moves }) => moves.map(({ action }) => action))).toEqual(
      [...drawn.actions].map((action) => [action]),
    );
    expect(analysis.decisions.every(({ opinion }) => opinion === undefined)).toBe(true);
  });
});

describe("figures of a game", () => {
  /** Seat 0 takes the top row. */
  const actions = Int32Array.of(0, 3, 1, 4, 2);
  const decision = (ply: number, values: readonly number[], policy: readonly number[]) => ({
    ply,
    seat: ply % 2,
    values,
    actions: new Int32Array(policy.length),
    visits: new Float64Array(policy.length),
    policy: Float64Array.from(policy),
    learn: ply !== 3,
  });
  const decisions = [
    decision(1, [0.5, 0.25], [0.5, 0.5]),
    decision(2, [0.75, 0.5], [1, 0]),
    decision(3, [1, 0.125], [0.25, 0.75]),
  ];

  it("sets what the mover expected beside what it earned, as its agent counts returns", () => {
    const { forecasts } = gameFigures({ actions, decisions }, ["a", "b"], (agent) =>
      agent === "a" ? playedFor(game, "win-loss") : game,
    );
    expect([...forecasts]).toEqual([0.75, 1, 0.25, 0, 0.125, 0]);
  });

  it("follows a game from the position that it began with", () => {
    const last = { actions: Int32Array.of(2), decisions: [decision(0, [0.75, 0.25], [1])] };
    const { forecasts } = gameFigures(last, ["a", "b"], () => playedFor(game, "win-loss"), "xx1/oo1/3 x");
    expect([...forecasts]).toEqual([0.75, 1]);
  });

  it("leaves out agents without a net, games of one player and games broken off", () => {
    const only = gameFigures({ actions, decisions }, ["a", "b"], (agent) =>
      agent === "b" ? game : undefined,
    );
    expect([...only.forecasts]).toEqual([0.25, 0, 0.125, 0]);
    const failure = { seat: 0, message: "hung" };
    expect(gameFigures({ actions, decisions, failure }, ["a", "b"], () => game).forecasts).toHaveLength(0);
    expect(gameFigures({ actions, decisions }, ["a"], () => game).forecasts).toHaveLength(0);
  });

  it("takes the mean entropy of the policies that are learned from", () => {
    const { entropy } = gameFigures({ actions, decisions }, ["a", "b"], () => undefined);
    expect(entropy).toBeCloseTo(Math.LN2 / 2, 12);
    expect(gameFigures({ actions, decisions: [] }, ["a", "b"], () => undefined)).not.toHaveProperty(
      "entropy",
    );
  });
});
