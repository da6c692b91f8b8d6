import { Command } from "commander";
import { counted } from "../../messages/counted.ts";
import { sizeText } from "../../messages/size-text.ts";
import { namedRuns } from "../../runs/find-runs.ts";
import { prunable, type Prunable, prune } from "../../runs/prune.ts";
import { summaryOf } from "../../runs/run-summary.ts";
import { askYes, canAsk } from "../ask.ts";
import { UsageError } from "../../messages/usage-error.ts";

/** `ludoflow prune RUN...`: frees what replay and resume do not need, after asking. */
export function pruneCommand(): Command {
  return new Command("prune")
    .argument("<run...>", "folders of runs, or folders with runs in them")
    .description("Delete files of runs that replay and resume do not need, after asking.")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      `
Of a finished run: the training examples, and checkpoints of versions that an interruption cut short. Of every run:
what a kill has left of unfinished files, and the report with its tables. Checkpoints, games and events stay. A run that a
process of this machine works on is left alone.

Examples:
  $ ludoflow prune runs/blokuszero/20260101-120000-seed1
  $ ludoflow prune runs --yes`,
    )
    .action(async (folders: readonly string[], options: { readonly yes?: boolean }) => {
      const runs = namedRuns(folders);
      const free = runs.map((folder) => ({ folder, kinds: prunableOrWarn(folder) }));
      const some = free.filter(({ kinds }) => kinds.length > 0);
      if (some.length === 0) {
        process.stdout.write("there is nothing to free\n");
        return;
      }
      for (const { folder, kinds } of some)
        for (const { bytes, what } of kinds)
          process.stdout.write(`${sizeText(bytes).padStart(7)}  ${folder}: ${what}\n`);
      const all = some.flatMap(({ kinds }) => kinds);
      const summary = `${sizeText(total(all))} in ${counted(some.length, "run")}`;
      if (options.yes !== true) {
        if (!canAsk())
          throw new UsageError(
            `nothing was freed: there is no terminal to ask on; add --yes to free ${summary}`,
          );
        if (!(await askYes(`free ${summary}?`))) {
          process.stdout.write("nothing was freed\n");
          return;
        }
      }
      const freed = some.flatMap(({ folder }) => prune(folder));
      process.stdout.write(`freed ${sizeText(total(freed))}\n`);
    });
}

/** What can be freed in a folder; why nothing, on standard error, if the run is at work or damaged. */
function prunableOrWarn(folder: string): Prunable[] {
  const { condition, message } = summaryOf(folder);
  if (condition === "running") process.stderr.write(`${folder}: left alone, a process is at work there\n`);
  else if (condition === "damaged")
    process.stderr.write(`${folder}: left alone, it is damaged: ${message}\n`);
  else return prunable(folder);
  return [];
}

function total(kinds: readonly Prunable[]): number {
  return kinds.reduce((sum, { bytes }) => sum + bytes, 0);
}
