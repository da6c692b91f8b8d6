import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureCoverage, RegionMap, testsOf, type Coverage } from "./coverage.ts";
import { draw } from "./draw.ts";
import { mutantsOf, withMutant, type Mutant } from "./mutants.ts";
import { csvOf, idOf, survivorsOf, tableOf, type Result } from "./results.ts";
import { filesOf, Sandbox } from "./sandbox.ts";
import { runTests } from "./test-run.ts";

const usage = `npm run mutation -- [options]

Plants small faults in the sources, one at a time, and runs the tests that reach them: a fault that no test notices is
a hole in the tests. Works on copies of the tree; the sources themselves are never changed.

  --count N        mutants to draw (500)
  --seed N         what they are drawn by (1)
  --only PATH      only of this file or folder; may be repeated
  --at FILE:LINE   all mutants of this line, in place of drawn ones; may be repeated
  --tests PATH     only with the tests of this file or folder; may be repeated
  --survivors      only the survivors among those drawn by the seed, once more, with all their tests
  --processes N    processes side by side (2)
  --minutes N      begins no mutant later than this (44)
  --budget N       seconds of tests a mutant before others have their turn (15)
  --csv FILE       writes every mutant and how it ended to this file
  --fresh          begins anew, in place of going on with what an interrupted call has done

Results are kept in .mutation/.`;

/** What is mutated, and what is not: pictures, which tests compare by a few marks only. */
const ROOMS = ["src/games/", "src/search/", "src/stats/", "src/random.ts"];
const EXCLUDED = /\/drawing\.ts$/;

/** Tests that enter no source of these rooms: they read files, or test this tool. */
const IDLE = /^test\/(floors\.test\.ts|mutation\/)/;

/** A test file may take this much longer than without a mutant; the seconds are for what grows with no run. */
const SLOWER = 5;
const SLOWER_SECONDS = 8;

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [] },
    tests: { type: "string", multiple: true, default: [] },
    at: { type: "string", multiple: true, default: [] },
    survivors: { type: "boolean", default: false },
    processes: { type: "string", default: "2" },
    minutes: { type: "string", default: "44" },
    budget: { type: "string", default: "15" },
    csv: { type: "string" },
    fresh: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(usage);
  process.exit(0);
}

const began = performance.now();
const root = resolve(import.meta.dirname, "..");
const kept = join(root, ".mutation");
mkdirSync(kept, { recursive: true });
const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interrupted.abort());

const files = filesOf(root);
const sources = new Map(
  files
    .filter((file) => file.endsWith(".ts") && ROOMS.some((room) => file.startsWith(room)))
    .filter((file) => !EXCLUDED.test(file))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]),
);
const tests = files.filter(
  (file) =>
    file.startsWith("test/") && file.endsWith(".test.ts") && within(file, options.tests) && !IDLE.test(file),
);
const chosen = choose();
const resultsFile = join(
  kept,
  options.at.length > 0 ? "at.jsonl" : options.survivors ? "survivors.jsonl" : `seed-${options.seed}.jsonl`,
);
const goesOn = !options.fresh && options.at.length === 0 && !options.survivors;
const results = new Map(
  (goesOn ? resultsIn(resultsFile) : []).map((result) => [idOf(result.mutant), result]),
);
if (!goesOn) writeFileSync(resultsFile, "");
const sandboxes = Array.from(
  { length: Number(options.processes) },
  (_, i) => new Sandbox(root, join(kept, `sandbox-${i + 1}`)),
);

try {
  await run();
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  console.log("interrupted; call again to go on");
  process.exitCode = 130;
} finally {
  for (const sandbox of sandboxes) sandbox.remove();
}

