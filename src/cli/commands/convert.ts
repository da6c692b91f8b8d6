import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Stream from "effect/Stream";
import { assertWritable, writeFully } from "../../formats/files/atomic-file.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { yamlValue } from "../../formats/yaml-document.ts";
import { type GameConfig, type OpenedGame, openConfiguredGame } from "../../games/registry.ts";
import { sgfFormatOf } from "../../games/sgf-games.ts";
import { MANIFEST, openRunFolder } from "../../graph/folder/run-folder.ts";
import { ludoflowVersion } from "../../graph/folder/version.ts";
import { counted } from "../../messages/counted.ts";
import {
  type FilterSettings,
  filterSchema,
} from "../../operators/learning/collection/collection-settings.ts";
import { filterMistake } from "../../operators/learning/collection/game-filter.ts";
import { openGameSink, sinkEndings, writesSgf } from "../../operators/learning/collection/game-sinks.ts";
import { TooManyGroups } from "../../operators/learning/collection/kept-games.ts";
import {
  GamesReading,
  type Reading,
  type ReadingSummary,
} from "../../operators/learning/collection/read-games.ts";
import { type GamesSource, kindOfFile, recordedStages } from "../../operators/learning/collection/sources.ts";
import { checkSavedLogs } from "../../operators/run/saved-logs.ts";
import { collectionParts } from "../../operators/run/items.ts";
import { completeOptions } from "../../options.ts";
import { endBySignal, onStopSignal } from "../../workers/stop-signals.ts";
import { UsageError } from "../../messages/usage-error.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { gameOfFlag } from "../flags/game-flag.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../flags/plugin-flags.ts";
import { threads } from "../whole-number.ts";

interface ConvertFlags extends PluginFlag, AllowCodeFlag {
  readonly to: string;
  readonly game?: string;
  readonly set: readonly string[];
  readonly workers: number;
  readonly leftOut?: string;
  readonly force?: boolean;
}

