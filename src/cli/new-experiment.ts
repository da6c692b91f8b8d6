import { existsSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { assertWritable, writeAtomically } from "../formats/files/atomic-file.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { yamlValue } from "../formats/yaml-document.ts";
import { games, type OpenedGame, openConfiguredGame } from "../games/registry.ts";
import { checkInputs } from "../graph/check-inputs.ts";
import { checkWhole } from "../graph/check-whole.ts";
import { loadNamedPlugin } from "../graph/code/named-plugins.ts";
import { costOf, type Speeds, worksOf } from "../graph/cost/cost.ts";
import { measureCost } from "../graph/cost/measure-cost.ts";
import { checkSource } from "../graph/experiment-file.ts";
import { shippedFiles } from "../graph/shipped-files.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import { UsageError } from "../messages/usage-error.ts";
import { gameOfFlag } from "./flags/game-flag.ts";
import { durationText } from "./progress/cost-text.ts";
import { type GameFacts, factsOfGame } from "./starters/game-facts.ts";
import { starters } from "./starters/registry.ts";
import type { Starter } from "./starters/starter.ts";

/** What the first experiment of a user is to be. */
export interface NewExperiment {
  /** A kind of `starters`. */
  readonly kind: string;
  /** A game as an experiment file names it, or the path of a plug-in that defines one. */
  readonly game: string;
  /** Where the file is written; absent: `GAME-KIND.yaml` in the working directory. */
  readonly path: string | undefined;
  /** Seconds that its run may take on this machine. */
  readonly seconds: number;
  /** Recorded games to learn from: a path. */
  readonly records: string | undefined;
}

/** The file that was written. */
export interface WrittenExperiment {
  readonly file: string;
  /** Seconds that a run would take if the machine did nothing else. */
  readonly seconds: number;
  /** Whether it has a sweep, and whether it has matches alone. */
  readonly kind: "sweep" | "match" | "run";
  readonly plugin: boolean;
}

/** The time for which the speeds of this machine are measured. */
const MEASURE_SECONDS = 6;
/** How often amounts are computed. */
const CORRECTIONS = 3;

/**
 * Writes the first experiment with a game: a commented file whose run takes about the seconds that it may on this machine, which
 * is measured for some seconds. The file has been checked as a whole before it is written. Throws UsageError for a kind or a
 * game that does not exist, for a game that the kind does not suit, and if the file exists.
 */
export async function writeExperiment(
  wanted: NewExperiment,
  say: (text: string) => void,
): Promise<WrittenExperiment> {
  const starter = starterOf(wanted.kind);
  const { opened, plugin } = gameOf(wanted.game);
  const named = withoutDefaults(opened);
  const file = fileOf(wanted, opened.config.rules);
  const folder = resolve(dirname(file));
  const records = recordsOf(wanted, opened);
  // What the file names beside it, and the same for this process, whatever its working directory is.
  const facts = factsOfGame(opened, named, plugin && besides(folder, plugin));
  const inputs = records === undefined ? {} : { records: besides(folder, records) };
  const here = { facts: plugin === undefined ? facts : { ...facts, plugin } };
  const inputsHere = records === undefined ? {} : { records };
  const refusal = starter.refusal(facts, inputs);
  if (refusal !== undefined) throw new UsageError(refusal);
  assertWritable(existsSync(folder) ? folder : ".");
  say(`measuring this machine for about ${MEASURE_SECONDS} seconds`);
  const first = await checked(file, starter.text(here.facts, inputsHere));
  const { speeds } = await measureCost(first, await checkInputs(first), MEASURE_SECONDS);
  // Amounts are rounded and bounded, and parts overlap: what a text costs says how to correct what it was written for.
  let budget = { speeds, seconds: wanted.seconds };
  let seconds = 0;
  for (let round = 0; round < CORRECTIONS; round++) {
    if (round > 0)
      budget = { speeds, seconds: Math.min(3 * wanted.seconds, (budget.seconds * wanted.seconds) / seconds) };
    seconds = await secondsOf(file, starter.text(here.facts, inputsHere, budget), speeds);
  }
  const text = starter.text(facts, inputs, budget);
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  writeAtomically(file, `${head(file, wanted, starter, facts, seconds)}${text}`);
  return { file, seconds, kind: commandOf(wanted.kind), plugin: plugin !== undefined };
}

/** The kind of experiment with this name. Throws UsageError if there is none. */
export function starterOf(kind: string): Starter {
  const names = Object.keys(starters);
  if (!Object.hasOwn(starters, kind))
    throw new UsageError(
      `there is no kind of experiment "${kind}"${didYouMean(kind, names)} (known: ${names.join(", ")})`,
    );
  return starters[kind]!;
}

/** Options that suit a first experiment better than those of the full game. */
const firstOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  go: { size: 9, komi: 7, moveLimit: 200 },
};

