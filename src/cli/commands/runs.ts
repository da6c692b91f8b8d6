import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Command } from "commander";
import { column, type ColumnOf, tabulated } from "../../formats/table.ts";
import { counted } from "../../messages/counted.ts";
import { sizeText } from "../../messages/size-text.ts";
import { decimalsFor, fixed } from "../../figures/number-text.ts";
import { findRuns } from "../../runs/find-runs.ts";
import type { LastResult } from "../../runs/last-result.ts";
import { type RunSummary, summaryOf } from "../../runs/run-summary.ts";
import { durationText } from "../progress/cost-text.ts";
import { textTable } from "../text-table.ts";
import { UsageError } from "../../messages/usage-error.ts";

/** `ludoflow runs [FOLDER]`: the runs in a folder, with their state, progress, last result and size. */
export function runsCommand(): Command {
  return new Command("runs")
    .argument("[folder]", "a folder that is searched for runs, with the folders in it", "runs")
    .description("List the runs in a folder: state, seed, progress, last result with its interval, size.")
    .option("--json", "one JSON line for each run on standard output")
    .addHelpText(
      "after",
      `
States: running, stopped (interrupted or killed: ludoflow resume continues it), finished, failed, damaged.

Examples:
  $ ludoflow runs
  $ ludoflow runs runs/quickstart
  $ ludoflow runs --json | jq 'select(.state == "stopped").folder'`,
    )
    .action((folder: string, options: { readonly json?: boolean }) => {
      if (!existsSync(folder))
        throw new UsageError(`there is no folder "${folder}"; give the folder that holds your runs`);
      const runs = findRuns(folder).map(summaryOf);
      if (options.json === true) {
        for (const run of runs) process.stdout.write(`${JSON.stringify(json(run))}\n`);
        return;
      }
      process.stdout.write(
        runs.length === 0 ? `no runs in ${folder}; ludoflow run FILE makes one\n` : list(runs),
      );
    });
}

/** A run as programs read it; infinite ends of intervals are null. */
function json({ condition, folder, ...rest }: RunSummary): object {
  return { folder, state: condition, ...rest };
}

const columns: readonly ColumnOf<RunSummary>[] = [
  column.text("run", ({ folder }) => basename(folder)),
  column.text("state", ({ condition }) => condition),
  column.number("done", ({ progress }) => progress && Math.floor(100 * progress.share) / 100, {
    share: true,
    digits: 0,
  }),
  column.text("left", leftText, { align: "right" }),
  column.text("size", ({ bytes }) => sizeText(bytes), { align: "right" }),
  column.text("seed", ({ seed }) => seed?.toString(), { align: "right" }),
  column.text("last result", ({ result }) => result && resultText(result)),
];

function list(runs: readonly RunSummary[]): string {
  const groups = Map.groupBy(runs, ({ experiment, folder }) =>
    JSON.stringify([dirname(folder), experiment ?? "unknown"]),
  );
  const blocks = [...groups].map(([key, members]) => {
    const [folder, experiment] = JSON.parse(key) as [string, string];
    const messages = members.flatMap(({ condition, folder: at, message }) =>
      message === undefined ? [] : [`${condition}: ${basename(at)}: ${message}`],
    );
    return [`${experiment} in ${folder}`, ...textTable(tabulated(members, columns)), ...messages].join("\n");
  });
  const counts = [...Map.groupBy(runs, ({ condition }) => condition)]
    .map(([condition, members]) => `${members.length} ${condition}`)
    .join(", ");
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  return `${blocks.join("\n\n")}\n\n${counted(runs.length, "run")}: ${counts}; ${sizeText(bytes)}\n`;
}

/** The time left of a run at work: `4 minutes`. */
function leftText({ condition, progress }: RunSummary): string | undefined {
  const left = progress?.secondsLeft;
  if (condition !== "running" || left === undefined) return undefined;
  return `${progress!.atMost === true ? "at most " : ""}${durationText(left)}`;
}

/** `player 12.5% ±10.2`: the agent, what it reached, and half of its interval. */
function resultText({ agent, interval, measure, value }: LastResult): string {
  const scale = measure === "share won" ? 100 : 1;
  const [low, high] = interval.map((end) => scale * end) as [number, number];
  const sign = measure === "share won" ? "%" : "";
  const half = (high - low) / 2;
  const decimals = measure === "share won" ? 1 : decimalsFor({ value, interval });
  return Number.isFinite(half)
    ? `${agent} ${fixed(scale * value, decimals)}${sign} ±${fixed(half, decimals)}`
    : `${agent} ${fixed(scale * value, decimals)}${sign}`;
}
