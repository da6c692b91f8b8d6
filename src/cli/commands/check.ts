import { Command } from "commander";
import { checkGraph } from "../../graph/check-graph.ts";
import { readExperiment } from "../../graph/experiment-file.ts";
import { ExperimentInvalid, formatProblem } from "../../graph/problem.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../experiment-flags.ts";

/** `ludoflow check FILES`: checks experiment files without running them. */
export function checkCommand(): Command {
  return experimentOptions(new Command("check").argument("<files...>", "experiment files"))
    .description("Check experiment files and list every mistake in them with its place.")
    .addHelpText("after", "\nExamples:\n  $ ludoflow check experiments/*.yaml")
    .action((files: readonly string[], options: ExperimentFlags) => {
      let wrong = 0;
      for (const file of files)
        try {
          const { stages, opened } = checkGraph(readExperiment(file, changes(options)));
          const count = `${stages.length} stage${stages.length === 1 ? "" : "s"}`;
          process.stdout.write(`${file}: ok (${opened.experiment.name}, ${count})\n`);
        } catch (error) {
          if (!(error instanceof ExperimentInvalid)) throw error;
          wrong++;
          for (const problem of error.problems) process.stderr.write(`${formatProblem(problem)}\n`);
        }
      if (wrong > 0) process.exitCode = 2;
    });
}
