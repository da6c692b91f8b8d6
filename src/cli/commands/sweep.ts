import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { outsideCodeOf } from "../../graph/code/outside-code.ts";
import { ExperimentInvalid } from "../../graph/problem.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { readSweep, sweepText } from "../../graph/sweep/sweep-plan.ts";
import { checkSweep } from "../../graph/sweep/check-sweep.ts";
import { writePages } from "../../report/report.ts";
import { type MemberEnd, runMembers } from "../../runs/sweep/run-members.ts";
import { openSweepFolder, sweepFolder } from "../../runs/sweep/sweep-folder.ts";
import { sweepReport, sweepResults } from "../../runs/sweep/sweep-report.ts";
import { onStopSignal } from "../../workers/stop-signals.ts";
import { type Allotted, durationOption, stopAfter } from "../flags/duration-flag.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";
import { outputTo } from "../progress/output.ts";
import { SweepProgress } from "../progress/sweep-progress.ts";
import { sweepResultsText } from "../sweep-text.ts";
import { threads, wholeNumberFrom } from "../whole-number.ts";

interface SweepFlags extends AllowCodeFlag {
  readonly out?: string;
  readonly jobs?: number;
  readonly workers?: number;
  readonly shard?: Shard;
  readonly for?: Allotted;
  readonly json?: boolean;
}

/** One part of a sweep's runs, for a job of an array. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `ludoflow sweep FILE`: the runs of a sweep, side by side. */
export function sweepCommand(): Command {
  const command = new Command("sweep").argument("<file>", "an experiment file with the key sweep");
  return durationOption(allowCodeOption(command))
    .description(
      "Run all experiments of a sweep side by side, and write one report. Called again, it continues: finished runs stay, others continue from their last checkpoint.",
    )
    .option("--out <folder>", "the folder of the sweep (default: runs/<name>/sweep)")
    .option(
      "--jobs <n>",
      "runs at the same time (default: as many as there are cores)",
      wholeNumberFrom(1, 1024),
    )
    .option(
      "--workers <n>",
      "threads that play games, in each run (default: cores shared among the runs)",
      threads,
    )
    .option("--shard <i/n>", "only part i of n, from 1 on: for the array jobs of a cluster", shard)
    .option("--json", "the results as one JSON document on standard output")
    .addHelpText(
      "after",
      `
Exit codes: 0 all runs have ended; 1 some have failed or are damaged; 130 stopped, and the same command continues.

Examples:
  $ ludoflow check lambda-sweep.yaml
  $ ludoflow sweep lambda-sweep.yaml --jobs 4
  $ ludoflow sweep lambda-sweep.yaml --shard $SLURM_ARRAY_TASK_ID/10 --for 4h`,
    )
    .action(async (given: string, options: SweepFlags) => {
      process.exitCode = await sweep(experimentPath(given), options);
    });
}

function shard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new InvalidArgumentError("expected i/n with i from 1 to n, as in 3/10");
  return { index, count };
}

