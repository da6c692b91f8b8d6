import { relative } from "node:path";
import { Command } from "commander";
import { loadPermittedPluginsOfRun } from "../../graph/code/run-code.ts";
import { figuresText, writePages } from "../../report/report.ts";
import { RunFolderInvalid } from "../../graph/folder/run-folder-invalid.ts";
import { isRunFolder, namedRuns } from "../../runs/find-runs.ts";
import { isSweepFolder, lostSweeps } from "../../runs/sweep/sweep-folder.ts";
import { sweepReport, sweepResults } from "../../runs/sweep/sweep-report.ts";
import { complain } from "../complaint.ts";
import { writeReportWithWarnings } from "../report-with-warnings.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser, warnNotLoaded } from "../permit-code.ts";

/** `ludoflow report RUN...`: writes the reports of runs again from their records. */
export function reportCommand(): Command {
  const command = new Command("report").argument(
    "<runs...>",
    "folders of runs or of sweeps, or folders that hold runs: then all runs in them",
  );
  return allowCodeOption(command)
    .description(
      "Write report.html, its tables (CSV, Parquet) and its figures for papers (SVG) from the records of runs, also while they are at work. The tables of all runs are one dataset (docs/dataset.md).",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow report runs/quickstart/20260101-120000-seed2048
  $ ludoflow report runs`,
    )
    .action(async (folders: readonly string[], flags: AllowCodeFlag) => {
      const named = folders.flatMap((folder) => (isSweepFolder(folder) ? [folder] : namedRuns([folder])));
      const all = new Set(named);
      for (const sweep of lostSweeps(named.filter((folder) => !folders.includes(folder))))
        process.stderr.write(
          `${sweep}: the report of this sweep cannot be written, for its sweep.json is missing: put it back. Its runs have reports of their own\n`,
        );
      for (const folder of all)
        try {
          await write(folder, flags);
        } catch (error) {
          if (all.size === 1) throw error;
          // A damaged run does not keep the others from their reports.
          process.stderr.write(`${folder}: `);
          process.exitCode = complain(error);
        }
    });
}

async function write(folder: string, flags: AllowCodeFlag): Promise<void> {
  if (isSweepFolder(folder)) {
    const results = sweepResults(folder);
    for (const { folder: run, message } of results.failed)
      process.stderr.write(`${run}: failed or damaged: ${message}\n`);
    say(writePages(folder, sweepReport(results)));
    return;
  }
  await loadPlugins(folder, flags);
  say(writeReportWithWarnings(folder));
}

/** The path of a page on standard output, for scripts; what else was written on standard error. */
function say(page: string): void {
  process.stdout.write(`${relative(".", page)}\n`);
  process.stderr.write(figuresText(page));
}

/** Loads the plug-ins that the user allows. A damaged manifest or experiment names none: the report says what is damaged. */
async function loadPlugins(folder: string, flags: AllowCodeFlag): Promise<void> {
  try {
    warnNotLoaded(folder, { notLoaded: await loadPermittedPluginsOfRun(folder, permitByUser(flags)) });
  } catch (error) {
    if (!(error instanceof RunFolderInvalid) || !isRunFolder(folder)) throw error;
  }
}
