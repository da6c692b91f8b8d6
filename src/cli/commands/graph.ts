import { Command } from "commander";
import { checkGraph } from "../../graph/check-graph.ts";
import { drawGraph } from "../../graph/draw-graph.ts";
import { readExperiment } from "../../graph/experiment-file.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../experiment-flags.ts";
import { tellNotStarted } from "../permit-code.ts";

/** `ludoflow graph FILE`: prints the compiled graph. */
export function graphCommand(): Command {
  return experimentOptions(
    new Command("graph").argument(
      "<file>",
      "an experiment file, or the name of one that comes with ludoflow",
    ),
  )
    .description(
      "Print the compiled graph as a Mermaid flowchart, with the bounds of its stages and its threads.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow graph quickstart > graph.mmd")
    .action((file: string, options: ExperimentFlags) => {
      const graph = checkGraph(readExperiment(experimentPath(file), changes(options)));
      tellNotStarted(file, graph.opened.experiment);
      process.stdout.write(drawGraph(graph));
    });
}