async function sweep(file: string, options: SweepFlags): Promise<number> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const plan = readSweep(file);
  if (plan === undefined)
    throw new ExperimentInvalid([
      {
        file,
        line: 1,
        column: 1,
        path: "sweep",
        message: "this file is not a sweep: it has no key sweep; run it with ludoflow run",
      },
    ]);
  const permit = permitByUser(options);
  const graphs = await checkSweep(plan, permit);
  for (const { opened } of graphs) await permit(outsideCodeOf(opened.experiment));
  const folder = options.out ?? sweepFolder(plan);
  openSweepFolder(folder, plan);
  const members = plan.members.filter(
    (_, i) => options.shard === undefined || i % options.shard.count === options.shard.index - 1,
  );
  const { jobs, workers } = sharing(graphs[0]?.opened.experiment.workers, members.length, options);
  say(`${plan.name}: ${sweepText(plan)}, into ${folder}`);
  if (options.shard !== undefined)
    say(`part ${options.shard.index} of ${options.shard.count}: ${members.length} of these runs`);
  say(`${jobs} at the same time, each with ${workers} worker ${workers === 1 ? "thread" : "threads"}`);
  const progress = new SweepProgress(outputTo(process.stderr), members.length);
  const running = runMembers(plan, folder, members, {
    allowCode: options.allowCode === true,
    jobs,
    workers,
    onNews: (news) => progress.show(news),
  });
  let stopped = false;
  const interrupt = () => {
    progress.end();
    say(
      stopped
        ? "stopping at once; what was saved stays"
        : "saving the runs under way; press Ctrl-C again to stop at once",
    );
    stopped = true;
    running.stop();
  };
  const off = onStopSignal(interrupt);
  const timer =
    options.for === undefined
      ? undefined
      : setTimeout(interrupt, Math.max(0, 1000 * stopAfter(options.for) - performance.now()));
  const ends = await running.ended.finally(() => {
    off();
    clearTimeout(timer);
    progress.end();
  });
  const results = sweepResults(folder);
  const report = writePages(folder, sweepReport(results));
  if (options.json === true) process.stdout.write(`${JSON.stringify(results)}\n`);
  else if (results.comparison.measurements.length > 0) process.stdout.write(`${sweepResultsText(results)}\n`);
  // Runs that an earlier call has finished are not opened again: the results show what has been damaged since.
  const checked = ends.map((end) => {
    const { message } = results.failed.find((run) => run.folder === join(folder, end.member.name)) ?? {};
    return end.outcome === "before" && message !== undefined
      ? { ...end, outcome: "damaged" as const, message }
      : end;
  });
  return sayOutcome(checked, members.length, { file, report, say, options });
}

/** How a run has ended, or that it is damaged. */
interface CheckedEnd extends Omit<MemberEnd, "outcome"> {
  readonly outcome: MemberEnd["outcome"] | "damaged";
}

/** Says how the sweep has ended, and returns the exit code. */
function sayOutcome(
  ends: readonly CheckedEnd[],
  count: number,
  {
    file,
    options,
    report,
    say,
  }: {
    readonly file: string;
    readonly report: string;
    readonly say: (text: string) => void;
    readonly options: SweepFlags;
  },
): number {
  const failed = ends.filter(({ outcome }) => outcome === "failed");
  const damaged = ends.filter(({ outcome }) => outcome === "damaged");
  const done = ends.filter(({ outcome }) => outcome === "finished" || outcome === "before");
  for (const { member, message, outcome } of [...failed, ...damaged])
    say(`${outcome}: ${member.name}: ${message ?? "no reason reported"}`);
  say(`Report: ${relative(".", report)}`);
  const flags = [
    ...(options.out === undefined ? [] : [`--out ${options.out}`]),
    ...(options.shard === undefined ? [] : [`--shard ${options.shard.index}/${options.shard.count}`]),
    ...(options.for === undefined ? [] : [`--for ${options.for.text}`]),
  ];
  const again = ["ludoflow sweep", relative(".", file), ...flags].join(" ");
  if (done.length + failed.length + damaged.length < count) {
    say(`stopped with ${done.length} of ${count} runs done; everything is saved. Continue with: ${again}`);
    return 130;
  }
  if (failed.length > 0) say(`${failed.length} of ${count} runs have failed; try them again with: ${again}`);
  if (damaged.length > 0)
    say(
      `${damaged.length} of ${count} runs are damaged and left out of the report; remove their folders to run them anew with: ${again}`,
    );
  return failed.length + damaged.length === 0 ? 0 : 1;
}

/** How many runs are at work at the same time, and with how many threads each: together as many as there are cores. */
function sharing(
  named: number | undefined,
  runs: number,
  { jobs, workers = named }: Pick<SweepFlags, "jobs" | "workers">,
): { readonly jobs: number; readonly workers: number } {
  const cores = availableParallelism();
  const beside = jobs ?? Math.max(1, Math.floor(cores / (workers ?? 1)));
  const at = Math.max(1, Math.min(runs, beside));
  return { jobs: at, workers: workers ?? Math.max(1, Math.floor(cores / at)) };
}
