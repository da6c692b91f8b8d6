import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tenthOfCommit, tenths } from "./tenths.ts";

// `npm run trust` runs the suites of test/trust, which rarely find anything, and with all their cases the tests of which
// `npm test` takes a fifth (test/number-of-cases.ts): all of them, or with `--tenth COMMIT` the tenth that the hash of a commit
// chooses. A suite that uses test/trust/tenth.ts has a part in each tenth; the others are distributed by the seconds that they
// took. `--measure` runs all and writes these seconds; `--list` lists the tenths. Paths run single suites, and may be followed
// by options of vitest.

const root = join(import.meta.dirname, "..");
const SECONDS = join(root, "test/trust/seconds.json");
const USAGE = "usage: npm run trust [-- --tenth COMMIT | --list | --measure | PATH...]";

/** Where suites lie; in all but the last also tests of which `npm test` takes some cases. */
const PROJECTS = ["shared", "apart", "transformed", "trust"];

/** Whether a file of the tests is this module, or imports it, directly or not. */
function reaches(file: string, module: string, passed = new Set<string>()): boolean {
  if (file === module) return true;
  if (passed.has(file) || !file.startsWith("test/") || !existsSync(join(root, file))) return false;
  passed.add(file);
  const source = readFileSync(join(root, file), "utf8");
  return Array.from(source.matchAll(/ from "(\.[^"]+\.ts)"/g), ([, path]) => join(dirname(file), path!)).some(
    (each) => reaches(each, module, passed),
  );
}

const isDivided = (file: string) => reaches(file, "test/trust/tenth.ts");
const files = globSync("test/**/*.test.ts", { cwd: root })
  .filter(
    (file) =>
      file.startsWith("test/trust/") ||
      (!file.startsWith("test/slow/") && reaches(file, "test/number-of-cases.ts")),
  )
  .toSorted();
const divided = files.filter(isDivided);
const whole = files.filter((file) => !isDivided(file));
const seconds = existsSync(SECONDS)
  ? (JSON.parse(readFileSync(SECONDS, "utf8")) as Record<string, number>)
  : {};
const parts = tenths(whole, seconds);

const [option, commit] = process.argv.slice(2);
if (option === "--list") {
  process.stdout.write(`in each tenth, a part of:\n  ${divided.join("\n  ")}\n`);
  for (const [tenth, part] of parts.entries())
    process.stdout.write(`tenth ${tenth}:\n  ${part.join("\n  ")}\n`);
} else if (option === "--tenth") {
  if (commit === undefined || !/^[0-9a-f]{7,64}$/.test(commit)) usage();
  const tenth = tenthOfCommit(commit);
  const chosen = [...divided, ...parts[tenth]!];
  process.stdout.write(`tenth ${tenth} of 0 to 9, by commit ${commit}:\n  ${chosen.join("\n  ")}\n`);
  process.exitCode = run(chosen, tenth).status;
} else if (option === "--measure") {
  const { status, took } = run(files);
  writeFileSync(SECONDS, `${JSON.stringify({ ...seconds, ...took }, undefined, 2)}\n`);
  process.exitCode = status;
} else if (option === undefined) process.exitCode = run(files).status;
else if (option.startsWith("-")) usage();
else process.exitCode = run(process.argv.slice(2)).status;

function usage(): never {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

/** Runs test files, of divided suites the part of a tenth; by file the seconds that it took. */
function run(chosen: readonly string[], tenth?: number): { status: number; took: Record<string, number> } {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-trust-"));
  const report = join(folder, "report.json");
  const args = [
    "run",
    ...PROJECTS.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...args, ...chosen], {
    cwd: root,
    env: {
      ...process.env,
      LUDOFLOW_CASES: "all",
      ...(tenth === undefined ? {} : { LUDOFLOW_TENTH: String(tenth) }),
    },
    stdio: "inherit",
  });
  const took: Record<string, number> = {};
  if (existsSync(report)) {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: readonly { name: string; startTime: number; endTime: number }[];
    };
    for (const { endTime, name, startTime } of testResults)
      took[name.slice(root.length + 1)] = Math.round((endTime - startTime) / 1000);
  }
  rmSync(folder, { recursive: true });
  return { status: status ?? 1, took };
}
