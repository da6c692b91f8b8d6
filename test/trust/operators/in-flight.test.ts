import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { gamesInFlight } from "../../../src/operators/run/parallelism.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, startRun, trainingExperiment, writeExperiment } from "../../graph/tiny-run.ts";

describe("inFlight: 1", () => {
  it("with one worker has one game under way, and ends in the same bytes as with four", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, trainingExperiment);
    const alone = ["graph.games.inFlight=1", "graph.curve.inFlight=1"];
    const { opened } = checkGraph(readExperiment(file, alone));
    expect(gamesInFlight(opened, 1)).toBe(1);
    expect(await startRun(file, join(folder, "one"), alone)).toEqual({ outcome: "finished" });
    expect(await startRun(file, join(folder, "four"))).toEqual({ outcome: "finished" });
    expect(resultsOf(join(folder, "one"))).toEqual(resultsOf(join(folder, "four")));
  });
});
