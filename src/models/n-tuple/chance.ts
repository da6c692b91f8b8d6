import { Afterstates } from "../../games/2048/afterstates.ts";
import { putTile, setLines } from "../../games/2048/board.ts";
import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import { unlikelyBelow } from "../../games/evaluation.ts";
import { CHANCE } from "../../games/game.ts";
import type { NTupleKernel } from "./kernel.ts";

/** Working memory for the boards with a given number of plies left. */
interface Level {
  readonly outcomes: Int32Array;
  readonly probabilities: Float64Array;
  readonly after: Afterstates;
  /** The lines of the four afterstates of `after`. */
  readonly slid: readonly Int32Array[];
  /** The board with a new tile, and the board after the next slide. */
  readonly decision: State2048;
  readonly onward: State2048;
}

/** Entries of the transposition table: a power of two. */
const PLACES = 1 << 16;

/**
 * Values afterstates of 2048 through several plies of chance, the last of them by the kernel: E(x, p) of `Expectimax`.
 *
 * A transposition table holds the boards of the present request, which more than doubles the speed of two plies. Its keys
 * hold all cells of a board, so it never changes a value.
 */
export class NTupleChance {
  readonly #kernel: NTupleKernel;
  readonly #game: Game2048;
  readonly #levels: Level[] = [];
  /** Three words an entry: the rows of the board and the number of plies left, at most 15. */
  readonly #keys = new Int32Array(3 * PLACES);
  readonly #values = new Float64Array(PLACES);
  /** The request that filled the entry. */
  readonly #filled = new Uint32Array(PLACES);
  #request = 0;
  #shallower = false;

  constructor(kernel: NTupleKernel, game: Game2048) {
    this.#kernel = kernel;
    this.#game = game;
  }

  /** Forgets the boards of the last request. With `shallower`, unlikely tiles are searched one ply less deep. */
  begin(shallower: boolean): void {
    this.#request++;
    this.#shallower = shallower;
  }

  /** The value of an afterstate through this number of plies of chance, 1 or more. */
  value(state: State2048, plies: number): number {
    const { lines } = state;
    const key0 = lines[0]! | (lines[1]! << 20);
    const key1 = (lines[1]! >>> 12) | (lines[2]! << 8) | (plies << 28);
    const key2 = lines[3]!;
    const place = placeOf(key0, key1, key2);
    const keys = this.#keys;
    const at = 3 * place;
    if (
      this.#filled[place] === this.#request &&
      keys[at] === key0 &&
      keys[at + 1] === key1 &&
      keys[at + 2] === key2
    )
      return this.#values[place]!;
    const value = plies === 1 ? this.#kernel.throughChance(state) : this.#through(state, plies);
    this.#filled[place] = this.#request;
    keys[at] = key0;
    keys[at + 1] = key1;
    keys[at + 2] = key2;
    return (this.#values[place] = value);
  }

  #through(state: State2048, plies: number): number {
    const game = this.#game;
    const { outcomes, probabilities, after, slid, decision, onward } = this.#level(plies);
    const count = game.chance.outcomes(state, outcomes, probabilities);
    const unlikely = this.#shallower ? unlikelyBelow(probabilities, count) : 0;
    let mean = 0;
    for (let i = 0; i < count; i++) {
      game.copy(state, decision);
      putTile(decision, outcomes[i]!, game.size);
      if (decision.toMove !== 0) continue;
      const left = plies - (probabilities[i]! < unlikely ? 2 : 1);
      let best = -Infinity;
      if (left === 0) best = this.#kernel.best(decision.lines);
      else {
        const legal = after.slide(decision.lines);
        for (let direction = 0; direction < 4; direction++) {
          if (((legal >> direction) & 1) === 0) continue;
          setLines(onward, slid[direction]!, game.size);
          best = Math.max(best, after.rewards[direction]! + this.value(onward, left));
        }
      }
      mean += probabilities[i]! * best;
    }
    return mean;
  }

  #level(plies: number): Level {
    const game = this.#game;
    let level = this.#levels[plies];
    if (level === undefined) {
      const after = new Afterstates(game.rows, game.columns);
      level = this.#levels[plies] = {
        outcomes: new Int32Array(game.maxLegal),
        probabilities: new Float64Array(game.maxLegal),
        after,
        slid: [0, 8, 16, 24].map((from) => after.lines.subarray(from, from + 8)),
        decision: game.initial(),
        onward: game.initial(),
      };
      level.onward.toMove = CHANCE;
    }
    return level;
  }
}

function placeOf(key0: number, key1: number, key2: number): number {
  const mixed = Math.imul(key0 ^ Math.imul(key1, 0x85ebca6b) ^ Math.imul(key2, 0xc2b2ae35), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) & (PLACES - 1);
}
