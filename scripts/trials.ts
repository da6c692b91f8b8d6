import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the results of `npm run campaign`, and the page that shows them. */
const RESULTS = "docs/results/reliability";
const PAGE = "docs/notebook/reliability.md";
const [BEGIN, END] = ["<!-- trials -->\n", "<!-- /trials -->"];

/** A large suite, in chunks of one seed each. */
export interface Part {
  readonly name: string;
  /** What it tries, for people. */
  readonly title: string;
  /** Arguments of vitest: the files of tests. */
  readonly tests: readonly string[];
  /** The variables of a chunk, and the one that its seed is in. */
  readonly sizes: Readonly<Record<string, number | string>>;
  readonly seed: string | undefined;
  readonly chunks: number;
}

const trusted = (name: string) => `test/trust/faults/${name}.test.ts`;

/** All parts, in the order in which they are run. */
export const parts: readonly Part[] = [
  {
    name: "lines",
    title: "changed lines",
    tests: [trusted("wire-mutations")],
    sizes: { LUDOFLOW_LINES: 10_000 },
    seed: "LUDOFLOW_LINE_SEED",
    chunks: 10,
  },
  {
    name: "memory",
    title: "memory",
    tests: [trusted("flat-memory")],
    sizes: { LUDOFLOW_GAMES: 100_000 },
    seed: undefined,
    chunks: 1,
  },
  {
    name: "damaged-files",
    title: "damaged files through all readers",
    tests: [trusted("damaged-files")],
    sizes: { LUDOFLOW_MUTATIONS: 100 },
    seed: "LUDOFLOW_MUTATION_SEED",
    chunks: 10,
  },
  {
    name: "every-fault",
    title: "each operation of one run fails",
    tests: [trusted("crash-states"), "-t", "self-play.*says"],
    sizes: { LUDOFLOW_EVERY_FAULT: "zero" },
    seed: undefined,
    chunks: 1,
  },
  {
    name: "crashes",
    title: "crashes and faults of the disk",
    tests: [trusted("crash-states")],
    sizes: { LUDOFLOW_CRASHES: 15, LUDOFLOW_DISK_FAULTS: 5 },
    seed: "LUDOFLOW_FAULT_SEED",
    chunks: 10,
  },
  {
    name: "failed-writes",
    title: "each operation of all other writers fails",
    tests: ["test/trust/faults/failed-writes.test.ts"],
    sizes: { LUDOFLOW_FAILED_WRITES: 10_000 },
    seed: undefined,
    chunks: 1,
  },
  {
    name: "kills",
    title: "kills",
    tests: [trusted("kills")],
    sizes: { LUDOFLOW_KILLS: 100 },
    seed: "LUDOFLOW_KILL_SEED",
    chunks: 10,
  },
  {
    name: "webgpu",
    title: "starts on a software driver of WebGPU",
    tests: ["test/trust/compute/webgpu-runs.test.ts"],
    sizes: { LUDOFLOW_STARTS: 200 },
    seed: undefined,
    chunks: 1,
  },
  {
    name: "experiments",
    title: "changed experiments",
    tests: [trusted("yaml-mutations")],
    sizes: { LUDOFLOW_EXPERIMENTS: 1000 },
    seed: "LUDOFLOW_EXPERIMENT_SEED",
    chunks: 10,
  },
  {
    name: "damaged-commands",
    title: "damaged files through commands",
    tests: [trusted("damaged-commands")],
    // The runs that are damaged are made anew in each chunk, which takes two minutes.
    sizes: { LUDOFLOW_DAMAGED: 100 },
    seed: "LUDOFLOW_DAMAGED_SEED",
    chunks: 10,
  },
];

/** The outcomes of the cases of a suite, as `Trials` of the tests writes them. */
export interface Tried {
  readonly suite: string;
  readonly tried: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** A chunk that was run. */
export interface Chunk {
  readonly seed: number;
  readonly passed: boolean;
  /** How often it has failed. */
  readonly failures: number;
  /** Minutes of one core, of the last time. */
  readonly coreMinutes: number;
  readonly suites: readonly Tried[];
}

/** The chunks of a part that were run; none if it was not run. */
export function chunksOf(root: string, { name }: Part): readonly Chunk[] {
  const path = join(root, RESULTS, `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Chunk[]) : [];
}

/** Keeps a chunk in place of the one of its seed, and writes the table of the page again. */
export function keepChunk(root: string, part: Part, chunk: Chunk): void {
  const others = chunksOf(root, part).filter(({ seed }) => seed !== chunk.seed);
  const path = join(root, RESULTS, `${part.name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  const all = [...others, chunk].toSorted((a, b) => a.seed - b.seed);
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  const page = readFileSync(join(root, PAGE), "utf8");
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest!.split(END);
  const rows = trialRows(root).map((cells) => `| ${cells.join(" | ")} |\n`);
  writeFileSync(join(root, PAGE), `${before}${BEGIN}${HEAD}${rows.join("")}${SOURCE}${END}${after}`);
}

const SOURCE = "\nData: [reliability](../results/reliability).\n\n";
const HEAD =
  "| what | cases | outcomes | seeds | failed once | fail now | core-minutes |\n|---|---|---|---|---|---|---|\n";

/** The rows of the table of what was tried: one for each suite of each part that was run. */
export function trialRows(root: string): string[][] {
  return parts.flatMap((part) => {
    const chunks = chunksOf(root, part);
    const suites = [...new Set(chunks.flatMap((chunk) => chunk.suites.map(({ suite }) => suite)))];
    return suites.map((suite, i) => {
      const tried = chunks.flatMap((chunk) => chunk.suites.filter((each) => each.suite === suite));
      const outcomes = new Map<string, number>();
      for (const each of tried)
        for (const [outcome, count] of Object.entries(each.outcomes))
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
      const count = (of: (chunk: Chunk) => number) =>
        i > 0 ? "" : chunks.reduce((sum, chunk) => sum + of(chunk), 0).toFixed(0);
      return [
        suites.length > 1 ? `${part.title}: ${suite}` : part.title,
        tried.reduce((sum, each) => sum + each.tried, 0).toLocaleString("en"),
        [...outcomes].map(([outcome, times]) => `${outcome} ${times.toLocaleString("en")}`).join("; "),
        i > 0 ? "" : chunks.length.toFixed(0),
        count(({ failures }) => failures),
        count(({ passed }) => (passed ? 0 : 1)),
        count(({ coreMinutes }) => coreMinutes),
      ];
    });
  });
}
