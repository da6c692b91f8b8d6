import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { bin } from "../../cli/run-cli.ts";
import { root } from "../../docs/pages.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** A run of some seconds that is saved again and again. */
const RUN = `name: mine
seed: 1
workers: 1
game: { rules: 2048, rows: 2, columns: 3 }
nets: { value: { use: n-tuple, tuples: board } }
agents: { greedy: { use: greedy, net: value } }
graph:
  learn: { use: td-learner, net: value, games: 60000, every: 2000 }
  saved: { use: checkpoint, from: learn, every: 1, keep: 2 }
  curve: { use: arena, after: learn, every: 5, agents: [greedy], games: 4 }
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
  const metrics = join(run, "metrics.jsonl");
  /** Resolves when the run has written so many events more, or has ended. */
  const wrote = async (count: number, { child }: ReturnType<typeof start>) => {
    const lines = () => (existsSync(metrics) ? readFileSync(metrics, "utf8").split("\n").length : 0);
    const enough = lines() + count;
    while (lines() < enough && child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
  };

  const first = start();
  await wrote(10, first);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(130);
  const second = start();
  await wrote(3, second);
  second.child.kill("SIGKILL");
  expect(await second.ended).toBe("SIGKILL");
  expect(await start().ended).toBe(0);
  const finished = readFileSync(metrics, "utf8");
  expect(await start().ended).toBe(0);
  expect(readFileSync(metrics, "utf8")).toBe(finished);
});
