import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chunksOf, keepChunk, type Part, parts, type Tried } from "./trials.ts";

// `npm run campaign -- [PART...]` runs the large suites of docs/reliability.md one after the other, by default all of them, in chunks of a
// few minutes, and keeps the outcomes of each chunk in docs/results/reliability. Chunks that have passed are not run again: interrupt it
// when you like, and call it again. `--list` lists the parts.

const root = join(import.meta.dirname, "..");
const given = process.argv.slice(2);
if (given.includes("--list")) {
  for (const part of parts)
    process.stdout.write(`${part.name.padEnd(18)} ${part.chunks} x ${commandOf(part, 1)}\n`);
  process.exit(0);
}
const unknown = given.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no part ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}\n`,
  );
  process.exit(2);
}
let failed = 0;
for (const part of parts.filter(({ name }) => given.length === 0 || given.includes(name))) {
  const begun = performance.now();
  for (let seed = 1; seed <= part.chunks; seed++) {
    const before = chunksOf(root, part).find((chunk) => chunk.seed === seed);
    if (before?.passed === true) continue;
    process.stdout.write(`\n${part.name}, ${seed} of ${part.chunks}: ${commandOf(part, seed)}\n`);
    const { passed, seconds, suites } = await run(part, seed);
    if (!passed) failed++;
    const failures = (before?.failures ?? 0) + (passed ? 0 : 1);
    keepChunk(root, part, { seed, passed, failures, coreMinutes: Math.round(seconds / 6) / 10, suites });
  }
  process.stdout.write(`== ${part.name}: ${((performance.now() - begun) / 60_000).toFixed(1)} min\n`);
}
process.exit(failed > 0 ? 1 : 0);

function variables({ seed: name, sizes }: Part, seed: number): Record<string, string> {
  const all = name === undefined ? sizes : { ...sizes, [name]: seed };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, String(value)]));
}

/** What runs a chunk by hand. */
function commandOf(part: Part, seed: number): string {
  const set = Object.entries(variables(part, seed)).map(([key, value]) => `${key}=${value}`);
  const tests = part.tests.map((word) => (/[^\w./-]/.test(word) ? `"${word}"` : word));
  return `${set.join(" ")} npx vitest run ${tests.join(" ")}`;
}

/** Runs a chunk; its output also goes to the terminal. */
async function run(part: Part, seed: number) {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-campaign-"));
  const file = join(folder, "trials.jsonl");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "slow",
    "--project",
    "trust",
    ...part.tests,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...variables(part, seed), LUDOFLOW_TRIALS: file },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    process.stdout.write(bytes);
    output += bytes.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  rmSync(folder, { recursive: true });
  const seconds = Number(/processor time: (\d+) s/.exec(output)?.[1] ?? Number.NaN);
  // A name that no test has any more would pass too.
  return {
    passed: code === 0 && lines.length > 0,
    seconds,
    suites: merged(lines.map((line) => JSON.parse(line) as Tried)),
  };
}

/** One line for each suite: its tests have reported theirs one by one. */
function merged(tried: readonly Tried[]): Tried[] {
  return [...Map.groupBy(tried, ({ suite }) => suite)].map(([suite, all]) => {
    const outcomes: Record<string, number> = {};
    for (const each of all)
      for (const [outcome, count] of Object.entries(each.outcomes))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    return { suite, tried: all.reduce((sum, each) => sum + each.tried, 0), outcomes };
  });
}
