import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { oldNode, packageWithNode } from "../../bin/old-node.ts";
import { bin } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

/** A user without a name and without files: the limit of processes and threads holds for no superuser. */
const NOBODY = "54321";

/** Whether commands can be started as that user here, who can read the sources. */
function canBeNobody(): boolean {
  if (process.platform !== "linux" || process.getuid!() !== 0) return false;
  try {
    execFileSync(
      "prlimit",
      ["--nproc=64", "setpriv", `--reuid=${NOBODY}`, "--clear-groups", process.execPath, "--check", bin],
      {
        stdio: "ignore",
      },
    );
    return true;
  } catch {
    return false;
  }
}

it.skipIf(!canBeNobody())(
  "a run that gets no further thread says so and goes on later, also for a user without a name",
  () => {
    const scratch = scratchFolder();
    chmodSync(scratch, 0o777);
    const file = writeExperiment(
      scratch,
      `
name: few-threads
seed: 1
workers: 4
game: { rules: tic-tac-toe }
agents: { uniform: { use: random } }
graph: { match: { use: arena, agents: [uniform], games: 40 } }
`,
    );
    const folder = join(scratch, "run");
    const asNobody = (limit: string, ...args: string[]) =>
      spawnSync(
        "prlimit",
        [
          `--nproc=${limit}`,
          "setpriv",
          `--reuid=${NOBODY}`,
          "--clear-groups",
          process.execPath,
          bin,
          ...args,
        ],
        { encoding: "utf8", env: { ...process.env, HOME: scratch, TMPDIR: scratch } },
      );
    // Node itself has about seven threads.
    const few = asNobody("8", "run", file, "--out", folder);
    expect(few.stderr).toContain(
      "the system gives no further thread; raise the limit (ulimit -u), or use fewer workers",
    );
    expect(few.stderr).not.toMatch(/^ +at /m);
    expect(few.status).toBe(1);
    const later = asNobody("2000", "resume", folder);
    expect(later.status, later.stderr).toBe(0);
    expect(existsSync(join(folder, "report.html"))).toBe(true);
    const unbroken = join(scratch, "unbroken");
    expect(asNobody("2000", "run", file, "--out", unbroken).status).toBe(0);
    expect(readFileSync(join(folder, "games/match.games"))).toEqual(
      readFileSync(join(unbroken, "games/match.games")),
    );
  },
);

const old = oldNode();

it.skipIf(old === undefined || process.platform === "win32")(
  "a Node that waits for its threads without end is killed after half a minute, which is told",
  () => {
    const { launcher } = packageWithNode("#!/bin/sh\nexec sleep 300\n");
    const { status, stderr } = spawnSync(old!, [launcher, "--version"], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stderr).toMatch(/^\S+ does not start here\. The system may give too few threads: .*\n$/);
    expect(status).toBe(2);
  },
);
