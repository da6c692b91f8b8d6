import { rmSync } from "node:fs";
import { Effect } from "effect";
import { expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { checkInputs } from "../../src/graph/check-inputs.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { ownerOf } from "../../src/operators/experiment/open-experiment.ts";
import { writeCheckpoint } from "../../src/operators/run/weights/checkpoint-files.ts";
import { RunFiles } from "../../src/operators/run/run-files.ts";
import { startingPoint } from "../../src/operators/learning/training/starting-point.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { tablesExperiment, writeExperiment } from "./tiny-run.ts";

it("reads the checkpoint that a run continues from once: the check before the run hands over what it has read", async () => {
  const folder = scratchFolder();
  const graph = checkGraph(readExperiment(writeExperiment(folder, tablesExperiment)));
  const { opened } = graph;
  const files = new RunFiles(folder);
  const data = Float32Array.of(1, 2, 3);
  const checkpoint = `${files.checkpoints("value")}/0000000100`;
  writeCheckpoint(checkpoint, {
    ...ownerOf(opened.experiment, "value"),
    name: "value",
    version: 1,
    learned: 100,
    unit: "games",
    progress: { games: 100 },
    tensors: new Map([["weights/table", { shape: [3], data }]]),
  });
  const starts = await checkInputs(graph, folder);
  rmSync(checkpoint, { recursive: true });
  const begin = () =>
    Effect.runSync(startingPoint({ opened, files, starts, stage: "value", emit: () => undefined }, "value"));
  const start = begin();
  expect(start.progress).toEqual({ games: 100 });
  expect(start.tensors.get("weights/table")?.data).toEqual(data);
  // Taken once, so that nobody else holds on to it.
  expect(begin().progress).toEqual({});
});