/** Whether a file is one of these, or in one of these folders; with none named every file is. */
function within(file: string, paths: readonly string[]): boolean {
  return paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`));
}

/** The mutants that this call is about. */
function choose(): Mutant[] {
  const sites = [...sources]
    .filter(([file]) => within(file, options.only))
    .flatMap(([file, text]) => mutantsOf(file, text));
  if (options.survivors) {
    const survived = new Set(
      resultsIn(join(kept, `seed-${options.seed}.jsonl`))
        .filter(({ end }) => end === "survived" || end === "no-coverage")
        .map(({ mutant }) => idOf(mutant)),
    );
    return sites.flat().filter((mutant) => survived.has(idOf(mutant)));
  }
  if (options.at.length === 0) return draw(sites, Number(options.count), Number(options.seed));
  return sites.flat().filter(({ file, line }) => options.at.includes(`${file}:${line}`));
}

/** Results of an earlier call; of a mutant, the last one counts. */
function resultsIn(file: string): Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Result);
}

async function run(): Promise<void> {
  if (chosen.length === 0) {
    console.log("no mutants");
    return;
  }
  const regions = new RegionMap(sources);
  const coverage = await coverageOf(regions);
  const failing = Object.entries(coverage.tests).filter(([, { passed }]) => !passed);
  for (const [test] of failing) console.log(`left out, as it fails without mutants: ${test}`);
  if (failing.length > tests.length / 4) throw new Error("the tests fail without mutants");

  const jobs = chosen.flatMap((mutant) => {
    const before = results.get(idOf(mutant));
    if (before !== undefined && (before.end !== "survived" || before.left.length === 0)) return [];
    const enters = testsOf(mutant.file, regions.at(mutant.file, mutant.start), coverage);
    const left: readonly string[] =
      before === undefined ? enters : before.left.filter((test) => enters.includes(test));
    return [{ mutant, left, run: before?.run ?? 0, seconds: before?.seconds ?? 0 }];
  });
  console.log(
    `${chosen.length} mutants of ${sources.size} files, ${chosen.length - jobs.length} of them done`,
  );
  const budget = options.at.length > 0 || options.survivors ? Infinity : Number(options.budget);
  const limit = Number(options.minutes) * 60_000;
  let shown = performance.now();
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      while (!interrupted.signal.aborted && performance.now() - began < limit) {
        const job = jobs.shift();
        if (job === undefined) return;
        const result = await tried(job, budget, sandbox, coverage);
        if (interrupted.signal.aborted) return;
        results.set(idOf(job.mutant), result);
        appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
        if (result.end === "survived" && result.left.length > 0) jobs.push({ ...result, left: result.left });
        if (performance.now() - shown < 10_000) continue;
        shown = performance.now();
        const of = chosen.map((mutant) => results.get(idOf(mutant))).filter((known) => known !== undefined);
        const survived = of.filter(({ end }) => end === "survived" || end === "no-coverage").length;
        console.log(`${of.length} of ${chosen.length} mutants, ${survived} not noticed, ${minutes()}`);
      }
    }),
  );
  report();
  interrupted.signal.throwIfAborted();
}

/** What the tests cover, measured anew where sources or tests have changed. */
async function coverageOf(regions: RegionMap): Promise<Coverage> {
  const hash = createHash("sha256");
  for (const file of files)
    if (/^(src|test|experiments)\//.test(file)) hash.update(file).update(readFileSync(join(root, file)));
  const of = hash.update(JSON.stringify(tests)).digest("hex");
  const file = join(kept, "coverage.json");
  if (existsSync(file)) {
    const before = JSON.parse(readFileSync(file, "utf8")) as Coverage;
    if (before.of === of) return before;
  }
  console.log(`measuring which of ${tests.length} test files enter which parts of ${sources.size} sources`);
  let shown = performance.now();
  const coverage = await measureCoverage({
    of,
    sources,
    regions,
    tests,
    sandboxes,
    signal: interrupted.signal,
    onProgress: (done) => {
      if (performance.now() - shown < 10_000) return;
      shown = performance.now();
      console.log(`${done} of ${tests.length} test files, ${minutes()}`);
    },
  });
  writeFileSync(file, JSON.stringify(coverage));
  return coverage;
}

/** Runs tests against a mutant, up to the budget, and at least one. */
async function tried(
  job: {
    readonly mutant: Mutant;
    readonly left: readonly string[];
    readonly run: number;
    readonly seconds: number;
  },
  budget: number,
  sandbox: Sandbox,
  coverage: Coverage,
): Promise<Result> {
  const { mutant } = job;
  if (job.left.length === 0)
    return {
      mutant,
      end: job.run > 0 ? "survived" : "no-coverage",
      run: job.run,
      left: [],
      seconds: job.seconds,
    };
  let sum = 0;
  const fits = job.left.findIndex((test) => (sum += coverage.tests[test]!.seconds) > budget);
  const now = fits < 0 ? job.left : job.left.slice(0, Math.max(1, fits));
  sandbox.change(mutant.file, withMutant(sources.get(mutant.file)!, mutant));
  const start = performance.now();
  const outcomes = await runTests({
    sandbox: sandbox.folder,
    tests: now,
    limitSeconds: (test) => SLOWER * (coverage.tests[test]?.seconds ?? 0) + SLOWER_SECONDS,
    bail: true,
    signal: interrupted.signal,
  });
  sandbox.restore(mutant.file);
  const seconds = job.seconds + (performance.now() - start) / 1000;
  const run = job.run + outcomes.length;
  const noticed = outcomes.find(({ end }) => end !== "passed");
  if (noticed === undefined)
    return { mutant, end: "survived", run, left: job.left.slice(now.length), seconds };
  const end = noticed.end === "failed" ? "killed" : "timed-out";
  return { mutant, end, by: `${noticed.test}: ${noticed.by}`, run, left: [], seconds };
}

function report(): void {
  const of = chosen.map((mutant) => results.get(idOf(mutant))).filter((result) => result !== undefined);
  const survivors = survivorsOf(of, (file) => sources.get(file)!);
  if (survivors !== "") console.log(`\n${survivors}`);
  console.log(`\n${tableOf(of)}`);
  if (options.csv !== undefined) writeFileSync(options.csv, csvOf(of));
  if (of.length < chosen.length)
    console.log(`${chosen.length - of.length} mutants not begun; call again to go on`);
  console.log(`\n${minutes()}`);
}

function minutes(): string {
  const seconds = Math.round((performance.now() - began) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
