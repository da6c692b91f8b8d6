import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeGameRecord, type StoredGame } from "../../../src/formats/game-records.ts";
import { RecordLogReader } from "../../../src/formats/record-log.ts";
import { CHANCE, type Game } from "../../../src/games/game.ts";
import { games as builtIn, openConfiguredGame, type OpenedGame } from "../../../src/games/registry.ts";
import { sgfFormatOf } from "../../../src/games/sgf-games.ts";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { GameReader } from "../../../src/operators/learning/collection/game-reader.ts";
import { openGameSink } from "../../../src/operators/learning/collection/game-sinks.ts";
import { GameSorter, type KeptGames } from "../../../src/operators/learning/collection/kept-games.ts";
import {
  type GamesSource,
  partsOf,
  recordedStages,
} from "../../../src/operators/learning/collection/sources.ts";
import { gamesPath } from "../../../src/operators/run/run-files.ts";
import { Random } from "../../../src/random.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";
import { filters } from "../../operators/learning/collection/some-games.ts";

/** Decisions that an opening has, drawn or of a book. */
const PLIES = 4;

/** Games of each stage. */
const GAMES = 10;

/** Games by a name: at least one with the rules of each built-in game, and each set of options that a record depends on. */
const games: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "2048": { rows: 3, columns: 3 },
  "tic-tac-toe": {},
  "connect-four": {},
  othello: { size: 6 },
  blokus: {},
  "blokus on 8x8": { rules: "blokus", size: 8 },
  "blokus-duo": {},
  daihinmin: {},
  go: { size: 7, komi: 0.5 },
  "go with a handicap": { rules: "go", size: 7, komi: 0.5, handicap: 3 },
  "go with a limit": { rules: "go", size: 5, moveLimit: 30, superko: "positional" },
};

const openNamed = (name: string) => {
  const { rules = name, ...options } = games[name]!;
  return openConfiguredGame(rules as string, options);
};

/** Lines of a book with legal moves, drawn here. Chance must not come between them. */
function bookOf(game: Game<unknown>): string | undefined {
  const random = Random.named("book", game.name);
  const legal = new Int32Array(game.maxLegal);
  const lines = Array.from({ length: 3 }, () => {
    const state = game.initial();
    const moves: string[] = [];
    for (let ply = 0; ply < PLIES; ply++) {
      if (game.toMove(state) === CHANCE) return undefined;
      const action = legal[random.below(game.legal(state, legal))]!;
      moves.push(game.notation.format(state, action));
      game.play(state, action);
    }
    return moves.join(" ");
  });
  return lines.includes(undefined) ? undefined : lines.join("\n");
}

function recordsOf(path: string): StoredGame[] {
  const log = new RecordLogReader(path);
  try {
    return Array.from(log, (bytes) => decodeGameRecord(bytes, path));
  } finally {
    log.close();
  }
}

/** A game as its file has it: the position that it begins with and the moves from there. */
interface Filed {
  readonly start: string;
  readonly moves: readonly number[];
  readonly returns: readonly number[];
}

/** What is expected of a recorded game whose first `given` decisions are its opening. */
function filed(game: Game<unknown>, { actions, returns }: StoredGame, given: number): Filed {
  const state = game.initial();
  let ply = 0;
  for (let decisions = 0; ply < actions.length; ply++) {
    if (game.toMove(state) !== CHANCE && decisions++ === given) break;
    if (given === 0) break;
    game.play(state, actions[ply]!);
  }
  return {
    start: game.notation.position(state),
    moves: [...actions].slice(ply),
    returns: [...Float32Array.from(returns)],
  };
}

/** The games of a source, read in this thread as `ludoflow convert` reads them; nothing of it may be left out. */
async function read(source: GamesSource, { config, game }: OpenedGame): Promise<KeptGames> {
  const settings = filters({ duplicates: "keep" });
  const texts = sgfFormatOf(config) !== undefined;
  const reader = new GameReader({ game: config, filters: settings, texts });
  const sorter = new GameSorter(settings, game.players);
  const leftOut: unknown[] = [];
  const kept: KeptGames[] = [];
  for await (const part of partsOf(source, config))
    if ("leftOut" in part) leftOut.push(part.leftOut);
    else if (!("sum" in part)) {
      const batch = reader.read(part);
      leftOut.push(...batch.leftOut);
      kept.push(sorter.take(batch, (each) => void leftOut.push(each)));
    }
  expect(leftOut).toEqual([]);
  // A source of these sizes is one task, or one for each stage.
  expect(kept.length).toBeGreaterThan(0);
  return {
    ...kept[0]!,
    moves: Uint16Array.from(kept.flatMap(({ moves }) => [...moves])),
    lengths: Uint32Array.from(kept.flatMap(({ lengths }) => [...lengths])),
    returns: Float32Array.from(kept.flatMap(({ returns }) => [...returns])),
    parts: Uint8Array.from(kept.flatMap(({ parts }) => [...parts])),
    groupOf: Uint8Array.from(kept.flatMap(({ groupOf }) => [...groupOf])),
    starts: new Map(
      kept.flatMap(({ starts }, i) => [...starts].map(([at, text]) => [i * GAMES + at, text] as const)),
    ),
    texts: kept.flatMap(({ texts: all }) => all),
  };
}

