import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MetricsFile, readEvents } from "../../../src/events/metrics-file.ts";
import { checkRecordedCheckpoints } from "../../../src/graph/folder/recorded-checkpoints.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** A run whose events name these checkpoints, and whose folder has those. */
function run(recorded: readonly string[], kept: readonly string[]): string {
  const folder = scratchFolder();
  const metrics = MetricsFile.open(join(folder, "metrics.jsonl"));
  for (const path of recorded)
    metrics.record({
      type: "checkpoint",
      stage: "saved",
      learned: Number.parseInt(path.split("/").at(-1)!, 10),
      unit: "steps",
      path: `checkpoints/${path}`,
      seq: 0,
      time: "",
      elapsed: 0,
    });
  metrics.close();
  for (const path of kept) {
    mkdirSync(join(folder, "checkpoints", path), { recursive: true });
    writeFileSync(join(folder, "checkpoints", path, "checkpoint.json"), "{}");
  }
  return folder;
}

const check = (folder: string) => checkRecordedCheckpoints(folder, readEvents(join(folder, "metrics.jsonl")));

it("is passed by a run that has recorded none, has the last one of each net, or a later one", () => {
  for (const [recorded, kept] of [
    [[], []],
    [[], ["a/0010"]],
    [
      ["a/0010", "a/0020", "b/0005"],
      ["a/0020", "b/0005"],
    ],
    [
      ["a/0010", "a/0015-partial"],
      ["a/0010", "a/0015-partial"],
    ],
    // Killed after the next one was written and the partial one removed, before that was recorded.
    [
      ["a/0010", "a/0015-partial"],
      ["a/0010", "a/0020"],
    ],
  ] as const)
    check(run(recorded, kept));
});

it("is passed by a run that was killed before its first event", () => {
  check(scratchFolder());
});

it("says which one is gone, and what can be done", () => {
  const older = run(["a/0010", "a/0020", "b/0005"], ["a/0010", "a/0015-partial", "b/0005"]);
  expect(() => check(older)).toThrow(
    `the checkpoint ${older}/checkpoints/a/0020, which metrics.jsonl names, is gone: put it back, or continue from the one before in a new run: ludoflow fork ${older} --at checkpoints/a/0010`,
  );
  const none = run(["a/0010"], ["a/0010"]);
  // As if its manifest is lost.
  rmSync(join(none, "checkpoints/a/0010/checkpoint.json"));
  expect(() => check(none)).toThrow(/a\/0010, .* put it back, or begin a new run$/);
});
