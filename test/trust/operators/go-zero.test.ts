import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** AlphaZero on 4x4, with the pass in a policy on the board and all auxiliary targets. */
const experiment = `
name: tiny-go-zero
seed: 27
workers: 1
compute: { threads: 1 }
game: { rules: go, size: 4, komi: 0.5, moveLimit: 40 }
nets:
  zero:
    { use: residual, filters: 16, blocks: 2, valueUnits: 16, values: win-loss, policyHead: convolutional, globalPooling: 4, score: true, ownership: true, reply: true, zeroHeads: true }
agents:
  learner: { use: gumbel, net: zero, simulations: 12, considered: 6 }
  player: { use: puct-max-n, net: zero, simulations: 12 }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 240, generation: 40, inFlight: 16, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 120 }
  weights:
    { use: trainer, from: replay, net: zero, batch: 64, steps: 40, rate: 0.003, optimiser: { use: adam }, symmetries: true, loss: { use: alphazero, legalOnly: true } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  curve: { use: arena, after: weights, every: 3, agents: [player, random], games: 40, inFlight: 16 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("AlphaZero learns Go on a small board: losses fall, random play is beaten, games are followed again", async () => {
  const folder = join(scratch, "run");
  expect(await startRun(writeExperiment(scratch, experiment, "go.yaml"), folder)).toEqual({
    outcome: "finished",
  });
  const events = readMetrics(metricsPath(folder));
  const parts = events.flatMap((event) => (event.type === "training" ? [event.parts] : []));
  expect(parts.length).toBeGreaterThan(4);
  expect(Object.keys(parts[0]!)).toEqual(["value", "policy", "score", "ownership", "reply"]);
  for (const part of ["value", "policy", "ownership"]) {
    const [first, last] = [parts[0]![part]!, parts.at(-1)![part]!];
    expect(last, part).toBeLessThan(first);
  }
  const means = events.flatMap((event) => (event.type === "match" ? [event.agents[0]!.mean] : []));
  expect(means.length).toBe(3);
  expect(means.at(-1)).toBeGreaterThan(0.9);
  const { difference } = await replayGame(folder, "games", 200);
  expect(difference).toBeUndefined();
});
