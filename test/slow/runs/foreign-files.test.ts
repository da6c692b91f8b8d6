import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileCorrupt } from "../../../src/formats/files/file-corrupt.ts";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { resumedRun } from "../../../src/graph/start-run.ts";
import { openComparedRun } from "../../../src/runs/comparison/comparison.ts";
import { writeReport } from "../../../src/report/report.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import { summaryOf } from "../../../src/runs/run-summary.ts";
import { everyForeignFile, placeForeignFile } from "../../faults/foreign-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { makeRun, match, STARTED } from "../../runs/make-run.ts";

/** The output of a command, or why it refuses. */
async function outputOf(step: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await step()) ?? "";
  } catch (error) {
    if ([FileCorrupt, RunFolderInvalid, FileNotWritten].some((kind) => error instanceof kind))
      return (error as Error).message;
    throw error;
  }
}

it.skipIf(process.platform === "win32")(
  "commands neither read what is behind a link in the place of a run's own file, nor wait for a pipe there",
  async () => {
    const secret = join(scratchFolder(), "secret");
    writeFileSync(secret, "the-secret");
    for (const [kind, file] of everyForeignFile().filter(([, name]) => !name.includes("/"))) {
      const folder = makeRun([STARTED, match(100, [1, 2])]);
      placeForeignFile(folder, kind, file, secret);
      const { condition, message } = summaryOf(folder);
      expect([condition, message], file).toEqual([
        "damaged",
        expect.stringMatching(/ is (?:a symbolic link|a pipe, a socket or a device), not a regular file/),
      ]);
      for (const command of [
        () => writeReport(folder),
        () => openComparedRun(folder),
        () => resumedRun(folder, { asStarted: true }),
        () => forkRun(folder, { set: [] }),
      ])
        expect(await outputOf(command)).not.toContain("the-secret");
      expect(lstatSync(join(folder, file)).isFile()).toBe(false);
    }
    expect(readFileSync(secret, "utf8")).toBe("the-secret");
  },
);

it.skipIf(process.platform === "win32")("a report is not written through a link", () => {
  const folder = makeRun([STARTED, match(100, [1, 2])]);
  const other = join(scratchFolder(), "other");
  writeFileSync(other, "mine");
  placeForeignFile(folder, "link", "report.html", other);
  expect(() => writeReport(folder)).toThrow(/report\.html is a symbolic link, not a regular file/);
  expect(readFileSync(other, "utf8")).toBe("mine");
});
