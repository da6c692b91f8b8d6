import { Game2048 } from "../src/games/2048/2048.ts";
import { putTile, setBoard, slideTiles } from "../src/games/2048/board.ts";
import { CHANCE, type Game, OVER } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import type { Random } from "../src/random.ts";
import { C_COMPILED, CProgram, ratesBesideC } from "./c-program.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { type BenchRow, compared } from "./report.ts";

/** Number of rounds; each times game and peer in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 21, warmUps: 3, sliceMs: 50 };

/**
 * Random moves of 2048 on one thread, in processor time, beside a program in C that plays the same games by tables of rows
 * (`random_2048_peer.c`): through the contract of games, and through the functions that the game is made of.
 */
export async function rates2048(random: Random): Promise<BenchRow[]> {
  const program = CProgram.start("random_2048_peer.c");
  const rows: BenchRow[] = [];
  try {
    for (const [how, play] of [
      ["through the game contract", randomGame(openGame("2048"), random)],
      ["through its own functions", random2048(new Game2048({ rows: 4, columns: 4 }), random)],
    ] as const) {
      const row = { case: `2048, ${how}`, metric: "random moves", unit: "moves/s" };
      if (program === undefined) {
        const [alone] = ratesInTurn([play], TURNS, processorMs);
        rows.push({ ...row, value: alone! });
      } else {
        const { own, peer } = await ratesBesideC(program, (ms) => `time ${ms}`, play, processorMs, TURNS);
        rows.push(
          compared({ ...row, value: own }, { name: `tables of rows in C, ${C_COMPILED}`, value: peer }),
        );
      }
    }
  } finally {
    program?.close();
  }
  return rows;
}

/** Plays one game by uniformly random moves through the public interface; returns its number of moves. */
export function randomGame<S>(game: Game<S>, random: Random): () => number {
  const legal = new Int32Array(game.maxLegal);
  const start = game.initial();
  const state = game.initial();
  return () => {
    game.copy(start, state);
    for (let moves = 0; ;) {
      const mover = game.toMove(state);
      if (mover === OVER) return moves;
      if (mover === CHANCE) game.play(state, game.chance!.sample(state, random));
      else {
        game.play(state, legal[random.below(game.legal(state, legal))]!);
        moves++;
      }
    }
  };
}

/** Plays one game of 2048 as `randomGame` does, through the functions that its game is made of. */
function random2048(game: Game2048, random: Random): () => number {
  // The i-th legal direction, at 4 * slides + i.
  const directions = new Uint8Array(4 * 16);
  const counts = new Uint8Array(16);
  for (let slides = 0; slides < 16; slides++)
    for (let direction = 0; direction < 4; direction++)
      if ((slides >> direction) & 1) directions[4 * slides + counts[slides]!++] = direction;
  const { chance, size } = game;
  const state = game.initial();
  return () => {
    setBoard(state, new Uint8Array(16), 0, size);
    putTile(state, chance.sample(state, random), size);
    for (let moves = 0; ; moves++) {
      putTile(state, chance.sample(state, random), size);
      const slides = state.slides;
      if (slides === 0) return moves;
      slideTiles(state, directions[4 * slides + random.below(counts[slides]!)]!, size);
    }
  };
}
