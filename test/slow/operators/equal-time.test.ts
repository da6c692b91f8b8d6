import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { fixedSimulations } from "../../../src/operators/measuring/match/fixed-simulations.ts";
import { equalTimePath, gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import { ludoflow, ludoflowKilled } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, resumeRun, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

const text = (settings: string, mcts = 20) => `
name: tiny-equal
seed: 5
workers: 1
game: { rules: connect-four }
agents:
  uct: { use: uct, simulations: 40 }
  mcts: { use: mcts-max-n, simulations: ${mcts} }
  random: { use: random }
graph:
  match: { use: arena, inFlight: 3, agents: [mcts, uct, random], games: 48, openings: { plies: 2 }, ${settings} }
`;

const numbersOf = (folder: string) => fixedSimulations(folder, "match").simulations!;

describe("a match with equal times", () => {
  it("killed -9 and resumed plays the games of its record, which are those of a file with its numbers", async () => {
    const scratch = scratchFolder();
    writeFileSync(join(scratch, "match.yaml"), text("equalTime: { to: uct }"));
    await ludoflowKilled(["match", "match.yaml", "--out", "killed"], scratch, {
      file: "games/match.games",
      // The log's head, and a write for each game.
      writes: 1 + 7,
    });
    const [killed, copy] = [join(scratch, "killed"), join(scratch, "copy")];
    expect(readLog(gamesPath(killed, "match"))).toHaveLength(7);
    const numbers = numbersOf(killed);
    expect(Object.keys(numbers)).toEqual(["mcts"]);
    cpSync(killed, copy, { recursive: true });

    expect(await resumeRun(killed, { workers: 2 })).toEqual({ outcome: "finished" });
    expect(await resumeRun(copy)).toEqual({ outcome: "finished" });
    const results = resultsOf(killed);
    expect(resultsOf(copy)).toEqual(results);
    expect(numbersOf(killed)).toEqual(numbers);
    const explicit = join(scratch, "explicit");
    const file = writeExperiment(scratchFolder(), text("equalTime: false", numbers["mcts"]));
    expect(await startRun(file, explicit)).toEqual({ outcome: "finished" });
    expect(resultsOf(explicit)).toEqual(results);
    expect(existsSync(equalTimePath(explicit, "match"))).toBe(false);

    for (const game of [1, 40]) {
      const { difference, excuses } = await replayGame(killed, "match", game);
      expect([difference, excuses]).toEqual([undefined, []]);
    }
    const { code, out } = await ludoflow(["replay", "killed", "--stage", "match", "--game", "9"], scratch)
      .ended;
    expect([code, out]).toEqual([0, expect.stringMatching(/game 9/)]);

    const events = readMetrics(join(killed, "metrics.jsonl"));
    const told = events.filter((event) => event.type === "equal-time");
    // Before the first game, and once more by the part of the run that has gone on.
    expect(told).toHaveLength(2);
    expect(told[0]!.agents).toEqual(told[1]!.agents);
    expect(told[0]!.agents.map(({ agent }) => agent)).toEqual(["mcts", "uct", "random"]);
    expect(openRunFolder(killed).manifest.irreproducible).toEqual([
      "these stages have fixed simulations by measured processor time, and the run has their numbers: match",
    ]);
  });

  it("that is killed while it measures begins again", async () => {
    const scratch = scratchFolder();
    const [folder, copy] = [join(scratch, "run"), join(scratch, "copy")];
    const file = writeExperiment(scratch, text("equalTime: true"));
    await startRun(file, folder, [], {
      onEvent: (event) => {
        if (event.type === "progress" && !existsSync(copy)) cpSync(folder, copy, { recursive: true });
      },
    });
    expect(existsSync(equalTimePath(copy, "match"))).toBe(false);
    expect(readdirSync(copy)).not.toContain("games");
    expect(await resumeRun(copy)).toEqual({ outcome: "finished" });
    expect(Object.keys(numbersOf(copy))).toEqual(["uct"]);
    expect(readLog(gamesPath(copy, "match"))).toHaveLength(48);
  });
});

it("rounds along learning have the numbers of the first one, and so has a fork with the same agents", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(
    scratch,
    tablesExperiment
      .replace("  greedy:", "  softmax: { use: mc-softmax, net: value, simulations: 4 }\n  greedy:")
      .replace("agents: [greedy], games: 10", "agents: [softmax, ahead], games: 10, equalTime: true")
      .replace("graph:", "  ahead: { use: mc-softmax, net: value, trees: 2, simulations: 20 }\ngraph:"),
  );
  const parent = join(scratch, "parent");
  expect(await startRun(file, parent)).toEqual({ outcome: "finished" });
  const { simulations } = fixedSimulations(parent, "curve");
  expect(Object.keys(simulations!)).toEqual(["ahead"]);
  const events = readMetrics(join(parent, "metrics.jsonl"));
  expect(events.filter(({ type }) => type === "match")).toHaveLength(5);
  expect(events.filter(({ type }) => type === "equal-time")).toHaveLength(1);
  // A game of each agent in the first and the last round.
  for (const game of [0, 10, 80, 99])
    expect((await replayGame(parent, "curve", game)).difference).toBeUndefined();

  const same = await forkRun(parent, {
    at: "200",
    set: ["graph.learn.lambda=0.9"],
    out: join(scratch, "same"),
  });
  expect(await resumeRun(same.folder)).toEqual({ outcome: "finished" });
  expect(fixedSimulations(same.folder, "curve")).toEqual({ simulations });
  const set = ["agents.ahead.trees=1"];
  const other = await forkRun(parent, { at: "200", set, out: join(scratch, "other") });
  expect(existsSync(equalTimePath(other.folder, "curve"))).toBe(false);
  expect(await resumeRun(other.folder)).toEqual({ outcome: "finished" });
  expect(Object.keys(fixedSimulations(other.folder, "curve").simulations!)).toEqual(["ahead"]);
});
