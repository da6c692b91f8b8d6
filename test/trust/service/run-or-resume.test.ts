import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { bin } from "../../cli/run-cli.ts";
import { root } from "../../docs/pages.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** A run of some seconds that is saved again and again. */
const RUN = `extends: quickstart
name: mine
graph:
  learn: { games: 1500, every: 100 }
  saved: { every: 1 }
  curve: { games: 4 }
  gain: { games: 2 }
`;

it("what the unit and the container start runs, is continued after a stop and after a kill, and leaves a finished run alone", async () => {
  const folder = scratchFolder();
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "ludoflow"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(programs, "ludoflow"), 0o755);
  writeFileSync(join(folder, "my.yaml"), RUN);
  // The line of the unit, with its folders here.
  const [, line] = /^ExecStart=(.*)$/m.exec(
    readFileSync(join(root, "examples/service/ludoflow-run@.service"), "utf8"),
  )!;
  const [script, ...args] = line!
    .replace("/usr/local/bin/run-or-resume.sh", join(root, "examples/service/run-or-resume.sh"))
    .replace("/etc/ludoflow/%i.yaml", join(folder, "my.yaml"))
    .replace("/var/lib/ludoflow/%i", join(folder, "runs/my"))
    .split(" ");
  const run = join(folder, "runs/my");
  const start = () => {
    const child = spawn(script!, args, {
      stdio: "ignore",
      env: { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"]}` },
    });
    const ended = new Promise<number | string | null>((resolve) =>
      child.on("exit", (code, signal) => resolve(signal ?? code)),
    );
    return { child, ended };
  };
  const saved = async (count: number) => {
    const checkpoints = join(run, "metrics.jsonl");
    const lines = () => (existsSync(checkpoints) ? readFileSync(checkpoints, "utf8").split("\n").length : 0);
    const enough = lines() + count;
    while (lines() < enough) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  const first = start();
  await saved(10);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(130);
  const second = start();
  await saved(3);
  second.child.kill("SIGKILL");
  expect(await second.ended).toBe("SIGKILL");
  expect(await start().ended).toBe(0);
  const finished = readFileSync(join(run, "metrics.jsonl"), "utf8");
  expect(await start().ended).toBe(0);
  expect(readFileSync(join(run, "metrics.jsonl"), "utf8")).toBe(finished);
});
