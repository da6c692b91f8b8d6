import { describe, expect, it } from "vitest";
import type { GamesPlayed, PolicyAtPly, RunEvent } from "../../../src/events/event.ts";
import type { RunData } from "../../../src/report/run-data.ts";
import { policySection } from "../../../src/report/sections/policy.ts";
import { selfPlaySection } from "../../../src/report/sections/self-play.ts";
import { timed } from "../example-run.ts";
import { someMeans } from "../../events/decision-means.ts";

const run = (events: readonly RunEvent[]): RunData => ({
  name: "run",
  folder: ".",
  manifest: {},
  events: events.map((event, i) => timed(10 * i, event)),
});
const textOf = (content: unknown) => String(content).replaceAll(/<[^>]*>/g, "");

/** Ten games each; the first two of four bins of forecasts hold 30 and 10 decisions. */
const games = (done: number, more: Partial<GamesPlayed> = {}): GamesPlayed => ({
  type: "games",
  stage: "games",
  done,
  count: 10,
  mean: 0,
  min: -1,
  max: 1,
  plies: 60 + done / 10,
  shortest: 50,
  longest: 80,
  evaluations: 1000,
  entropy: 2,
  forecasts: {
    bounds: [-1, 1],
    decisions: [30, 10, 0, 0],
    expected: [-24, -3, 0, 0],
    earned: [-15, 2, 0, 0],
  },
  ...more,
});

describe("the section on the games learned from", () => {
  const events = [10, 20, 30, 40, 50, 60].map((done) => games(done, { cacheHits: 250 }));
  const { body, tables } = selfPlaySection(run(events))!;
  const text = textOf(body);

  it("has a figure of forecasts, entropy, lengths, speed and cache", () => {
    for (const id of ["calibration", "entropy", "lengths", "evaluations", "cache"])
      expect(String(body)).toContain(`<figure id="${id}-games">`);
    expect(String(body)).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it("adds forecasts up in three stretches; bins with few decisions are in the table alone", () => {
    const table = tables.find(({ name }) => name === "calibration")!;
    expect(table.rows).toEqual(
      [20, 40, 60].flatMap((until) => [
        ["games", until, -1, -0.5, 60, -0.8, -0.5],
        ["games", until, -0.5, 0, 20, -0.3, 0.2],
      ]),
    );
    expect(text).toContain("games to 60 at −0.8000: −0.5000");
    const few = selfPlaySection(run([games(10)]))!;
    expect(textOf(few.body)).toContain("games to 10 at −0.8000");
    expect(textOf(few.body)).not.toContain("games to 10 at −0.3000");
  });

  it("gives evaluations a second over the run's time, and the share from the cache", () => {
    const rates = tables.find(({ name }) => name === "self-play")!;
    const column = (name: string) =>
      rates.rows.map((row) => row[rates.columns.findIndex((c) => c.name === name)]);
    expect(column("a second")).toEqual([null, 100, 100, 100, 100, 100]);
    expect(column("from cache")).toEqual([250, 250, 250, 250, 250, 250]);
    expect(text).toContain("games at 60: 25.0%");
  });

  it("draws what decisions show by third of the game, without what is not known", () => {
    const means = (shift: number) => ({
      ...someMeans,
      legal: 2 + shift,
      prior: shift === 0 ? NaN : 1.75,
    });
    const figures = (learned: number, teacher: boolean): RunEvent => ({
      type: "self-play-figures",
      stage: "games",
      learned,
      unit: "games",
      games: 10,
      distinct: 5,
      draws: 2,
      forced: 1,
      decisions: 33,
      thirds: [means(0), means(1), means(2)],
      ...(teacher ? { teacher: means(0) } : {}),
    });
    const found = selfPlaySection(run([games(10), figures(10, true), games(20), figures(20, false)]))!;
    const drawn = String(found.body);
    for (const id of ["entropies-beginning", "entropies-middle", "entropies-end", "target-distance"])
      expect(drawn).toContain(`<figure id="${id}-games">`);
    expect(drawn).not.toMatch(/NaN|undefined/);
    expect(textOf(drawn)).toContain("beginning at 20: 0.5000");
    expect(textOf(drawn)).toContain("different games at 20: 50.0%");
    const rows = found.tables.find(({ name }) => name === "self-play-decisions")!.rows;
    expect(rows.map((row) => row.slice(1, 6))).toEqual([
      [10, "beginning", 8, 2, 1.5],
      [10, "middle", 8, 3, 1.5],
      [10, "end", 8, 4, 1.5],
      [10, "teacher", 8, 2, 1.5],
      [20, "beginning", 8, 2, 1.5],
      [20, "middle", 8, 3, 1.5],
      [20, "end", 8, 4, 1.5],
    ]);
    expect(rows[0]![6]).toBeNull();
    expect(found.tables.find(({ name }) => name === "self-play-generations")!.rows[1]).toEqual([
      "games",
      20,
      10,
      5,
      2,
      1,
      33,
    ]);
  });

  it("is not there for games of which nothing more is known", () => {
    const { entropy: _, evaluations: __, forecasts: ___, ...plain } = games(10);
    expect(selfPlaySection(run([plain]))).toBeUndefined();
  });
});

describe("the section on the policy net", () => {
  const spread = (mean: number) => ({ mean, low: mean - 1, median: mean, high: mean + 1 });
  const at = (ply: number, legal: number): PolicyAtPly => ({
    ply,
    decisions: 30,
    legal: spread(legal),
    shares: [0.5, 0.875],
    rank: spread(3),
    first: 15,
    entropy: spread(2),
  });
  const statistics = (learned: number, plies: readonly PolicyAtPly[]): RunEvent => ({
    type: "policy-statistics",
    stage: "policy",
    learned,
    unit: "steps",
    agent: "zero",
    opponent: "mcts",
    games: 30,
    tops: [10, 50],
    plies,
  });

  it("shows the last round, and has every round in its table", () => {
    const { body, tables } = policySection(
      run([statistics(10, [at(4, 90)]), statistics(20, [at(4, 100), at(5, 400)])]),
    )!;
    const text = textOf(body);
    expect(text).toContain(
      "30 games of zero against mcts in all the other seats after 20 steps learned, 60 decisions",
    );
    expect(text).toContain(
      "Most moves are legal with 5 plies played: 400 on average. In 50.0% of the decisions",
    );
    expect(text).toContain("top 50 at 5: 87.5%");
    expect(tables[0]!.rows.map((row) => row.slice(1, 7))).toEqual([
      [10, "zero", 4, 30, 15, 90],
      [20, "zero", 4, 30, 15, 100],
      [20, "zero", 5, 30, 15, 400],
    ]);
    expect(tables[1]!.rows.map((row) => row.slice(1)).slice(-2)).toEqual([
      [20, "zero", 5, 10, 0.5],
      [20, "zero", 5, 50, 0.875],
    ]);
    for (const table of tables) for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
  });

  it("is left out if nothing was looked at", () => {
    expect(policySection(run([]))).toBeUndefined();
    expect(policySection(run([statistics(10, [])]))).toBeUndefined();
  });
});
