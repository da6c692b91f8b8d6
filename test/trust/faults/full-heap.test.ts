import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** More than half a minute of games. */
const EXPERIMENT = `
name: full-heap
seed: 1
workers: 1
game: { rules: connect-four }
agents: { one: { use: uct, simulations: 400 }, other: { use: uct, simulations: 300 } }
graph: { match: { use: arena, agents: [one, other], games: 2000 } }
`;

it("a run whose heap is nearly used up says so, has saved what it did, and resumes to the results of an unbroken one", async () => {
  const folder = scratchFolder();
  const file = writeExperiment(folder, EXPERIMENT);
  const program = join(import.meta.dirname, "../../faults/leaking-run.ts");
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--max-old-space-size=120", program, file, join(folder, "leaks")],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    outcome: "failed",
    message: expect.stringMatching(
      /^the heap of Node, 120 MiB, is nearly used up; .*NODE_OPTIONS=--max-old-space-size=240$/,
    ) as string,
  });
  expect(await resumeRun(join(folder, "leaks"))).toEqual({ outcome: "finished" });
  expect(await startRun(file, join(folder, "whole"))).toEqual({ outcome: "finished" });
  expect(resultsOf(join(folder, "leaks"))).toEqual(resultsOf(join(folder, "whole")));
});
