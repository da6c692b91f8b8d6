import { Command } from "commander";
import { UsageError } from "../../messages/usage-error.ts";
import { askLine, canAsk } from "../ask.ts";
import { type Allotted, parseDuration } from "../flags/duration-flag.ts";
import { installedFrom, layOutProject } from "../new-project.ts";
import { durationText } from "../progress/cost-text.ts";

interface NewFlags {
  readonly from?: string;
  readonly experiment?: string;
  readonly game?: string;
  readonly budget?: Allotted;
  readonly records?: string;
}

/** `ludoflow new`: lays out a project with a game of one's own, or writes a first experiment with a game. */
export function newCommand(): Command {
  return new Command("new")
    .argument(
      "[path]",
      "the project's folder, new or empty; its last part is the project's name. With --experiment the file (default: GAME-KIND.yaml)",
    )
    .description(
      "Write a first experiment with a game, commented and of a size that suits this machine; or create a project: a small game of your own to change, an experiment with it, tests, and settings for editors.",
    )
    .option("--experiment <kind>", "write an experiment: alphazero, td, match, sweep or supervised")
    .option(
      "--game <game>",
      "its game: a name, the game as in an experiment file ('{ rules: go, size: 5 }'), or the file of a game of your own (games/nim.ts)",
    )
    .option(
      "--budget <duration>",
      "the time that a run of the experiment may take on this machine (10m, 1h, 8h; default: 10m, of a match 1m)",
      parseDuration,
    )
    .option(
      "--records <path>",
      "with --experiment supervised: recorded games to learn from, a folder, an SGF file, a zip or an .h5 file",
    )
    .option(
      "--from <tarball>",
      "install ludoflow from this tarball (default: the tarball that the working directory has installed it from, else this version from npm)",
    )
    .addHelpText(
      "after",
      `
A project: nothing is written outside of the folder, and nothing is installed.
An experiment: speeds are measured for some seconds, and one file is written. On a terminal you are asked what is not given.

Examples:
  $ ludoflow new --experiment alphazero --game connect-four
  $ ludoflow new --experiment alphazero --game games/nim.ts --budget 5m
  $ ludoflow new my-match.yaml --experiment match --game '{ rules: othello, size: 6 }'
  $ ludoflow new my-game
  $ ludoflow new my-game --from ludoflow-0.2.0.tgz`,
    )
    .action(async (path: string | undefined, flags: NewFlags) => {
      const { budget, experiment, from, game, records } = flags;
      const wantsExperiment = [experiment, game, budget, records].some((flag) => flag !== undefined);
      if (!wantsExperiment && path !== undefined) {
        project(path, from);
        return;
      }
      if (from !== undefined)
        throw new UsageError(
          path === undefined
            ? "name the project's folder: ludoflow new my-game --from TARBALL"
            : "--from is for projects: leave it out, or leave out --experiment and --game",
        );
      await newExperiment(path, flags);
    });
}

function project(folder: string, from: string | undefined): void {
  const files = layOutProject(folder, from ?? installedFrom(process.cwd()));
  const list = files.map((file) => `  ${file}\n`).join("");
  process.stdout.write(
    `${folder}:\n${list}\nNext:\n  cd ${folder}\n  npm install\n  npm test\n  npx ludoflow match experiments/first.yaml\n`,
  );
}

async function newExperiment(path: string | undefined, flags: NewFlags): Promise<void> {
  const { gamesText, kindsText, starterOf, writeExperiment } = await import("../new-experiment.ts");
  const kind =
    flags.experiment ??
    (await asked("Which experiment?", kindsText(), "name it: ludoflow new --experiment KIND --game GAME"));
  starterOf(kind);
  const game =
    flags.game ??
    (await asked(
      "Which game? A name, or the file of your own",
      gamesText(),
      `name the game: ludoflow new --experiment ${kind} --game GAME`,
    ));
  const seconds = flags.budget?.seconds ?? (kind === "match" ? 60 : 600);
  const written = await writeExperiment({ kind, game, path, seconds, records: flags.records }, (text) =>
    process.stderr.write(`${text}\n`),
  );
  const { file } = written;
  const allow = written.plugin && !canAsk() ? " --allow-code" : "";
  const next =
    written.kind === "run" ? [`run ${file} --page`, "play RUN --human 1"] : [`${written.kind} ${file}`];
  process.stdout.write(
    `${file}: about ${durationText(written.seconds)} on this machine\n\nNext:\n  npx ludoflow check ${file}${allow}\n${next
      .map((command) => `  npx ludoflow ${command}${allow}\n`)
      .join("")}`,
  );
}

/** Asks on a terminal for one of some things; elsewhere they are listed with what to do. */
async function asked(question: string, list: string, remedy: string): Promise<string> {
  if (!canAsk()) throw new UsageError(`${remedy}\n${list}`);
  process.stderr.write(`${list}\n`);
  const answer = await askLine(`${question} `);
  if (answer === undefined || answer === "") throw new UsageError(`nothing was chosen; ${remedy}`);
  return answer;
}
