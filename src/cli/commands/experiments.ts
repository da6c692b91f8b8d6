import { Command } from "commander";
import { games } from "../../games/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { UsageError } from "../../messages/usage-error.ts";
import {
  type ExperimentGroup,
  experimentGroups,
  type ListedExperiment,
  longestMinutes,
} from "../../graph/experiment-catalogue.ts";
import { type Allotted, parseDuration } from "../flags/duration-flag.ts";
import { padEndTo } from "../text-columns.ts";

interface ExperimentsFlags {
  readonly all?: boolean;
  readonly game?: string;
  readonly time?: Allotted;
  readonly json?: boolean;
}

/** `ludoflow experiments [NAME]`: the experiments of this package, from their files. */
export function experimentsCommand(): Command {
  return new Command("experiments")
    .argument("[name]", "one experiment: all that it shows, and its file")
    .description(
      "List the experiments that come with ludoflow, in groups, first steps first: their names, how long a run takes on two cores, and what each shows.",
    )
    .option("--all", "studies too: variants and sweeps of the others")
    .option("--game <game>", "only those with this game, studies too")
    .option("--time <duration>", "only those that take at most this time (10m, 1h)", parseDuration)
    .option("--json", "the experiments with their files as one JSON document")
    .addHelpText(
      "after",
      `
run, match, check and graph take these names in place of a file.

Examples:
  $ ludoflow experiments
  $ ludoflow experiments --game go --time 30m
  $ ludoflow experiments quickstart
  $ ludoflow run quickstart`,
    )
    .action((name: string | undefined, flags: ExperimentsFlags) => {
      const groups = experimentGroups();
      if (name !== undefined) {
        const chosen = named(name, groups);
        write(flags.json === true ? [chosen] : detail(chosen));
        return;
      }
      const shown = filtered(groups, flags);
      if (flags.json === true) write(shown.flatMap(({ experiments }) => experiments));
      else write(list(shown, flags));
    });
}

function write(output: string | readonly ListedExperiment[]): void {
  process.stdout.write(typeof output === "string" ? output : `${JSON.stringify(output, null, 2)}\n`);
}

function named(name: string, groups: readonly ExperimentGroup[]): ListedExperiment {
  const all = groups.flatMap(({ experiments }) => experiments);
  const chosen = all.find((each) => each.name === name);
  if (chosen !== undefined) return chosen;
  const meant = didYouMean(
    name,
    all.map((each) => each.name),
  );
  throw new UsageError(
    `there is no experiment "${name}"${meant} (ludoflow experiments --all lists all names)`,
  );
}

function filtered(groups: readonly ExperimentGroup[], flags: ExperimentsFlags): ExperimentGroup[] {
  const { game, time } = flags;
  const known = games.map(({ name }) => name);
  if (game !== undefined && !known.includes(game))
    throw new UsageError(
      `--game: no game "${game}"${didYouMean(game, known)} (ludoflow operators lists the games)`,
    );
  const minutes = time === undefined ? Infinity : time.seconds / 60;
  return groups
    .filter(({ detailed }) => !detailed || flags.all === true || flags.json === true || game !== undefined)
    .map((group) => ({
      ...group,
      experiments: group.experiments.filter(
        (each) =>
          (game === undefined || rulesOf(each) === game) &&
          (longestMinutes(each.cost) ?? Infinity) <= minutes,
      ),
    }))
    .filter(({ experiments }) => experiments.length > 0);
}

function rulesOf({ game }: ListedExperiment): string {
  return String((Object(game) as { readonly rules?: unknown }).rules);
}

function list(groups: readonly ExperimentGroup[], flags: ExperimentsFlags): string {
  const all = groups.flatMap(({ experiments }) => experiments);
  if (all.length === 0) return "no experiment of ludoflow is like that; ludoflow experiments lists all\n";
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const names = width(all.map(({ name }) => name));
  const times = width(all.map(timeOf));
  const blocks = groups.map(
    ({ title, experiments }) =>
      `${title}\n${experiments
        .map((each) => `  ${padEndTo(each.name, names)}  ${padEndTo(timeOf(each), times)}  ${each.shows}\n`)
        .join("")}`,
  );
  const more =
    flags.all === true || flags.game !== undefined
      ? ""
      : "ludoflow experiments --all lists studies too: variants and sweeps of these.\n";
  return `${blocks.join("\n")}\nTimes are those of two cores. ludoflow experiments NAME shows more of one; ludoflow run NAME runs it. The first to try: ludoflow run quickstart\n${more}`;
}

/** How long a run takes, without what `ludoflow experiments NAME` adds: cores, seeds, and that it is long enough to be resumed. */
function timeOf({ cost }: ListedExperiment): string {
  return cost.replace(/ (?:of (?:one|two) cores?|on a fast machine)\b.*|, \d.*|;.*/, "");
}

function detail({ name, file, description, cost, shows }: ListedExperiment): string {
  return `${name}: ${shows}\n\n${description}\n\nA run takes: ${cost}\nFile: ${file}\n\nTo change it, copy the file, or begin one of your own with this line, and the name and changes below it:\nextends: ${name}\n`;
}
