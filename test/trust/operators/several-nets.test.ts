import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** A player with a net of each role learns values from its own games; then the combinations of its nets meet. */
const experiment = (workers: number) => `
name: tiny-several-nets
seed: 5
workers: ${workers}
compute: { threads: 1 }
game: { rules: go, size: 4, komi: 0.5, moveLimit: 30 }
nets:
  policy: { use: convolutional, layers: 1, filters: 4, values: win-loss }
  value: { use: convolutional, layers: 1, filters: 4, policy: false, value: true, valueUnits: 8, values: win-loss }
  rollouts: { use: linear-policy }
agents:
  alphago: { use: apv-mcts, net: policy, valueNet: value, playoutNet: rollouts, simulations: 16, expansion: 2, batch: 4 }
  rollouts-alone: { use: apv-mcts, playoutNet: rollouts, simulations: 16, expansion: 2 }
  value-alone: { use: apv-mcts, valueNet: value, lambda: 0, simulations: 16, expansion: 2 }
graph:
  games: { use: self-play, agent: alphago, games: 12, generation: 4, inFlight: 3, examples: { use: alphazero, resultWeight: 1 } }
  replay: { use: replay-buffer, from: games, games: 8 }
  train: { use: trainer, from: replay, net: value, batch: 8, steps: 2, rate: 0.01, loss: { use: value-regression } }
  keep: { use: checkpoint, from: train, keep: 0 }
  matches: { use: arena, agents: [alphago, rollouts-alone, value-alone], games: 6, inFlight: 3 }
  curve: { use: arena, after: train, every: 1, agents: [alphago, rollouts-alone], games: 2, inFlight: 2 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("runs of agents with several nets are the same for any number of workers, and their games are replayed", async () => {
  const folders = [1, 2].map((workers) => join(scratch, `run${workers}`));
  for (const [i, folder] of folders.entries())
    expect(await startRun(writeExperiment(scratch, experiment(i + 1), `several-${i}.yaml`), folder)).toEqual({
      outcome: "finished",
    });
  const stages = ["games", "matches", "curve"];
  for (const stage of stages) {
    const [one, two] = folders.map((folder) => readFileSync(join(folder, "games", `${stage}.games`)));
    expect(one!.equals(two!), stage).toBe(true);
  }
  const evaluators = new Set(
    readMetrics(metricsPath(folders[0]!)).flatMap((event) =>
      event.type === "evaluator-flow" ? [event.evaluator] : [],
    ),
  );
  expect(evaluators).toEqual(new Set(["evaluator_of_policy", "evaluator_of_value"]));
  for (const [stage, game] of [
    ["games", 11],
    ["matches", 3],
    ["curve", 5],
  ] as const) {
    const { difference, excuses } = await replayGame(folders[0]!, stage, game);
    expect([stage, difference, excuses]).toEqual([stage, undefined, []]);
  }
});
