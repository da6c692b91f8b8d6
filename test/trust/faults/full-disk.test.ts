import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { summaryOf } from "../../../src/runs/run-summary.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { smallDisk } from "../../formats/small-disk.ts";
import { fullAfter } from "../../graph/full-disk.ts";
import { resultsOf, resumeRun, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

it("a run that a full disk has ended goes on to the bytes of one that had room", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, tablesExperiment);
  const whole = join(scratch, "whole");
  expect(await startRun(file, whole)).toEqual({ outcome: "finished" });
  for (const events of [0, 5]) {
    const folder = join(scratch, `full-after-${events}`);
    const disk = fullAfter(events);
    const { outcome } = await startRun(file, folder);
    disk.free();
    expect(outcome).toBe("failed");
    expect(resultsOf(folder)).not.toEqual(resultsOf(whole));
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(resultsOf(whole));
    const last = readMetrics(metricsPath(folder)).at(-1);
    expect(last).toMatchObject({ type: "run-ended", outcome: "finished" });
  }
});

// What `assertWritable` asks for before a run begins, and room for the run.
const disk = smallDisk(20);

it("a run on a file system that is really full goes on to the same bytes when there is room", async ({
  skip,
}) => {
  skip(disk === undefined, "needs the right to mount a tmpfs");
  const file = writeExperiment(scratchFolder(), tablesExperiment);
  const whole = join(scratchFolder(), "whole");
  expect(await startRun(file, whole)).toEqual({ outcome: "finished" });
  let failed = 0;
  for (const room of [0, 4, 8, 12, 20, 28]) {
    const folder = join(disk!, "run");
    const filler = join(disk!, "filler");
    const fill = () => {
      const { bavail, bsize } = statfsSync(disk!);
      writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - 1024 * room)));
    };
    const outcome = await startRun(file, folder, [], {
      onEvent: ({ type }) => void (type === "run-started" && fill()),
    });
    rmSync(filler);
    if (outcome.outcome === "failed") {
      failed++;
      expect(outcome.error.message).toMatch(/^cannot write .*: no space left on the device/);
      expect(summaryOf(folder).condition).toMatch(/^(?:failed|stopped)$/);
      expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    }
    expect(resultsOf(folder)).toEqual(resultsOf(whole));
    rmSync(folder, { recursive: true });
  }
  expect(failed).toBeGreaterThan(3);
});

it.skipIf(process.platform === "win32")(
  "a run that a limit of file sizes has ended goes on to the same bytes without the limit",
  () => {
    const scratch = scratchFolder();
    const file = writeExperiment(scratch, tablesExperiment);
    const ludoflow = (limit: string, ...args: string[]) =>
      spawnSync(
        "bash",
        ["-c", `ulimit -f ${limit}; exec "$@"`, "bash", process.execPath, "bin/ludoflow.js", ...args],
        {
          encoding: "utf8",
        },
      );
    const whole = join(scratch, "whole");
    expect(ludoflow("unlimited", "run", file, "--out", whole).status).toBe(0);
    for (const limit of [4, 7, 11]) {
      const folder = join(scratch, `limit-${limit}`);
      const first = ludoflow(String(limit), "run", file, "--out", folder);
      expect([first.status, first.stderr]).toEqual([
        1,
        expect.stringContaining("the file would be larger than"),
      ]);
      expect(first.stderr).toContain("continue from there with: ludoflow resume");
      const second = ludoflow("unlimited", "resume", folder);
      expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining("damaged")]);
      expect(resultsOf(folder)).toEqual(resultsOf(whole));
    }
  },
);
