import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { openComparedRun, compareRuns } from "../../src/runs/comparison/comparison.ts";
import { createRunFolder, openRunFolder } from "../../src/graph/folder/run-folder.ts";
import { checkpointName } from "../../src/operators/run/weights/checkpoint-files.ts";
import { forkRun } from "../../src/runs/fork-run.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { FINISHED, makeRun, match, STARTED } from "./make-run.ts";

it("refuses a run without checkpoints, and writes nothing", async () => {
  const out = join(scratchFolder(), "fork");
  const parent = makeRun([STARTED, FINISHED]);
  await expect(forkRun(parent, { set: [], out })).rejects.toThrow(/has no whole checkpoint to continue from/);
  await expect(forkRun(parent, { set: [], out, at: "100" })).rejects.toThrow(
    /has no checkpoint "100" \(checkpoints here: none\)/,
  );
  expect(existsSync(out)).toBe(false);
});

it("does not silently continue from an earlier checkpoint if the last one has lost its manifest, or is gone", async () => {
  const saved = (learned: number): RunEvent => {
    const path = `checkpoints/value/${checkpointName(learned)}`;
    return { type: "checkpoint", stage: "saved", path, learned, unit: "games" };
  };
  const out = join(scratchFolder(), "fork");
  const parent = makeRun([STARTED, saved(200), saved(400), FINISHED]);
  const [earlier, last] = [200, 400].map((learned) =>
    join(parent, "checkpoints/value", checkpointName(learned)),
  );
  mkdirSync(earlier!, { recursive: true });
  writeFileSync(join(earlier!, "checkpoint.json"), "{}");
  const refused = new RegExp(
    `${last},.* is gone: put it back, .*fork ${parent} --at checkpoints/value/0000000200`,
  );
  await expect(forkRun(parent, { set: [], out })).rejects.toThrow(refused);
  mkdirSync(last!);
  await expect(forkRun(parent, { set: [], out })).rejects.toThrow(refused);
  // The earlier one that is named is taken, and is looked at.
  await expect(forkRun(parent, { set: [], out, at: "200" })).rejects.toThrow(/0000000200.*checkpoint\.json/);
  expect(existsSync(out)).toBe(false);
});

it("a fork is no repetition of its run, though it has the same settings: compare names where it comes from", () => {
  const parent = makeRun([STARTED, match(400, [1, 2]), FINISHED]);
  const { experiment } = openRunFolder(parent);
  const folder = join(scratchFolder(), "fork");
  const claimed = createRunFolder(experiment, { set: [] }, folder, new Date(), {
    fork: { run: parent, id: "x", learned: 200, unit: "games", version: 2, set: [] },
    fill: () => undefined,
  });
  claimed.release();
  copyFileSync(join(parent, "metrics.jsonl"), join(folder, "metrics.jsonl"));
  const { groups, settings } = compareRuns([parent, folder].map(openComparedRun));
  expect(groups).toHaveLength(2);
  expect(settings.map(({ path }) => path)).toEqual(["forked from"]);
  expect(settings[0]!.values[1]).toMatch(/ at 200$/);
  expect(openRunFolder(folder).manifest.irreproducible?.[0]).toContain("it continues from another run");
});
