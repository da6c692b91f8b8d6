import { Command } from "commander";
import { checkGraph } from "../../graph/check-graph.ts";
import { drawGraph } from "../../graph/draw-graph.ts";
import { readExperiment } from "../../graph/experiment-file.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../experiment-flags.ts";
import { tellNotStarted } from "../permit-code.ts";

/** `ludoflow graph FILE`: prints the compiled graph. */
export function graphCommand(): Command {
  return experimentOptions(new Command("graph").argument("<file>", "an experiment file"))
    .description(
      "Print the compiled graph as a Mermaid flowchart, with the bounds of its stages and its threads.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow graph experiments/quickstart.yaml > graph.mmd")
    .action((file: string, options: ExperimentFlags) => {
      const graph = checkGraph(readExperiment(file, changes(options)));
      tellNotStarted(file, graph.opened.experiment);
      process.stdout.write(drawGraph(graph));
    });
}
