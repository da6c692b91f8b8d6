import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bin } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

/** Calls a command that may have as many open files, standard output included. */
function limited(files: number, ...args: string[]) {
  const command = `ulimit -n ${files}; exec "$@"`;
  const { status, stderr } = spawnSync("sh", ["-c", command, "sh", process.execPath, bin, ...args], {
    encoding: "utf8",
  });
  return { status, stderr };
}

it.skipIf(process.platform !== "linux")(
  "a run with fewer open files than its threads need says so, and resumes to the results of an unbroken one",
  () => {
    const scratch = scratchFolder();
    const file = writeExperiment(
      scratch,
      `
name: few-files
seed: 1
game: { rules: tic-tac-toe }
agents: { uniform: { use: random } }
graph: { match: { use: arena, agents: [uniform], games: 600, inFlight: 2 } }
`,
    );
    const [few, whole] = [join(scratch, "few"), join(scratch, "whole")];
    // The fewest files that the launcher accepts are enough for eight threads.
    const eight = limited(128, "run", file, "--out", whole, "--set", "workers=8");
    expect(eight.status, eight.stderr).toBe(0);
    const many = limited(128, "run", file, "--out", few, "--set", "workers=60");
    expect(many.status).toBe(1);
    expect(many.stderr).toMatch(/EMFILE.*raise the limit of open files \(ulimit -n\)/);
    expect(many.stderr).toMatch(/continue from there with: ludoflow resume \S+\/few$/m);
    expect(many.stderr).not.toMatch(/^ +at /m);
    const later = limited(2000, "resume", few, "--workers", "2");
    expect(later.status, later.stderr).toBe(0);
    expect(resultsOf(few)).toEqual(resultsOf(whole));
  },
);

it.skipIf(process.platform !== "linux")(
  "a run whose events go to a full device says so in a line, and ends with the results of one that had room",
  () => {
    const scratch = scratchFolder();
    const file = writeExperiment(scratch, zeroExperiment);
    const command = (folder: string, to: string) =>
      spawnSync(
        "sh",
        [
          "-c",
          `exec "$@" > ${to}`,
          "sh",
          process.execPath,
          bin,
          "run",
          file,
          "--json",
          "--out",
          join(scratch, folder),
        ],
        { encoding: "utf8" },
      );
    const full = command("full", "/dev/full");
    expect(full.status).toBe(1);
    expect(full.stderr).toMatch(
      /^the output cannot be written: ENOSPC.*; the command continues without it$/m,
    );
    expect(full.stderr).not.toMatch(/^ +at /m);
    expect(command("whole", "/dev/null").status).toBe(0);
    expect(resultsOf(join(scratch, "full"))).toEqual(resultsOf(join(scratch, "whole")));
  },
);
