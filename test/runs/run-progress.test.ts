import { expect, it } from "vitest";
import { initialState, reduce, type RunState } from "../../src/events/run-state.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { progressOf } from "../../src/runs/run-progress.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

/** How far a run of this graph is that has reported nothing yet, and has recorded five games of each stage. */
function progress(graph: string, state: RunState = initialState) {
  const { experiment } = readExperiment(
    writeExperiment(
      scratchFolder(),
      `
name: gone
seed: 1
game: { rules: tic-tac-toe }
nets:
  zero: { use: mlp, hidden: [4], policy: true, values: win-loss }
  model: { use: onnx, file: gone.onnx, layout: nhwc, outputs: { policy: policy } }
agents:
  zero: { use: puct-max-n, net: zero, simulations: 2 }
  model: { use: policy, net: model }
graph:
${graph}`,
    ),
  );
  return progressOf(experiment, state, () => 5);
}

const match = "  match: { use: arena, agents: [zero, model], games: 8, openings: { book: gone.txt } }\n";
const suite = "  suite: { use: test-suite, file: gone.csv, agents: [model] }\n";

it("does not need the files that an experiment names: they may be gone when its run is listed", () => {
  expect(progress(match)).toEqual({
    share: 0.625,
    now: { stage: "match", done: 5, total: 8, unit: "games" },
  });
  const learning = `  games: { use: self-play, agent: zero, games: 16, generation: 4, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 8 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 2, rate: 0.1, loss: { use: alphazero } }
`;
  expect(progress(learning + match + suite)).toEqual({
    share: 0,
    now: { stage: "weights", done: 0, total: 8, unit: "steps" },
  });
});

it("is what the run has reported last, less the time since then while it is at work", () => {
  const now = { stage: "match", done: 2, total: 8, unit: "games" };
  const reported = (ago: number): RunState =>
    reduce(initialState, {
      type: "run-progress",
      share: 0.25,
      secondsLeft: 600,
      atMost: true,
      now,
      time: new Date(Date.now() - 1000 * ago).toISOString(),
      elapsed: 200,
    });
  const { secondsLeft, ...rest } = progress(match, reported(60))!;
  expect(rest).toEqual({ share: 0.25, atMost: true, now });
  expect(secondsLeft).toBeGreaterThan(500);
  expect(secondsLeft).toBeLessThanOrEqual(540);
  expect(progress(match, reported(1e6))!.secondsLeft).toBe(0);
  const ended = { type: "run-ended", outcome: "interrupted", time: "", elapsed: 200 } as const;
  expect(progress(match, reduce(reported(1e6), ended))!.secondsLeft).toBe(600);
  expect(progress(match, reduce(reported(1e6), { ...ended, outcome: "finished" }))!.share).toBe(1);
});

it("is unknown if the amount of work is in a file that is gone", () => {
  expect(progress(match + suite)).toBeUndefined();
});
