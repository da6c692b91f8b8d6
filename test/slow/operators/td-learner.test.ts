import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { tupleLookup } from "../../../src/models/n-tuple/tuple-lookup.ts";
import { tupleLayout } from "../../../src/models/n-tuple/tuple-sets.ts";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { listCheckpoints, readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { checkpointsPath, RunFiles } from "../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

describe("a td-learner stage", () => {
  it("learns with several threads on one table, and says that such a run is not reproducible", async () => {
    const folder = join(scratchFolder(), "run");
    const text = `
name: shared
seed: 1
game: { rules: 2048 }
nets: { value: { use: n-tuple } }
graph:
  learn: { use: td-learner, net: value, games: 60, every: 20, threads: 3, record: 1 }
`;
    const learned: number[] = [];
    await startRun(writeExperiment(scratchFolder(), text), folder, [], {
      onEvent: (event) => {
        if (event.type === "games") learned.push(event.count);
      },
    });
    expect(learned.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(openRunFolder(folder).manifest.irreproducible).toEqual([
      "several threads learn the same tables: learn",
    ]);
    const games = new RunFiles(folder)
      .recordedGames("learn")
      .map((bytes) => decodeGameRecord(bytes, "learn"));
    expect(games.map(({ game }) => game).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i),
    );
    // What one thread learns another one plays by: the games' beginnings are valued less and less alike.
    expect(new Set(games.map(({ values }) => values[0])).size).toBeGreaterThan(30);
  });

  it("goes on with the weights of fewer stages: the first stays as it is, the late one is learned from where it begins", async () => {
    const first = join(scratchFolder(), "first");
    await startRun(writeExperiment(scratchFolder(), tablesExperiment), first, []);
    const weights = listCheckpoints(checkpointsPath(first, "value")).at(-1)!.path;
    const late = tablesExperiment
      .replace("tuples: board", `tuples: board, stages: [32], promotion: false, weights: ${weights}`)
      .replace("restart: 12", "restart: 12, begin: { tile: 32, games: 5 }");
    const folder = join(scratchFolder(), "late");
    await startRun(writeExperiment(scratchFolder(), late), folder, []);
    const learned = readCheckpoint(listCheckpoints(checkpointsPath(folder, "value")).at(-1)!.path).tensors;
    const before = readCheckpoint(weights).tensors;
    const { size } = tupleLookup(tupleLayout("board", 2, 3), [32]).stages;
    const numbers = learned.get("weights/weights")!.data;
    const count = before.get("weights/weights")!.data.length;
    expect(numbers.length).toBeGreaterThan(count);
    expect(numbers.slice(0, count)).toEqual(before.get("weights/weights")!.data);
    expect(learned.get("weights/values")!.data.slice(0, count)).toEqual(before.get("weights/values")!.data);
    expect(numbers[count]).toBeGreaterThanOrEqual(size);
  });
});
