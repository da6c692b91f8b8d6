import { describe, expect, it } from "vitest";
import type { MatchResult, RecordedEvent } from "../../../src/events/event.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { differenceFrom } from "../../../src/runs/comparison/difference.ts";
import { curvesOf } from "../../../src/runs/comparison/run-curves.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import { welchDifference } from "../../../src/stats/differences.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

const text = `
name: duel
seed: 1
game: { rules: connect-four }
agents: { uct: { use: uct, simulations: 5 }, random: { use: random } }
graph: { curve: { use: arena, agents: [uct, random], games: 10 } }
`;

/** The run of a seed whose agent `uct` has won so many of ten games. */
function result(seed: number, won: number, players = 2) {
  const { experiment } = readExperiment(writeExperiment(scratchFolder(), text));
  const wins = { games: 10, value: won / 10, interval: [0, 1] as const };
  const agent = { games: 10, mean: 0, interval: [0, 0] as const, returns: [], facts: {} };
  const match = {
    type: "match",
    stage: "curve",
    learned: 0,
    unit: "games",
    agents: [
      { agent: "uct", ...agent },
      { agent: "random", ...agent },
    ],
    contest: { players, standings: [{ agent: "uct", wins }], pairs: [] } as unknown as MatchResult["contest"],
  } as unknown as RecordedEvent;
  const [curve] = curvesOf([match], experiment);
  return { seed, point: curve!.points[0]! };
}

/** Elo of so many games won of ten, by hand: half a game is added to either side. */
const elo = (won: number) => 400 * Math.log10((won + 0.5) / (10.5 - won));

describe("a difference in Elo", () => {
  it("is paired by seed, and finite if all games were won", () => {
    const found = differenceFrom([result(1, 10), result(2, 8)], [result(1, 5), result(2, 2)]);
    expect(found!.pairs).toBe(2);
    const expected = meanEstimate([elo(10) - elo(5), elo(8) - elo(2)]);
    expect(found!.elo!.value).toBeCloseTo(expected.value, 9);
    expect(found!.elo!.interval[0]).toBeCloseTo(expected.interval[0], 9);
    expect(found!.elo!.interval[1]).toBeCloseTo(expected.interval[1], 9);
  });

  it("is Welch's without common seeds", () => {
    const found = differenceFrom([result(1, 6), result(2, 8)], [result(3, 5), result(4, 2)]);
    const expected = welchDifference([elo(6), elo(8)], [elo(5), elo(2)]);
    expect(found!.elo!.value).toBeCloseTo(expected.value, 9);
    expect(found!.elo!.interval[1]).toBeCloseTo(expected.interval[1], 9);
  });

  it("is absent in games of more players, and over the games of one seed", () => {
    expect(differenceFrom([result(1, 6, 4), result(2, 8, 4)], [result(1, 5, 4), result(2, 2, 4)])!.elo).toBe(
      undefined,
    );
    expect(differenceFrom([result(1, 6)], [result(1, 5)])!.elo).toBe(undefined);
  });
});
