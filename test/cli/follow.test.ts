import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { follow } from "../../src/cli/follow.ts";
import { initialState } from "../../src/events/run-state.ts";
import { FileNotWritten } from "../../src/formats/files/file-not-written.ts";
import type { RunOutcome } from "../../src/graph/run-experiment.ts";
import type { Run } from "../../src/graph/start-run.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

afterEach(() => void vi.restoreAllMocks());

/** A run in an empty folder that ends with the given outcome. */
function runThat(start: () => Promise<RunOutcome>): Run {
  return {
    experiment: { name: "test" } as Run["experiment"],
    folder: scratchFolder(),
    remarks: [],
    stopping: false,
    state: initialState,
    observe: () => () => undefined,
    watch: () => () => undefined,
    start,
    stop: () => undefined,
  };
}

/** The exit code of a run, and the lines on standard error; the handlers of signals must be as before. */
async function followed(run: Run) {
  const handlers = () => ["SIGINT", "SIGTERM"].map((signal) => process.listenerCount(signal));
  const before = handlers();
  let err = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
  const code = await follow(run, { json: true });
  expect(handlers()).toEqual(before);
  return { code, err };
}

it("a run that ends without its report ends with exit code 1, and says how to write it", async () => {
  const run = runThat(() => Promise.resolve({ outcome: "finished" }));
  writeFileSync(join(run.folder, "metrics.jsonl"), "");
  mkdirSync(join(run.folder, "report.html"));
  const { code, err } = await followed(run);
  expect(code).toBe(1);
  expect(err).toMatch(/report\.html/);
  expect(err).toMatch(/the report is not written; write it with: ludoflow report /);
});

it("an interrupted run without its report can still be continued", async () => {
  const { code, err } = await followed(runThat(() => Promise.resolve({ outcome: "interrupted" })));
  expect(code).toBe(130);
  expect(err).toMatch(/the report is not written/);
  expect(err).toMatch(/Continue with: ludoflow resume /);
});

it("a run that cannot start any more ends with exit code 1, and the reason", async () => {
  const error = new FileNotWritten("metrics.jsonl", "no space left on the device", "free some space");
  const { code, err } = await followed(runThat(() => Promise.reject(error)));
  expect(code).toBe(1);
  expect(err).toMatch(/the run has failed: cannot write metrics\.jsonl: no space left/);
});
