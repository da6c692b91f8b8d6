import { join } from "node:path";
import { Command } from "commander";
import { readMetrics } from "../../events/metrics-file.ts";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { UsageError } from "../complaint.ts";
import { experimentOptions } from "../experiment-flags.ts";
import { matchTable } from "../match-table.ts";
import { type RunFlags, start } from "./run.ts";

/** The event that tells the result of a match. */
const MATCH = "match";

/** `ludoflow match FILE`: runs an experiment whose stages are all arenas, and prints their tables. */
export function matchCommand(): Command {
  return experimentOptions(new Command("match").argument("<file>", "an experiment file of arenas"))
    .description(
      "Play the matches of an experiment file whose stages are all arenas, and print their tables.",
    )
    .option("--out <folder>", "the run's folder, new or empty (default: runs/<name>/<time>-seed<seed>)")
    .option("--json", "one JSON line per event on standard output; everything for people on standard error")
    .addHelpText(
      "after",
      `
The run is an ordinary one: its folder has games and a report, and ludoflow resume goes on with it.

Examples:
  $ ludoflow match experiments/blokus-searches.yaml
  $ ludoflow match experiments/blokus-searches.yaml --set graph.searches.games=30 --workers 2`,
    )
    .action(async (file: string, options: RunFlags) => {
      const { code, folder } = await start(file, options, assertArenas);
      process.exitCode = code;
      if (code !== 0) return;
      const out = options.json === true ? process.stderr : process.stdout;
      for (const event of readMetrics(join(folder, "metrics.jsonl")))
        if (event.type === MATCH) out.write(`\n${matchTable(event)}`);
    });
}

function assertArenas({ stages }: CheckedGraph): void {
  const other = stages.find(({ operator }) => operator.tells !== MATCH);
  if (other !== undefined)
    throw new UsageError(
      `stage "${other.name}" is a ${other.operator.use}: match plays files whose stages are all arenas; ludoflow run runs any`,
    );
}
