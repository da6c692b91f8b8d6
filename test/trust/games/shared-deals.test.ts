import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { buildReport } from "../../../src/report/report.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";

const experiment = (arena: string) => `
name: tiny-daihinmin
seed: 3
workers: 1
game: { rules: daihinmin }
agents:
  grouped: { use: so-ismcts, simulations: 4, grouping: AI1 }
  plain: { use: so-ismcts, simulations: 4 }
  default: { use: default }
graph:
  duel: { use: arena, agents: [grouped, plain, default], seats: pairs-among-rest, ${arena} }
`;

/** Chance plies before anyone plays: who gets the first card, and the cards. */
const DEAL = 54;

/** Plays the match; returns the run's folder. */
async function played(arena: string, set: readonly string[] = []): Promise<string> {
  const scratch = scratchFolder();
  const run = join(scratch, "run");
  expect(await startRun(writeExperiment(scratch, experiment(arena)), run, set)).toEqual({
    outcome: "finished",
  });
  return run;
}

const gamesOf = (run: string) => readLog(gamesPath(run, "duel")).map((bytes) => decodeGameRecord(bytes, run));
const dealsOf = (run: string) => gamesOf(run).map(({ actions }) => actions.slice(0, DEAL).join());

describe("pairs among the rest with shared deals", () => {
  it("play each deal in all twenty ways, and are reported by places, with a test", async () => {
    const run = await played("games: 40, deals: shared");
    const deals = dealsOf(run);
    expect(new Set(deals.slice(0, 20)).size).toBe(1);
    expect(new Set(deals.slice(20)).size).toBe(1);
    expect(new Set(deals).size).toBe(2);
    const ways = gamesOf(run).map(({ seats }) => seats.join());
    expect(new Set(ways.slice(0, 20))).toEqual(new Set(ways.slice(20)));
    expect(new Set(ways).size).toBe(20);

    const { html, tables } = buildReport(run);
    const table = (name: string) => tables.find((each) => each.name === name)!;
    const games = gamesOf(run);
    const placesOf = (agent: string) =>
      [0, 0.25, 0.5, 0.75, 1].map(
        (paid) => games.filter(({ returns, seats }) => returns[seats.indexOf(agent)] === paid).length,
      );
    expect(table("placings-counts").rows).toEqual(
      ["grouped", "plain"].flatMap((agent) =>
        placesOf(agent).map((times, i) => ["duel", agent, 40, `place ${5 - i}`, times]),
      ),
    );
    const total = (agent: string) =>
      games.reduce((sum, { returns, seats }) => sum + returns[seats.indexOf(agent)]!, 0);
    expect(table("placings-totals").rows).toEqual([
      ["grouped", "plain", total("grouped")],
      ["plain", "grouped", total("plain")],
    ]);
    const [test] = table("placings-tests").rows;
    expect(test!.slice(0, 3)).toEqual(["duel", "grouped", "plain"]);
    expect(test![4]).toBe(4);
    // Two deals: each is exchanged as a whole, in one of four ways.
    expect(test!.slice(10, 12)).toEqual(["deals", 2]);
    const [first, second] = [games.slice(0, 20), games.slice(20)].map((of) =>
      of.reduce(
        (sum, { returns, seats }) =>
          sum + returns[seats.indexOf("grouped")]! - returns[seats.indexOf("plain")]!,
        0,
      ),
    );
    const sums = [first! + second!, first! - second!, second! - first!, -first! - second!].map(Math.abs);
    expect(test![13]).toBe(sums.filter((each) => each >= sums[0]!).length / 4);
    expect(html).toContain("by chi-square and by permutation");
    expect(html).not.toMatch(/NaN|undefined|\[object/);
  });

  it("give the same bytes with two threads, and games that can be played again", async () => {
    const [run, other] = [
      await played("games: 8, deals: shared"),
      await played("games: 8, deals: shared", ["workers=2"]),
    ];
    expect(readFileSync(gamesPath(other, "duel"))).toEqual(readFileSync(gamesPath(run, "duel")));
    expect((await replayGame(run, "duel", 5)).difference).toBeUndefined();
  });
});

describe("deals", () => {
  it("are each game's own unless they are shared", async () => {
    const deals = dealsOf(await played("games: 20"));
    expect(new Set(deals).size).toBe(20);
  });

  it("of pairs among the rest take three agents", () => {
    const path = writeExperiment(scratchFolder(), experiment("games: 20"));
    expect(() => checkGraph(readExperiment(path, ["graph.duel.agents=[plain, default]"]))).toThrow(
      /at least three agents/,
    );
    expect(() => checkGraph(readExperiment(path, ["agents.plain.grouping=AI9"]))).toThrow(
      /no grouping "AI9"/,
    );
  });
});
