import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Argument, Command } from "commander";
import type { BenchReport } from "../../../bench/report.ts";
import { demandOnnxRuntime } from "../../compute/onnx-runtime.ts";
import { assertWritable, writeAtomically } from "../../formats/files/atomic-file.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { threads } from "../whole-number.ts";

interface BenchOptions {
  readonly json?: boolean;
  readonly only?: string;
  readonly threads?: number;
  readonly out?: string;
}

/** The benches by name; loaded when run, since some start engines of their own. */
const benches: Readonly<Record<string, (options: BenchOptions) => Promise<BenchReport>>> = {
  compute: async ({ only = "", threads: count = 2 }) => {
    demandOnnxRuntime();
    return (await import("../../../bench/compute.ts")).benchCompute({ only, threads: count });
  },
  games: async () => (await import("../../../bench/games.ts")).benchGames(),
  "n-tuple": async () => (await import("../../../bench/n-tuple.ts")).benchNTuple(),
  selfplay: async () => (await import("../../../bench/selfplay.ts")).benchSelfPlay(),
  search: async () => (await import("../../../bench/search.ts")).benchSearch(),
  learning: async ({ only }) =>
    (await import("../../../bench/learning.ts")).benchLearning(only === undefined ? {} : { only }),
  schedule: async ({ only }) =>
    (await import("../../../bench/schedule.ts")).benchSchedule(only === undefined ? {} : { only }),
  "td-lambda": async () => (await import("../../../bench/td-lambda.ts")).benchTdLambda(),
  training: async () => (await import("../../../bench/training.ts")).benchTraining(),
  supervised: async () => (await import("../../../bench/supervised.ts")).benchSupervised(),
  data: async () => (await import("../../../bench/data.ts")).benchData(),
  examples: async () => (await import("../../../bench/examples.ts")).benchExamples(),
  events: async () => (await import("../../../bench/events.ts")).benchEvents(),
  fleet: async () => (await import("../../../bench/fleet/bench.ts")).benchFleet(),
};

/** The benches with `--only`. */
const chosen: ReadonlySet<string> = new Set(["compute", "learning", "schedule"]);

/** `ludoflow bench NAME`: measures a part beside a named peer in the same run. */
export function benchCommand(): Command {
  return new Command("bench")
    .addArgument(new Argument("<name>", "what to measure").choices(Object.keys(benches)))
    .description(
      "Measure the speed of a part beside a named peer in the same run (medians; ratio > 1 is faster).",
    )
    .option("--json", "the report as one JSON line")
    .option(
      "--only <text>",
      "for compute, learning and schedule: only the cases whose names contain this text",
    )
    .option(
      "--threads <number>",
      "for compute: threads of our nets, and the most of PyTorch (default: 2)",
      threads,
    )
    .option("--out <file>", "also write the report to this file, with the machine and how busy it was")
    .addHelpText(
      "after",
      "\nExamples:\n  $ ludoflow bench games\n  $ ludoflow bench search --out search.json\n  $ ludoflow bench compute --json\n  $ ludoflow bench compute --only 64x5 --threads 1",
    )
    .action(async (name: string, options: BenchOptions) => {
      if (options.only !== undefined && !chosen.has(name))
        throw new UsageError(`--only chooses among the cases of ${[...chosen].join(", ")}, not of ${name}`);
      if (options.threads !== undefined && name !== "compute")
        throw new UsageError(`--threads is for compute, not for ${name}`);
      const record = options.out === undefined ? undefined : await openRecord(options.out, name, options);
      const report = await benches[name]!(options);
      if (report.rows.length === 0)
        throw new UsageError(`no case of ${name} has ${JSON.stringify(options.only)} in its name`);
      record?.(report);
      process.stdout.write(options.json === true ? `${JSON.stringify(report)}\n` : table(report));
    });
}

/**
 * Opens the file for the report of a bench; what it returns writes it. The machine and its other work are those of before the
 * measurement, and a file that cannot be written is reported before it.
 */
async function openRecord(
  file: string,
  name: string,
  { only, threads: count }: BenchOptions,
): Promise<(report: BenchReport) => void> {
  const { recordOf } = await import("../../../bench/record.ts");
  const path = resolve(file);
  if (existsSync(path) && statSync(path).isDirectory())
    throw new UsageError(`--out ${file} is a folder; name a file`);
  if (!existsSync(dirname(path)))
    throw new UsageError(
      `--out ${file}: the folder ${dirname(path)} does not exist; create it or name another`,
    );
  assertWritable(dirname(path));
  const command = [
    `ludoflow bench ${name}`,
    ...(only === undefined ? [] : [`--only ${JSON.stringify(only)}`]),
    ...(count === undefined ? [] : [`--threads ${count}`]),
  ].join(" ");
  const record = await recordOf(command);
  return (report) => writeAtomically(path, `${JSON.stringify(record(report), undefined, 2)}\n`);
}

function table(report: BenchReport): string {
  const rows = report.rows.map(({ case: what, metric, value, unit, interval, peer }) => [
    what,
    metric,
    `${number(value)} ${unit}${interval === undefined ? "" : ` [${interval.map(number).join(", ")}]`}`,
    peer === undefined ? "" : `${peer.ratio.toFixed(2)} x ${peer.name} (${number(peer.value)})`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 });
}
