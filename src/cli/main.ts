import { Command, CommanderError } from "commander";
import { ludoflowVersion } from "../graph/folder/version.ts";
import { endWhereUncaught } from "./uncaught.ts";

/** A command: its line in `ludoflow --help`, and the module that makes it. */
interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The commands by name. Only a command that the command line names is loaded, because most load much code. */
const commands: Readonly<Record<string, Entry>> = {
  run: {
    summary: "Run an experiment from the start and write its report.",
    load: async () => (await import("./commands/run.ts")).runCommand(),
  },
  match: {
    summary: "Play an experiment of matches alone and print their tables.",
    load: async () => (await import("./commands/match.ts")).matchCommand(),
  },
  resume: {
    summary: "Continue a run that was interrupted or killed.",
    load: async () => (await import("./commands/resume.ts")).resumeCommand(),
  },
  join: {
    summary: "Play games for the runs of a fleet of machines (docs/fleet.md).",
    load: async () => (await import("./commands/join.ts")).joinCommand(),
  },
  fleet: {
    summary: "List the runs of a fleet and the machines that play for them.",
    load: async () => (await import("./commands/fleet.ts")).fleetCommand(),
  },
  experiments: {
    summary: "List the experiments that come with ludoflow: what each shows, and how long it takes.",
    load: async () => (await import("./commands/experiments.ts")).experimentsCommand(),
  },
  new: {
    summary: "Write a first experiment with a game, or create a project with a game of your own.",
    load: async () => (await import("./commands/new.ts")).newCommand(),
  },
  check: {
    summary:
      "Check experiment files and list the mistakes in them with their places; with --cost, measure what their runs would cost.",
    load: async () => (await import("./commands/check.ts")).checkCommand(),
  },
  doctor: {
    summary: "Say what this machine has to compute nets with, how fast it is, and what to write into a file.",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand(),
  },
  graph: {
    summary: "Print the compiled graph as a Mermaid flowchart.",
    load: async () => (await import("./commands/graph.ts")).graphCommand(),
  },
  operators: {
    summary: "List the games, nets, searches and stages that an experiment file can name.",
    load: async () => (await import("./commands/operators.ts")).operatorsCommand(),
  },
  schema: {
    summary: "Print the schema by which editors check experiment files, with the plug-ins of a file.",
    load: async () => (await import("./commands/schema.ts")).schemaCommand(),
  },
  play: {
    summary: "Let trained weights or other agents play by themselves, or against you.",
    load: async () => (await import("./commands/play.ts")).playCommand(),
  },
  weights: {
    summary: "Write a checkpoint that has the weights alone, for playing.",
    load: async () => (await import("./commands/weights.ts")).weightsCommand(),
  },
  convert: {
    summary: "Gather recorded games from SGF, zips and runs into one file, to learn from them.",
    load: async () => (await import("./commands/convert.ts")).convertCommand(),
  },
  replay: {
    summary: "Play a stored game again from its seed and compare it with its record.",
    load: async () => (await import("./commands/replay.ts")).replayCommand(),
  },
  analyse: {
    summary: "Let an agent analyse a game that was played: values, best moves, mistakes.",
    load: async () => (await import("./commands/analyse.ts")).analyseCommand(),
  },
  fork: {
    summary: "Start a run that continues from a checkpoint of another one with changed settings.",
    load: async () => (await import("./commands/fork.ts")).forkCommand(),
  },
  serve: {
    summary: "Serve a page of runs: what they do now, figures, comparisons.",
    load: async () => (await import("./commands/serve.ts")).serveCommand(),
  },
  runs: {
    summary: "List runs: their state, progress, last result and size.",
    load: async () => (await import("./commands/runs.ts")).runsCommand(),
  },
  sweep: {
    summary: "Run all experiments of a sweep side by side, and write one report.",
    load: async () => (await import("./commands/sweep.ts")).sweepCommand(),
  },
  compare: {
    summary: "Compare runs: settings, results and differences with intervals, learning curves.",
    load: async () => (await import("./commands/compare.ts")).compareCommand(),
  },
  prune: {
    summary: "Delete files of runs that replay and resume do not need.",
    load: async () => (await import("./commands/prune.ts")).pruneCommand(),
  },
  report: {
    summary: "Write the report and the tables of a run, also while the run is at work.",
    load: async () => (await import("./commands/report.ts")).reportCommand(),
  },
  bench: {
    summary: "Measure the speed of one part, beside a named peer.",
    load: async () => (await import("./commands/bench.ts")).benchCommand(),
  },
  referee: {
    summary: "Respond to requests in JSON about a game: its rules, positions, searches (docs/referee.md).",
    load: async () => (await import("./commands/referee.ts")).refereeCommand(),
  },
  gtp: {
    summary:
      "Play Go, Othello, Connect Four and Blokus for programs that speak the Go Text Protocol (docs/gtp.md).",
    load: async () => (await import("./commands/gtp.ts")).gtpCommand(),
  },
  "uecda-client": {
    summary: "Play Daihinmin on a server of the UECda contest (docs/uecda.md).",
    load: async () => (await import("./commands/uecda-client.ts")).uecdaClientCommand(),
  },
  "uecda-server": {
    summary: "Serve Daihinmin to clients of the UECda contest and to agents (docs/uecda.md).",
    load: async () => (await import("./commands/uecda-server.ts")).uecdaServerCommand(),
  },
};

const program = new Command("ludoflow")
  .description("Game-AI research as declarative experiments: an experiment file becomes a graph of streams.")
  .version(ludoflowVersion())
  .showHelpAfterError("(ludoflow --help lists the commands)")
  .addHelpText(
    "after",
    `
Examples:
  $ ludoflow run quickstart
  $ ludoflow run quickstart --seed 7 --set graph.learn.games=500
  $ ludoflow check my-experiment.yaml
  $ ludoflow resume runs/quickstart/20260101-120000-seed2048

Exit codes: 0 done; 1 the run failed; 2 a mistake in the arguments or in a file, nothing was written; 130 interrupted, resumable.`,
  );
for (const [name, { summary, load }] of Object.entries(commands))
  program.addCommand((process.argv.includes(name, 2) ? await load() : new Command(name)).summary(summary));
// A wrong flag or argument is the user's mistake: exit code 2 everywhere.
for (const command of [program, ...program.commands])
  command.exitOverride().configureOutput({
    // Commander ends its own part as a sentence, and ours continues it.
    outputError: (text, write) => write(text.replace("is invalid. expected", "is invalid: expected")),
  });
for (const command of program.commands)
  command.showHelpAfterError(`(ludoflow ${command.name()} --help lists its arguments and options)`);

// A reader may stop reading (`| head`), or the disk of a file be full. Then the command continues without output: what it
// computes is in its files. Only a reader that has read enough is not a failure.
let unwritten: string | undefined;
for (const out of [process.stdout, process.stderr])
  out.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || unwritten !== undefined) return;
    unwritten = `the output cannot be written: ${error.message}; the command continues without it`;
    if (out === process.stdout) process.stderr.write(`${unwritten}\n`);
  });
process.on("exit", () => {
  if (unwritten !== undefined && (process.exitCode ?? 0) === 0) process.exitCode = 1;
});

endWhereUncaught();
try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = (await import("./complaint.ts")).complain(error);
}
