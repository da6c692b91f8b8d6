import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../../src/graph/problem.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { listCheckpoints, readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { checkpointsPath } from "../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";

const text = ({
  agent = "{ use: so-ismcts, net: playouts, epsilon: 0, simulations: 3 }",
  net = "linear-policy",
} = {}) => `
name: learned
seed: 3
game: { rules: daihinmin }
nets: { playouts: { use: ${net} } }
agents:
  policy: { use: preferred, net: playouts }
  search: ${agent}
  default: { use: default }
graph:
  learn: { use: policy-gradient, net: playouts, games: 8, every: 4, replays: 2, record: 3 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  match: { use: arena, after: learn, agents: [policy, search, default], games: 4 }
`;

function problemsOf(settings: Parameters<typeof text>[0]): string {
  try {
    checkGraph(readExperiment(writeExperiment(scratchFolder(), text(settings))));
    return "";
  } catch (error) {
    if (error instanceof ExperimentInvalid) return error.message;
    throw error;
  }
}

describe("a policy-gradient stage", () => {
  it("learns a policy that agents play and search by; its games and theirs replay, with any number of workers", async () => {
    const weights: Float64Array[] = [];
    for (const workers of [1, 2]) {
      const folder = join(scratchFolder(), "run");
      const told: string[] = [];
      const outcome = await startRun(
        writeExperiment(scratchFolder(), text()),
        folder,
        [`workers=${workers}`],
        {
          onEvent: (event) => void told.push(event.type),
        },
      );
      expect(outcome).toEqual({ outcome: "finished" });
      expect(told).toContain("games");
      const last = listCheckpoints(checkpointsPath(folder, "playouts")).at(-1)!;
      const saved = readCheckpoint(last.path);
      expect(saved.learned).toBe(8);
      weights.push(saved.tensors.get("weights/weights")!.data as Float64Array);
      expect((await replayGame(folder, "learn", 6)).difference).toBeUndefined();
      expect((await replayGame(folder, "match", 5)).difference).toBeUndefined();
    }
    expect(weights[0]!.some((weight) => weight !== 0)).toBe(true);
    expect(weights[1]).toEqual(weights[0]);
  });

  it.each([
    { settings: { agent: "{ use: so-ismcts, net: playouts }" }, says: /agents\.search\.net: .*epsilon: 0/ },
    { settings: { agent: "{ use: greedy, net: playouts }" }, says: /greedy does not play out by a policy/ },
  ])("says what is wrong with $settings.agent", ({ settings, says }) => {
    expect(problemsOf(settings)).toMatch(says);
  });

  it("learns no value function, and a td-learner no policy", () => {
    const valued = `
name: valued
seed: 3
game: { rules: 2048 }
nets: { value: { use: n-tuple } }
graph:
  learn: { use: policy-gradient, net: value, games: 8, every: 4 }
`;
    const td = text().replace("use: policy-gradient", "use: td-learner").replace(", replays: 2", "");
    const problem = (file: string) => {
      try {
        checkGraph(readExperiment(writeExperiment(scratchFolder(), file)));
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem(valued)).toMatch(/"value" is not a policy for playouts/);
    expect(problem(td)).toMatch(
      /learn\.net: a policy for playouts is learned by policy gradients, in a stage of its own/,
    );
  });
});
