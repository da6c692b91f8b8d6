import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PolicyStatistics, RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { decodeGameAnalysis } from "../../../src/formats/game-analyses.ts";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { analysesPath, gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

const experiment = (policy: string, agents = "") => `
name: tiny-policy
seed: 6
workers: 1
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1 }
agents:
  player: { use: puct-max-n, net: zero, simulations: 6, noise: { epsilon: 0.5, alpha: 1 } }
  uct: { use: uct, simulations: 8 }
${agents}
graph:
  policy: { use: policy-statistics, inFlight: 2, ${policy} }
  match: { use: arena, agents: [player, uct], games: 4, openings: { plies: 2 }, inFlight: 2, analyse: 2 }
`;
const settings = "agent: player, opponent: uct, games: 7, plies: 1, tops: [1, 2, 3], moves: 4";

/** All results of a run, analyses included. */
const everything = (folder: string) => ({
  ...resultsOf(folder),
  policy: readLog(analysesPath(folder, "policy")),
  match: readLog(analysesPath(folder, "match")),
});
const told = (folder: string) =>
  readMetrics(join(folder, "metrics.jsonl")).filter(
    (event): event is Extract<RunEvent, PolicyStatistics> & { time: string; elapsed: number } =>
      event.type === "policy-statistics",
  );

async function played(
  text: string,
  set: readonly string[] = [],
  onEvent?: (event: RunEvent, folder: string) => void,
) {
  const scratch = scratchFolder();
  const folder = join(scratch, "run");
  const watch = onEvent && { onEvent: (event: RunEvent) => onEvent(event, folder) };
  const outcome = await startRun(writeExperiment(scratch, text), folder, set, watch);
  expect(outcome).toEqual({ outcome: "finished" });
  return folder;
}

describe("policy statistics", () => {
  it("are the same with two threads as with one, and when killed and resumed", async () => {
    const killed = join(scratchFolder(), "killed");
    const folder = await played(experiment(settings), [], (event, from) => {
      if (event.type === "progress" && event.stage === "policy" && event.done === 3)
        cpSync(from, killed, { recursive: true });
    });
    const results = everything(folder);
    expect(results.policy).toHaveLength(7);
    expect(results.match).toHaveLength(2);
    expect(everything(await played(experiment(settings), ["workers=2"]))).toEqual(results);
    expect(readLog(gamesPath(killed, "policy")).length).toBeLessThan(7);
    await resumeRun(killed, { workers: 2 });
    expect(everything(killed)).toEqual(results);
    expect(told(killed)[0]!.plies).toEqual(told(folder)[0]!.plies);
  });

  it("sum up what the analyses of replayable games say, at the agent's decisions alone", async () => {
    const folder = await played(experiment(settings));
    const [statistics] = told(folder);
    const games = readLog(gamesPath(folder, "policy")).map((bytes) => decodeGameRecord(bytes, "x"));
    const analyses = readLog(analysesPath(folder, "policy")).map((bytes) => decodeGameAnalysis(bytes, "x"));
    expect(statistics).toMatchObject({ agent: "player", opponent: "uct", games: 7, tops: [1, 2, 3] });
    expect(games.map(({ seats }) => seats.indexOf("player"))).toEqual([0, 1, 0, 1, 0, 1, 0]);
    const own = analyses.flatMap(({ decisions }, i) =>
      decisions.filter(({ seat }) => games[i]!.seats[seat] === "player"),
    );
    expect(statistics!.plies.map(({ ply }) => ply)).toEqual(
      [...new Set(own.map(({ ply }) => ply))].sort((a, b) => a - b),
    );
    for (const at of statistics!.plies) {
      const here = own.filter(({ ply }) => ply === at.ply);
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length;
      const middle = here.map(({ opinion }) => opinion!.rank).sort((a, b) => a - b);
      expect(at.decisions).toBe(here.length);
      expect(at.legal).toEqual({ mean: 9 - at.ply, low: 9 - at.ply, median: 9 - at.ply, high: 9 - at.ply });
      expect(at.rank.mean).toBeCloseTo(mean(middle), 9);
      expect(at.first).toBe(middle.filter((rank) => rank === 1).length);
      expect(at.shares[1]).toBeCloseTo(mean(here.map(({ opinion }) => opinion!.shares[1]!)), 9);
    }
    // The opening is nobody's decision.
    expect(Math.min(...own.map(({ ply }) => ply))).toBe(1);

    // They come from games that can be played again, and so do analysed games of matches.
    expect((await replayGame(folder, "policy", 5)).difference).toBeUndefined();
    expect((await replayGame(folder, "match", 1)).difference).toBeUndefined();
    const unwatched = await played(experiment(settings), ["graph.match.analyse=0"]);
    expect(resultsOf(unwatched)).toEqual(resultsOf(folder));
  });
});

describe("settings of policy statistics", () => {
  const problems = (policy: string, agents = "") => {
    try {
      checkGraph(readExperiment(writeExperiment(scratchFolder(), experiment(policy, agents))));
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("need an agent with a policy to look at", () => {
    expect(problems("agent: player")).toBe("");
    expect(problems("agent: uct")).toMatch(/"uct" has no net with a policy to examine/);
    expect(problems("agent: nobody")).toMatch(/no agent "nobody"/);
    expect(problems("agent: player, opponent: nobody")).toMatch(/no agent "nobody"/);
  });

  it("need numbers of moves that increase", () => {
    expect(problems("agent: player, tops: [10, 10]")).toMatch(/the numbers of moves must increase/);
  });
});
