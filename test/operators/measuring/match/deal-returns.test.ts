import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeGameRecord } from "../../../../src/formats/game-records.ts";
import type { GameDaihinmin } from "../../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, OVER } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { dealReturns } from "../../../../src/operators/measuring/match/deal-returns.ts";
import { gamesPath, readLog } from "../../../../src/operators/run/run-files.ts";
import { Random } from "../../../../src/random.ts";
import { buildReport } from "../../../../src/report/report.ts";
import { matchesOf } from "../../../../src/report/matches.ts";
import { readRun } from "../../../../src/report/run-data.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../../../graph/tiny-run.ts";

/** The actions of a match of default clients, and its returns. */
function playedMatch(games: number) {
  const game = openGame("daihinmin", { games }) as GameDaihinmin;
  const random = Random.named("deal returns", games);
  const state = game.initial();
  const actions: number[] = [];
  while (game.toMove(state) !== OVER) {
    const action =
      game.toMove(state) === CHANCE ? game.chance.sample(state, random) : game.search.rulePlayer(state);
    actions.push(action);
    game.play(state, action);
  }
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return { game, actions, returns };
}

describe("the returns of the deals of a match", () => {
  it("are one place for each player, and sum to the returns of the match", () => {
    const { game, actions, returns } = playedMatch(7);
    const deals = dealReturns(game, actions)!;
    expect(deals.length).toBe(7);
    for (const deal of deals) expect([...deal].toSorted((a, b) => a - b)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...returns]).toEqual([...returns.keys()].map((seat) => deals.reduce((s, d) => s + d[seat]!, 0)));
  });

  it("are absent where there is one deal, or none", () => {
    const { game, actions } = playedMatch(1);
    expect(dealReturns(game, actions)).toBeUndefined();
    expect(dealReturns(openGame("tic-tac-toe"), [4, 0])).toBeUndefined();
  });

  it("are counted as places, deal by deal, where agents play matches of several deals", async () => {
    const scratch = scratchFolder();
    const run = join(scratch, "run");
    const experiment = writeExperiment(
      scratch,
      `
name: tiny-series
seed: 5
workers: 1
game: { rules: daihinmin, games: 4 }
agents:
  one: { use: so-ismcts, simulations: 3, children: every, counts: parent, searchForced: true }
  other: { use: so-ismcts, simulations: 3 }
  default: { use: default }
graph:
  duel: { use: arena, agents: [one, other, default], seats: pairs-among-rest, games: 5 }
`,
    );
    expect(await startRun(experiment, run, [])).toEqual({ outcome: "finished" });
    const game = openGame("daihinmin", { games: 4 });
    const played = readLog(gamesPath(run, "duel")).map((bytes) => decodeGameRecord(bytes, run));
    const ofAgent = (agent: string) =>
      played.map(({ actions, seats }) =>
        dealReturns(game, actions)!.map((returns) => returns[seats.indexOf(agent)]!),
      );
    const [match] = matchesOf(readRun(run));
    for (const { agent, dealReturns: told, returns } of match!.agents) {
      if (agent === "default") continue;
      expect(told).toEqual(ofAgent(agent));
      expect(returns).toEqual(told!.map((deals) => deals.reduce((sum, each) => sum + each, 0)));
    }
    const { tables } = buildReport(run);
    const rows = (name: string) => tables.find((each) => each.name === name)!.rows;
    const counts = (agent: string) =>
      [0, 0.25, 0.5, 0.75, 1].map(
        (place) =>
          ofAgent(agent)
            .flat()
            .filter((each) => each === place).length,
      );
    const counted = (agent: string) =>
      counts(agent).map((times, i) => ["duel", agent, 20, `place ${5 - i}`, times]);
    expect(rows("placings-counts")).toEqual([...counted("one"), ...counted("other")]);
    const [test] = rows("placings-tests");
    expect(test!.slice(10, 12)).toEqual(["matches", 5]);
    // All 32 ways to exchange the two in whole matches, by the definition.
    const differences = ofAgent("one").map((deals, match) =>
      deals.reduce((sum, each, deal) => sum + each - ofAgent("other")[match]![deal]!, 0),
    );
    const sums = Array.from({ length: 32 }, (_, way) =>
      Math.abs(differences.reduce((sum, each, match) => sum + ((way >> match) & 1 ? -each : each), 0)),
    );
    expect(test![13]).toBe(sums.filter((each) => each >= sums[0]!).length / 32);
    // The mean difference a deal, its interval over the five matches.
    expect(test![7]).toBeCloseTo(differences.reduce((sum, each) => sum + each, 0) / 20, 12);
  });
});
