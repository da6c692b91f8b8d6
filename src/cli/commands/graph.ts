import { Command } from "commander";
import { checkGraph, checkKnownParts } from "../../graph/check-graph.ts";
import { drawConnections, drawGraph } from "../../graph/draw-graph.ts";
import { readKnown } from "../../graph/read-permitted.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../flags/experiment-flags.ts";
import {
  type AllowCodeFlag,
  allowCodeOption,
  permitByUser,
  warnNotLoaded,
  warnNotStarted,
} from "../permit-code.ts";

/** `ludoflow graph FILE`: prints the compiled graph. */
export function graphCommand(): Command {
  const command = new Command("graph").argument(
    "<file>",
    "an experiment file, or the name of one that comes with ludoflow",
  );
  return allowCodeOption(experimentOptions(command))
    .description(
      "Print the compiled graph as a Mermaid flowchart, with the bounds of its stages and its threads.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow graph quickstart > graph.mmd")
    .action(async (file: string, options: ExperimentFlags & AllowCodeFlag) => {
      const read = await readKnown(experimentPath(file), changes(options), permitByUser(options));
      if (read.problems.length === 0) warnNotLoaded(file, read);
      if (read.unchecked.length > 0) {
        checkKnownParts(read);
        process.stdout.write(drawConnections(read.experiment.graph));
        return;
      }
      const graph = checkGraph(read);
      warnNotStarted(file, graph.opened.experiment);
      process.stdout.write(drawGraph(graph));
    });
}
