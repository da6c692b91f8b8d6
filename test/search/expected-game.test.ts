import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { driveEpisode } from "../../src/search/drive.ts";
import { type Episode, episode } from "../../src/search/episode.ts";
import { type Expected, GameComparison } from "../../src/search/expected-game.ts";
import { openSearch } from "../../src/search/registry.ts";
import { HashEvaluator, hashGame } from "./depth-first/hash-game.ts";

/** An action and the values of its decision; no values at a ply of chance. */
type Ply = readonly [action: number, values?: readonly number[]];

/** Compares plies until one ends the game. */
function compared(expected: Expected, plies: readonly Ply[]) {
  const comparison = new GameComparison(expected);
  const played: number[] = [];
  for (const [action, values] of plies) {
    const next = comparison.ply(action, values === undefined, values);
    if (next === undefined) break;
    played.push(next);
  }
  return { played, difference: comparison.atEnd(), departures: comparison.departures };
}

describe("a game that is followed", () => {
  const actions = [4, 7, 2];
  const expected = {
    actions,
    values: [
      [0.5, -0.5],
      [-3000, 3000],
    ],
    follow: true,
  };

  it("departs where a decision or a value differs, and plays the expected actions all the same", () => {
    const plies = [[4, [0.5, -0.5002]], [7], [3, [9, 9]]] as const;
    expect(compared(expected, plies)).toEqual({
      played: actions,
      difference: undefined,
      departures: [
        { ply: 0, kind: "value", expected: -0.5, actual: -0.5002 },
        // Values of another action are not compared.
        { ply: 2, kind: "decision", expected: 2, actual: 3 },
      ],
    });
  });

  it("measures values by their size where it is above 1, else by 1, and names the farthest", () => {
    const at = (first: number[], second: number[]) => {
      const { departures } = compared(expected, [[4, first], [7], [2, second]]);
      return departures.map(({ ply, actual }) => [ply, actual]);
    };
    expect(at([0.5 + 0.9e-5, -0.5 - 0.9e-5], [-3000.02, 3000.02])).toEqual([]);
    expect(at([0.5 + 1.1e-5, -0.5], [-3000, 3000.04])).toEqual([
      [0, 0.5 + 1.1e-5],
      [2, 3000.04],
    ]);
    expect(at([0.5002, -0.5003], [-3001, 3000.5])).toEqual([
      [0, -0.5003],
      [2, -3001],
    ]);
    expect(at([Number.NaN, -0.5], [-3000, 3000])).toEqual([[0, Number.NaN]]);
  });

  it("ends where chance or the length differs: these have no excuse", () => {
    expect(compared(expected, [[4, [0.5, -0.5]], [8]])).toEqual({
      played: [4],
      difference: { ply: 1, kind: "chance", expected: 7, actual: 8 },
      departures: [],
    });
    const whole = [[4, [0.5, -0.5]], [7], [2, [-3000, 3000]]] as const;
    expect(compared(expected, whole.slice(0, 2)).difference).toMatchObject({ kind: "length", actual: 2 });
    expect(compared(expected, [...whole, [1, [0, 0]]]).difference).toMatchObject({ ply: 3, kind: "length" });
  });

  it("without follow ends at the first bit that differs", () => {
    const strict = { ...expected, follow: false };
    expect(compared(strict, [[4, [0.5, -0.5 - 1e-16]], [7]])).toEqual({
      played: [],
      difference: { ply: 0, kind: "value", expected: -0.5, actual: -0.5 - 1e-16 },
      departures: [],
    });
    expect(compared(strict, [[3, [0.5, -0.5]]]).difference).toMatchObject({ kind: "decision" });
  });

  it("is played to its end by searches that keep their trees, whoever played it", () => {
    const game = hashGame({ seed: 21, players: 2, branching: 4, depth: 12, chance: 0.3 });
    const play = (simulations: number, follow?: Episode<unknown>) => {
      const seats = ["puct-max-n", "mcts-max-n"].map((use, seat) => ({
        search: openSearch(use, game, { simulations, reuse: true }),
        random: Random.named(simulations, seat),
        evaluator: 0,
      }));
      const values = follow?.decisions.map((decision) => decision.values);
      const options =
        follow === undefined ? {} : { expected: { actions: follow.actions, values: values!, follow: true } };
      return driveEpisode(episode(game, seats, Random.named("chance"), options), [new HashEvaluator(game)]);
    };
    const record = play(30);
    const other = play(2, record);
    expect(other.difference).toBeUndefined();
    expect([other.actions, other.returns]).toEqual([record.actions, record.returns]);
    expect(new Set(other.departures.map(({ kind }) => kind))).toEqual(new Set(["decision", "value"]));
    expect(play(30, record).departures).toEqual([]);
  });
});
