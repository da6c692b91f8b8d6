import { describe, expect, it } from "vitest";
import { bradleyTerry } from "../../src/stats/bradley-terry.ts";

/** American League 1987, wins of the row over the column, 13 games a pair (Agresti, Categorical Data Analysis, table 10.10). */
const teams = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
const wins = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
];

describe("bradleyTerry", () => {
  it("gives the published strengths of the American League of 1987", () => {
    // Coefficients against Baltimore as the R package BradleyTerry2 prints them.
    const published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0];
    const logs = bradleyTerry(wins.flat(), teams.length, 0);
    for (const [i, value] of published.entries()) expect(logs[i]! - logs[6]!).toBeCloseTo(value, 4);
    expect(logs.reduce((sum, log) => sum + log, 0)).toBeCloseTo(0, 10);
  });

  it("is for two players the logarithm of the odds", () => {
    const [a, b] = bradleyTerry([0, 30, 10, 0], 2, 0);
    expect(a! - b!).toBeCloseTo(Math.log(3), 9);
  });

  it("stays finite with a prior where someone has won all, and is the same from any start", () => {
    const sweep = [0, 10, 10, 0, 0, 5, 0, 5, 0];
    const logs = bradleyTerry(sweep, 3, 1);
    expect(logs.every(Number.isFinite)).toBe(true);
    expect(logs[0]).toBeGreaterThan(logs[1]! + 2);
    expect(logs[1]).toBeCloseTo(logs[2]!, 8);
    const again = bradleyTerry(sweep, 3, 1, Float64Array.of(3, -4, 1));
    for (const [i, log] of logs.entries()) expect(again[i]).toBeCloseTo(log, 7);
  });

  it("meets the equations of the maximum: expected scores are the scores", () => {
    const logs = bradleyTerry(wins.flat(), teams.length, 0);
    for (const [i, row] of wins.entries()) {
      const expected = row.reduce((sum, won, j) => {
        const games = i === j ? 0 : won + wins[j]![i]!;
        return sum + games / (1 + Math.exp(logs[j]! - logs[i]!));
      }, 0);
      expect(expected).toBeCloseTo(
        row.reduce((sum, won) => sum + won, 0),
        7,
      );
    }
  });

  it("takes a prior as that many draws of each against one more player", () => {
    const prior = 3;
    const rows = [...wins.map((row) => [...row, prior / 2]), [...wins.map(() => prior / 2), 0]];
    const logs = bradleyTerry(wins.flat(), teams.length, prior);
    const extended = bradleyTerry(rows.flat(), teams.length + 1, 0);
    for (const i of wins.keys()) expect(logs[i]! - logs[0]!).toBeCloseTo(extended[i]! - extended[0]!, 7);
  });

  it("leaves a player without games where it started, if there is no prior", () => {
    const [a, b, idle] = bradleyTerry([0, 30, 0, 10, 0, 0, 0, 0, 0], 3, 0);
    expect(a! - b!).toBeCloseTo(Math.log(3), 9);
    expect(Number.isFinite(idle)).toBe(true);
    const alone = bradleyTerry([0, 0, 0, 0], 2, 0, Float64Array.of(1, -1));
    expect([...alone]).toEqual([1, -1]);
  });

  it("refuses a table that is not square", () => {
    expect(() => bradleyTerry([1, 2, 3], 2, 0)).toThrow(RangeError);
  });
});