function gameOf(given: string): { readonly opened: OpenedGame; readonly plugin?: string } {
  if (!/\.[cm]?[jt]s$/.test(given)) {
    const name = given.trim();
    const options = firstOptions[name];
    if (options !== undefined) return { opened: openConfiguredGame(name, options) };
    if (/^[\w-]+$/.test(name) && !games.some((each) => each.name === name))
      throw new UsageError(
        `there is no game "${name}"${didYouMean(
          name,
          games.map((each) => each.name),
        )} (known: ${games.map((each) => each.name).join(", ")}; for a game of your own name its file, as in --game games/nim.ts)`,
      );
    return { opened: gameOfFlag(given) };
  }
  const plugin = loadNamedPlugin(given);
  const own = plugin.defines.filter(({ kind }) => kind === "game");
  if (own.length !== 1)
    throw new UsageError(
      `${given} defines ${own.length === 0 ? "no game" : `${own.length} games`}; name a plug-in with one game (docs/plugins.md#a-game)`,
    );
  return { opened: openConfiguredGame(own[0]!.name, {}), plugin: plugin.file };
}

/** A game as the file names it: the options that differ from their defaults. */
function withoutDefaults({ config }: OpenedGame): OpenedGame["config"] {
  const { config: plain } = openConfiguredGame(config.rules, {});
  const other = Object.entries(config).filter(
    ([key, value]) => key === "rules" || JSON.stringify(plain[key]) !== JSON.stringify(value),
  );
  return Object.fromEntries(other) as OpenedGame["config"];
}

function fileOf({ kind, path }: NewExperiment, game: string): string {
  const given = path ?? `${game}-${kind}`;
  const file = /\.ya?ml$/.test(given) ? given : `${given}.yaml`;
  if (!/^[A-Za-z0-9][\w.-]*$/.test(basename(file)))
    throw new UsageError(
      `"${basename(file)}" names the experiment too: use letters, digits, ".", "-" and "_", as in my-experiment.yaml`,
    );
  if (existsSync(file))
    throw new UsageError(
      `${file} exists; name another file, as in: ludoflow new ${file.replace(/\.ya?ml$/, "-2.yaml")} --experiment ${kind} --game ${game}`,
    );
  return file;
}

/** The recorded games that are given; for Go on 9x9 those that come with ludoflow. Absolute. */
function recordsOf({ kind, records }: NewExperiment, { config }: OpenedGame): string | undefined {
  if (kind !== "supervised") {
    if (records !== undefined)
      throw new UsageError("--records are games to learn from: use them with --experiment supervised");
    return undefined;
  }
  if (records !== undefined) {
    if (!existsSync(records))
      throw new UsageError(
        `--records ${records}: no such file or folder; name recorded games that are there`,
      );
    return resolve(records);
  }
  return config.rules === "go" && config["size"] === 9
    ? join(dirname(shippedFiles().get("quickstart")!), "go9-games", "gnugo.zip")
    : undefined;
}

/** A path relative to a folder, as an experiment file names a file beside it. */
function besides(folder: string, path: string): string {
  const way = relative(folder, path).replaceAll(sep, "/");
  return way.startsWith("..") ? way : `./${way}`;
}

/** The graph of a text, checked as a whole; of a sweep that of its base. */
async function checked(file: string, text: string) {
  const { sweep: _, ...value } = yamlValue(text) as Record<string, unknown>;
  return await checkWhole(
    checkSource({ file, value: { name: "new", seed: 1, ...value }, places: new Map() }),
  );
}

/** What a run of a text costs by measured speeds; of a sweep all of its runs together. */
async function secondsOf(file: string, text: string, speeds: Speeds): Promise<number> {
  const { sweep } = yamlValue(text) as {
    readonly sweep?: { readonly seeds: number; readonly grid: Readonly<Record<string, readonly unknown[]>> };
  };
  const graph = await checked(file, text);
  const { seconds } = costOf(worksOf(graph), speeds, availableParallelism());
  const runs =
    sweep === undefined
      ? 1
      : sweep.seeds * Object.values(sweep.grid).reduce((all, { length }) => all * length, 1);
  return runs * seconds;
}

/** The command that starts a kind of experiment. */
function commandOf(kind: string): WrittenExperiment["kind"] {
  return kind === "sweep" || kind === "match" ? kind : "run";
}

/** The head of a file: what it is and how it is run, its name, cost and seed. */
function head(
  file: string,
  { kind }: NewExperiment,
  { summary }: Starter,
  { game }: GameFacts,
  seconds: number,
): string {
  const name = basename(file).replace(/\.ya?ml$/, "");
  const command = commandOf(kind);
  return `# ${game.name}: ${summary}.
# Run it by: npx ludoflow ${command} ${file}${command === "run" ? " --page" : ""}
# What a line may say: npx ludoflow operators NAME, with what stands behind use.
name: ${name}
description: ${JSON.stringify(`${game.name}: ${summary}.`)}
cost: about ${durationText(seconds)} on the machine that wrote this file
seed: 1
`;
}

/** The kinds of experiments, one a line. */
export function kindsText(): string {
  return Object.entries(starters)
    .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
    .join("\n");
}

/** The games that come with ludoflow, one a line. */
export function gamesText(): string {
  return games.map(({ description, name }) => `  ${name.padEnd(14)}${description}`).join("\n");
}