/** `ludoflow convert SOURCE... --to FILE`: gathers recorded games from files of many kinds into one. */
export function convertCommand(): Command {
  const command = new Command("convert").argument(
    "<sources...>",
    "folders, files in SGF, zips of them, .h5 files written before, and folders of runs with recorded games",
  );
  return pluginOptions(command)
    .description(
      "Gather recorded games into one file, to learn from them (docs/data.md). Prints how many files and games are left out, and why.",
    )
    .requiredOption("--to <file>", "the file to write; its ending says which: .h5, .sgf or .zip (of SGF)")
    .option(
      "--game <yaml>",
      "the game as in an experiment file: '{ rules: go, size: 19 }' (default: that of the runs among the sources)",
    )
    .option(
      "--set <setting=value>",
      "a filter or another setting of the stage sgf; the value is YAML; may be repeated",
      (value, all: string[]) => [...all, value],
      [] as string[],
    )
    .option(
      "--workers <n>",
      "threads that read (default: the number of cores)",
      threads,
      availableParallelism(),
    )
    .option("--left-out <file>", "also list every file and game that is left out, with the reason")
    .option("--force", "replace the file if it is there")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow convert archive/ more.zip --to games.h5 --game '{ rules: go, size: 19 }'
  $ ludoflow convert archive/ --to games.h5 --game '{ rules: go, size: 19 }' --set leastMoves=30 --set 'rating={ least: 3d }'
  $ ludoflow convert runs/go9-gnugo-level-1/20260101-120000-seed1 --to games.zip --set group=player`,
    )
    .action(convert);
}

async function convert(paths: readonly string[], flags: ConvertFlags): Promise<void> {
  await loadPluginsFor(flags, { paths: paths.filter((path) => existsSync(join(path, MANIFEST))) });
  const { to } = flags;
  if (!sinkEndings.some((ending) => ending === extname(to)))
    throw new UsageError(`--to ${to}: the name must end in one of ${sinkEndings.join(", ")}`);
  if (existsSync(to) && flags.force !== true)
    throw new UsageError(`--to ${to}: the file is there already; --force replaces it`);
  const filters = filtersOf(flags.set);
  const sources = namedSources(paths);
  const { config, game } = gameOfSources(sources, flags.game);
  const asSgf = sources.some(({ path, records }) => records === undefined && kindOfFile(path) !== "h5");
  if ((asSgf || writesSgf(to)) && sgfFormatOf(config) === undefined)
    throw new UsageError(`${config.rules} has no form of games in SGF`);
  assertWritable(dirname(resolve(to)));
  const texts = writesSgf(to);
  await write(
    to,
    {
      sources,
      game: config,
      players: game.players,
      filters,
      texts,
      threads: flags.workers,
      written: [to, ...(flags.leftOut === undefined ? [] : [flags.leftOut])].map((path) => resolve(path)),
    },
    flags.leftOut,
  );
}

/** Reads and writes; an interruption leaves nothing behind, and ends with exit code 130. */
async function write(to: string, reading: Reading, list: string | undefined): Promise<void> {
  const parts = new Float64Array(collectionParts.length);
  const lines = list === undefined ? undefined : writing(list, () => openSync(list, "w"));
  const games = new GamesReading(reading, ({ reason, where, why }) => {
    if (lines !== undefined)
      writing(list!, () => writeFully(lines, Buffer.from(`${where}: ${reason}: ${why}\n`)));
  });
  writing(to, () => mkdirSync(dirname(to), { recursive: true }));
  const sink = await openGameSink(to, reading.players);
  const showProgress = progress();
  const all = Stream.runForEach(games.games(), (some) =>
    Effect.try({
      try: () => {
        sink.add(some, games.summary().groups);
        for (const part of some.parts) parts[part]!++;
        showProgress(some.lengths.length, some.moves.length);
      },
      catch: (error) => error as Error,
    }),
  );
  const fiber = Effect.runFork(all);
  let interrupted = false;
  const off = onStopSignal((signal) => {
    if (interrupted) endBySignal(signal);
    interrupted = true;
    Effect.runFork(Fiber.interrupt(fiber));
  });
  try {
    const exit = await Effect.runPromise(Fiber.await(fiber));
    if (Exit.isSuccess(exit)) {
      const summary = games.summary();
      if (summary.games === 0) throw new UsageError(`no game is taken; ${leftOutText(summary, games)}`);
      await sink.finish(summary.groups, provenance(summary, reading));
      process.stdout.write(summaryText(to, summary, [...parts], games));
    } else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = 130;
    else {
      const error = Cause.squash(exit.cause);
      throw error instanceof TooManyGroups ? new UsageError(error.message) : error;
    }
  } finally {
    off();
    sink.abandon();
    if (lines !== undefined) closeSync(lines);
  }
}

function provenance({ games, leftOut, positions, sources }: ReadingSummary, { filters, game }: Reading) {
  return { version: ludoflowVersion(), game, sources, filters, counts: { games, positions, leftOut } };
}

/** The settings that `--set` changes, with the defaults of the others. */
function filtersOf(set: readonly string[]): FilterSettings {
  const given: Record<string, unknown> = {};
  for (const each of set) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(each) ?? [];
    if (key === undefined) throw new UsageError(`--set ${each}: expected setting=value`);
    try {
      given[key] = yamlValue(value!);
    } catch (error) {
      throw new UsageError(`--set ${each}: ${(error as Error).message}`);
    }
  }
  const completed = completeOptions(filterSchema(), given);
  if ("wrong" in completed) throw new UsageError(`--set: ${completed.wrong}`);
  // Settings without a default are absent if they are not given.
  const filters = completed.options as FilterSettings;
  const mistake = filterMistake(filters);
  if (mistake !== undefined) throw new UsageError(`--set ${mistake[0]}: ${mistake[1]}`);
  return filters;
}

/** The sources by name: that of the run, the folder or the file, and the path if two have one name. */
function namedSources(paths: readonly string[]): (GamesSource & { readonly run?: GameConfig })[] {
  const names = new Set<string>();
  return paths.map((path) => {
    if (!existsSync(path)) throw new UsageError(`no such file or folder "${path}"`);
    const run =
      statSync(path).isDirectory() && existsSync(join(path, MANIFEST)) ? openRunFolder(path) : undefined;
    const full = basename(resolve(path));
    const plain =
      run?.manifest.name ?? (kindOfFile(path) === undefined ? full : basename(full, extname(full)));
    const name = names.has(plain) ? path : plain;
    if (names.has(name)) throw new UsageError(`"${path}" is named twice`);
    names.add(name);
    if (run === undefined) return { name, path };
    const records = recordedStages(path, run.experiment.graph);
    if (records.length === 0) throw new UsageError(`the run in ${path} has no recorded games yet`);
    checkSavedLogs(path);
    return { name, path, records, run: run.experiment.game };
  });
}

/** The game that `--game` names, or that of the runs. */
function gameOfSources(
  sources: readonly (GamesSource & { readonly run?: GameConfig })[],
  flag: string | undefined,
): OpenedGame {
  if (flag === undefined) {
    const runs = sources.flatMap(({ path, run }) => (run === undefined ? [] : [{ path, run }]));
    if (runs.length === 0)
      throw new UsageError(
        "name the game as in an experiment file: --game '{ rules: go, size: 19, komi: 7.5 }'",
      );
    const other = runs.find(({ run }) => JSON.stringify(run) !== JSON.stringify(runs[0]!.run));
    if (other !== undefined)
      throw new UsageError(
        `the runs in ${runs[0]!.path} and ${other.path} play different games; name the one to take with --game`,
      );
    const { rules, ...options } = runs[0]!.run;
    return openConfiguredGame(rules, options);
  }
  const opened = gameOfFlag(flag);
  const { rules } = opened.config;
  const run = sources.find((each) => each.run !== undefined && each.run.rules !== rules);
  if (run !== undefined) throw new UsageError(`the run in ${run.path} plays ${run.run!.rules}, not ${rules}`);
  return opened;
}

/** Most sources that are listed one by one; the .h5 file has all. */
const MOST_SOURCES = 10;

function summaryText(
  to: string,
  summary: ReadingSummary,
  parts: readonly number[],
  games: GamesReading,
): string {
  const { games: count, groups, positions } = summary;
  const by = collectionParts.map((part, index) => `${part} ${number(parts[index]!)}`).join(", ");
  return [
    `${relative(".", to)}: ${counted(count, "game", number(count))}, ${counted(positions, "position", number(positions))}, ${counted(groups.length, "group")} (${brief(groups)})`,
    `parts: ${by}`,
    ...summary.sources
      .slice(0, MOST_SOURCES)
      .map(
        ({ files, name, sha256 }) => `${name}: ${counted(files, "file", number(files))}, SHA-256 ${sha256}`,
      ),
    ...(summary.sources.length > MOST_SOURCES
      ? [`and ${counted(summary.sources.length - MOST_SOURCES, "more source")}`]
      : []),
    leftOutText(summary, games),
    "",
  ].join("\n");
}

function leftOutText({ leftOut }: ReadingSummary, { tally }: GamesReading): string {
  const reasons = Object.entries(leftOut);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return "nothing is left out";
  const widest = Math.max(...reasons.map(([reason]) => reason.length));
  const digits = number(Math.max(...reasons.map(([, count]) => count))).length;
  const rows = reasons.map(([reason, count]) => {
    const { where, why } = tally.examples(reason)[0]!;
    return `  ${number(count).padStart(digits)}  ${reason.padEnd(widest)}  ${where}: ${why}`;
  });
  return [`left out: ${number(total)}`, ...rows].join("\n");
}

function brief(names: readonly string[]): string {
  return names.length <= 8 ? names.join(", ") : `${names.slice(0, 8).join(", ")}, ...`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** Prints on a terminal, every second, what has been read. */
function progress(): (games: number, positions: number) => void {
  let games = 0;
  let positions = 0;
  let last = performance.now();
  return (moreGames, morePositions) => {
    games += moreGames;
    positions += morePositions;
    if (!process.stderr.isTTY || performance.now() - last < 1000) return;
    last = performance.now();
    process.stderr.write(`${number(games)} games, ${number(positions)} positions\n`);
  };
}
