import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConfiguredGame } from "../src/games/registry.ts";
import { sgfFormatOf } from "../src/games/sgf-games.ts";
import {
  type FilterSettings,
  filterSchema,
} from "../src/operators/learning/collection/collection-settings.ts";
import { GameReader } from "../src/operators/learning/collection/game-reader.ts";
import { GamesFileWriter } from "../src/operators/learning/collection/games-file.ts";
import { readGamesFile } from "../src/operators/learning/collection/read-games-file.ts";
import { GameSorter } from "../src/operators/learning/collection/kept-games.ts";
import { completeOptions } from "../src/options.ts";
import { Random } from "../src/random.ts";
import { processorMs } from "./in-turn.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";

/** Files of SGF, and games in each. */
const FILES = 20;
const GAMES = 100;

/** Number of conversions; the result is the median of the rates. */
const ROUNDS = 7;

/**
 * `bench data`: positions a second of one core, in processor time, from SGF of 19x19 games to an .h5 file: reading,
 * checking each move by the rules, keys of all images, writing, and reading the file once more. The games are drawn at
 * random, 150 to 350 moves long. The peer only checks and plays the same moves.
 */
export async function benchData(): Promise<BenchReport> {
  const { config, game } = openConfiguredGame("go", { size: 19 });
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-bench-"));
  try {
    const format = sgfFormatOf(config)!;
    const games: number[][] = [];
    for (let file = 0; file < FILES; file++) {
      const texts: string[] = [];
      for (let each = 0; each < GAMES; each++) {
        const moves = randomGame(game, Random.named("bench", "data", file, each));
        games.push(moves);
        texts.push(
          format.write({
            moves,
            returns: [1, 0],
            ending: "resignation",
            result: "B+R",
            handicap: 0,
            players: ["black", "white"],
            ratings: ["3d", "4d"],
            options: {},
          }),
        );
      }
      writeFileSync(join(folder, `${file}.sgf`), texts.join(""));
    }
    const positions = games.reduce((sum, { length }) => sum + length, 0);
    const filters = defaults();
    const reader = new GameReader({ game: config, filters, texts: false });
    const target = join(folder, "games.h5");
    const rates: Record<"read" | "convert" | "open" | "play", number[]> = {
      read: [],
      convert: [],
      open: [],
      play: [],
    };
    for (let round = -1; round < ROUNDS; round++) {
      const start = processorMs();
      const sorter = new GameSorter(filters, 2);
      const kept = Array.from({ length: FILES }, (_, file) => {
        const path = join(folder, `${file}.sgf`);
        const batch = reader.read({ files: [{ label: `${file}.sgf`, source: "bench", content: { path } }] });
        return sorter.take(batch, ({ why }) => {
          throw new Error(why);
        });
      });
      const read = processorMs();
      const writer = await GamesFileWriter.create(target, 2);
      for (const each of kept) writer.add(each);
      await writer.finish(sorter.groups, { version: "", game: config, sources: [], filters, counts: {} });
      const written = processorMs();
      await readGamesFile(target);
      const opened = processorMs();
      playAll(game, games);
      const played = processorMs();
      if (round < 0) continue;
      rates.read.push((1000 * positions) / (read - start));
      rates.convert.push((1000 * positions) / (written - start));
      rates.open.push((1000 * positions) / (opened - written));
      rates.play.push((1000 * positions) / (played - opened));
    }
    const row = { case: `19x19, ${positions.toLocaleString("en-US")} positions`, unit: "positions/s" };
    const peer = { name: "checking and playing the moves", value: median(rates.play) };
    const rows: BenchRow[] = [
      compared({ ...row, metric: "SGF to games in memory", value: median(rates.read) }, peer),
      compared({ ...row, metric: "SGF to .h5", value: median(rates.convert) }, peer),
      { ...row, metric: "reading .h5", value: median(rates.open) },
      { ...row, metric: "size of .h5", value: statSync(target).size / positions, unit: "bytes/position" },
    ];
    return { bench: "data", rows };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type AnyGame = ReturnType<typeof openConfiguredGame>["game"];

function randomGame(game: AnyGame, random: Random): number[] {
  const state: unknown = game.initial();
  const moves: number[] = [];
  for (let left = 150 + random.below(200); left > 0 && game.toMove(state) >= 0; left--) {
    const action = game.playouts!.uniform(state, random);
    game.play(state, action);
    moves.push(action);
  }
  return moves;
}

function playAll(game: AnyGame, games: readonly (readonly number[])[]): void {
  for (const moves of games) {
    const state: unknown = game.initial();
    for (const action of moves) {
      if (!game.depthFirst!.isLegal!(state, action)) throw new Error("an illegal move");
      game.play(state, action);
    }
  }
}

function defaults(): FilterSettings {
  const completed = completeOptions(filterSchema(), {});
  if ("wrong" in completed) throw new Error(completed.wrong);
  return completed.options;
}
