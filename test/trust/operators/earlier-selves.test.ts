import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** Three earlier selves at most; checkpoints are rarer than rounds, so a resumed run plays a round again that it knows. */
const zero = `
name: tiny-selves
seed: 21
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, policyHead: dense, values: win-loss }
agents:
  learner: { use: puct-max-n, net: zero, simulations: 6, noise: { epsilon: 0.25, alpha: 0.5 }, temperature: [{ value: 1 }] }
  player: { use: puct-max-n, net: zero, simulations: 6, temperature: [{ until: 3, value: 1 }, { value: 0 }] }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 42, generation: 6, inFlight: 4, examples: { use: alphazero, resultWeight: 1 } }
  replay: { use: replay-buffer, from: games, games: 30, fill: 7 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 8, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, every: 2, keep: 0 }
  progress:
    { use: arena, after: weights, agents: [player, random], earlier: { agent: player, most: 2 }, games: 12, inFlight: 3 }
`;

/** Tables that one learner changes in place, with earlier selves of every second round. */
const tables = `
name: tiny-selves-tables
seed: 22
workers: 1
game: { rules: tic-tac-toe }
nets:
  value: { use: linear }
agents:
  player: { use: greedy, net: value }
graph:
  learn: { use: td-learner, net: value, exploration: { use: epsilon-greedy, epsilon: 0.2 }, games: 250, every: 50, lambda: 0.8, step: td, rate: 0.05 }
  saved: { use: checkpoint, from: learn, every: 2, keep: 0 }
  progress:
    { use: arena, after: saved, agents: [player], earlier: { agent: player, every: 2, most: 2 }, openings: { plies: 2 }, games: 12, inFlight: 3 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

/** The n-th time that the arena tells of its progress. */
const nthGame = (n: number) => {
  let seen = 0;
  return (event: RunEvent) => event.type === "progress" && event.stage === "progress" && ++seen === n;
};
const ratingsOf = (folder: string) =>
  readMetrics(metricsPath(folder)).flatMap((event) => {
    if (event.type !== "version-ratings") return [];
    const { learned, others, versions } = event;
    return [{ learned, others, versions }];
  });
const recorded = (folder: string) =>
  readLog(gamesPath(folder, "progress")).map((bytes) => decodeGameRecord(bytes, folder));

describe.each([
  { name: "zero", experiment: zero, net: "zero", killed: [19, 31, 52] },
  { name: "tables", experiment: tables, net: "value", killed: [17, 30] },
])("an arena with earlier selves: $name", ({ name, experiment, net, killed }) => {
  let results: Record<string, string> = {};

  beforeAll(async () => {
    const file = writeExperiment(scratch, experiment, `${name}.yaml`);
    const left = new Map(killed.map((games) => [`${name}-killed-${games}`, nthGame(games)]));
    const outcome = await startRun(file, place(name), [], {
      onEvent: (event) => {
        for (const [copy, is] of left) if (is(event)) cpSync(place(name), place(copy), { recursive: true });
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    results = resultsOf(place(name));
  });

  it("gives the same games, weights and ratings with three worker threads", async () => {
    const folder = place(`${name}-3`);
    expect(await startRun(place(`${name}.yaml`), folder, ["workers=3"])).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(results);
    expect(ratingsOf(folder)).toEqual(ratingsOf(place(name)));
  });

  it.each(killed)(
    "ends in the same bytes when killed after game %i of the arena and resumed",
    async (games) => {
      const folder = place(`${name}-killed-${games}`);
      expect(resultsOf(folder)).not.toEqual(results);
      expect(await resumeRun(folder, { workers: 2 })).toEqual({ outcome: "finished" });
      expect(resultsOf(folder)).toEqual(results);
      expect(ratingsOf(folder).at(-1)).toEqual(ratingsOf(place(name)).at(-1));
    },
  );

  it("plays each self with its own weights: games are replayed move by move", async () => {
    const games = recorded(place(name));
    const selves = games.filter(({ seats }) => seats.some((seat) => seat.includes("@")));
    expect(selves.length).toBeGreaterThan(20);
    // The weights of earlier rounds are no longer needed, and gone.
    const again = selves.filter(({ generation }) => generation === selves.at(-1)!.generation);
    expect(new Set(again.flatMap(({ seats }) => seats.filter((seat) => seat.includes("@")))).size).toBe(2);
    for (const { game } of [again[0]!, again.at(-1)!]) {
      const { difference } = await replayGame(place(name), "progress", game);
      expect(difference).toBeUndefined();
    }
  });

  it("keeps the weights that the last checkpoint's rounds need, and no others", () => {
    const kept = readdirSync(join(place(name), "weights", net)).map((file) => Number.parseInt(file, 10));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(5);
  });
});

it("rates the versions of a learner, the first one with Elo 0", () => {
  const rated = ratingsOf(place("zero")).at(-1)!;
  expect(rated.versions.map(({ version }) => version)).toEqual([0, 2, 3, 4, 5, 6, 7]);
  expect(rated.versions[0]).toMatchObject({ elo: 0, interval: [0, 0], learned: 0 });
  expect(rated.others.map(({ participant }) => participant)).toEqual(["random"]);
  expect(
    ratingsOf(place("tables"))
      .at(-1)!
      .versions.map(({ version }) => version),
  ).toEqual([0, 1, 2, 3, 4, 5]);
});