/** Games by their files' own arrays. */
function filedGames({ lengths, moves, returns, starts }: KeptGames, game: Game<unknown>): Filed[] {
  let at = 0;
  return Array.from(lengths, (length, each) => ({
    start: starts.get(each) ?? game.notation.position(game.initial()),
    moves: [...moves.subarray(at, (at += length))],
    returns: [...returns.subarray(game.players * each, game.players * (each + 1))],
  }));
}

/** Writes games into a file of games, of the kind of its ending. */
async function write(path: string, games: KeptGames, { config, game }: OpenedGame): Promise<void> {
  const sink = await openGameSink(path, game.players);
  sink.add(games, ["all"]);
  await sink.finish(["all"], { version: "1", game: config, sources: [], filters: {}, counts: {} });
}

/** A text without the names of players, which an .h5 file has not. */
const withoutPlayers = (text: string): string => text.replaceAll(/P[BW]\[[^\]]*\]/g, "");

/** The board and the mover of a position of Go: a file in SGF has no moves before its start. */
const withoutEarlier = ({ start, ...game }: Filed): Filed => ({
  ...game,
  start: start.split(" ").slice(0, 2).join(" "),
});

describe("recorded games", () => {
  it("of every built-in game are tried here", () => {
    const tried = Object.keys(games).map((name) => openNamed(name).config.rules);
    expect([...new Set(tried)].toSorted()).toEqual(builtIn.map(({ name }) => name).toSorted());
  });

  it.each(Object.keys(games))("of %s come back from every file, however they begin", async (name) => {
    const opened = openNamed(name);
    const { config, game } = opened;
    const book = bookOf(game);
    const folder = scratchFolder();
    const inside = (file: string) => join(folder, file);
    if (book !== undefined) writeFileSync(inside("book.txt"), book);
    const match = { use: "arena", agents: ["one"], games: GAMES };
    const graph = {
      start: match,
      drawn: { ...match, openings: { plies: PLIES } },
      ...(book === undefined ? {} : { book: { ...match, openings: { book: "book.txt" } } }),
    };
    const file = writeExperiment(
      folder,
      JSON.stringify({
        name: "games",
        seed: 3,
        workers: 1,
        game: config,
        agents: { one: { use: "random" } },
        graph,
      }),
    );
    const run = inside("run");
    await startRun(file, run);
    const stages = Object.keys(graph);
    const records = stages.map((stage) => recordsOf(gamesPath(run, stage)));
    expect(records.map(({ length }) => length)).toEqual(stages.map(() => GAMES));
    const whole = records.flat().map((record) => filed(game, record, 0));
    const chosen = records.flatMap((some, stage) =>
      some.map((record) => filed(game, record, stages[stage] === "drawn" ? PLIES : 0)),
    );

    const source = {
      name: "games",
      path: run,
      records: recordedStages(run, openRunFolder(run).experiment.graph),
    };
    const first = await read(source, opened);
    expect(filedGames(first, game)).toEqual(chosen);
    await write(inside("run.h5"), first, opened);
    const sgf = sgfFormatOf(config);
    // A text in SGF of Blokus has no start, so a file without the opening cannot be written as one.
    if (sgf?.starts !== false) {
      const again = await read({ name: "h5", path: inside("run.h5") }, opened);
      expect(filedGames(again, game)).toEqual(chosen);
      expect(again.texts).toEqual(first.texts.map(withoutPlayers));
    }
    if (sgf === undefined) return;
    for (const ending of ["sgf", "zip"]) {
      await write(inside(`run.${ending}`), first, opened);
      const again = await read({ name: ending, path: inside(`run.${ending}`) }, opened);
      expect(filedGames(again, game).map(withoutEarlier)).toEqual(
        (sgf.starts ? chosen : whole).map(withoutEarlier),
      );
      expect(again.texts).toEqual(first.texts);
    }
  });
});
