import { Command, CommanderError } from "commander";
import { ludoflowVersion } from "../graph/run-folder.ts";
import { benchCommand } from "./bench.ts";
import { checkCommand } from "./check.ts";
import { graphCommand } from "./graph.ts";
import { gtpCommand } from "./gtp.ts";
import { operatorsCommand } from "./operators.ts";
import { refereeCommand } from "./referee.ts";
import { replayCommand } from "./replay.ts";
import { reportCommand } from "./report.ts";
import { resumeCommand } from "./resume.ts";
import { runCommand } from "./run.ts";
import { complain } from "./complaint.ts";

const program = new Command("ludoflow")
  .description("Game-AI research as declarative experiments: an experiment file becomes a graph of streams.")
  .version(ludoflowVersion())
  .showHelpAfterError("(ludoflow --help lists the commands)")
  .addHelpText(
    "after",
    `
Examples:
  $ ludoflow run experiments/quickstart.yaml
  $ ludoflow run experiments/quickstart.yaml --seed 7 --set graph.learn.games=500
  $ ludoflow check experiments/*.yaml
  $ ludoflow resume runs/quickstart/20260101-120000-seed2048

Exit codes: 0 done; 1 the run failed; 2 a mistake in what was asked, nothing was written; 130 interrupted, resumable.`,
  );
const commands = [
  runCommand,
  resumeCommand,
  checkCommand,
  graphCommand,
  operatorsCommand,
  replayCommand,
  reportCommand,
  benchCommand,
  refereeCommand,
  gtpCommand,
];
for (const command of commands) program.addCommand(command());
// A wrong flag or argument is the user's mistake: exit code 2 everywhere.
for (const command of [program, ...program.commands]) command.exitOverride();

// Whoever reads may stop reading (`| head`): nobody is told any more, what is done goes on.
for (const out of [process.stdout, process.stderr])
  out.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = complain(error);
}
