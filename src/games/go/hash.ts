import { type GoBoard, MOST_CELLS, PASS_CELL } from "./board.ts";
import type { Hash } from "../game.ts";
import type { GoRules } from "./options.ts";
import { type GoState, moverOfPly } from "./state.ts";

/**
 * A 64-bit hash of a position: the board, the seat to move, passes in a row, the plies left under a move limit, and the
 * ko; under superko the earlier positions that hold a stone which is no longer there.
 *
 * An earlier position whose stones all still stand is left out: to repeat it, one of these stones must be captured
 * first, and from then on the hash has that position. So positions with one hash have the same legal actions, all
 * orders of moves without captures lead to one hash, and the rest of the game can only differ where a stone that both
 * positions have is captured and placed again, and all that was placed since the earlier position is captured too.
 */
export function goHash(rules: GoRules): Hash<GoState> {
  return (state, out) => {
    const { superko, moveLimit } = rules;
    let a =
      state.hashLow ^ mix(state.toMove + 8 * state.passes + (moveLimit > 0 ? 32 * state.plies + 0x10000 : 0));
    let b = state.hashHigh ^ mix(~a);
    if (superko === "simple") {
      a ^= mix(state.ko + 0x51ed270b);
      b ^= mix(a);
    } else if (state.prisoners[0]! + state.prisoners[1]! > 0) {
      gather(state, rules.board, superko === "situational");
      a ^= gatheredLow;
      b ^= gatheredHigh;
    }
    out[0] = a;
    out[1] = b;
  };
}

/** What `gather` found. */
let gatheredLow = 0;
let gatheredHigh = 0;

/** By cell, while plies are walked through: the number of the first position with the stone placed there last. */
const since = new Int32Array(MOST_CELLS);
/** By number of a position: how many stones that are no longer there it holds more than the position before it. */
let change = new Int32Array(1024);

/** Hashes the set of earlier positions, numbered by the ply after them, that hold a stone which is no longer there. */
function gather(state: GoState, board: GoBoard, situational: boolean): void {
  const { plies, colour } = state;
  const { moves, captured, capturedEnd, keys } = state.history;
  if (change.length < plies + 2) change = new Int32Array(2 * plies);
  else change.fill(0, 0, plies + 2);
  since.fill(0, 0, board.cells);
  let i = 0;
  for (let ply = 0; ply < plies; ply++) {
    const cell = moves[ply]!;
    if (cell === PASS_CELL) continue;
    const end = capturedEnd[ply]!;
    const mover = moverOfPly(state, ply) + 1;
    const taken = i < end && captured[i] === cell ? mover : 3 - mover;
    since[cell] = ply + 1;
    for (; i < end; i++) {
      const stone = captured[i]!;
      // The stone of a suicide itself was in no position.
      if (colour[stone] === taken || stone === cell) continue;
      change[since[stone]!]!++;
      change[ply + 1]!--;
    }
  }
  gatheredLow = 0;
  gatheredHigh = 0;
  let missing = 0;
  for (let ply = 0; ply < plies; ply++) {
    missing += change[ply]!;
    if (missing === 0) continue;
    // A pass leaves the board as it was: the same member of the set, unless superko distinguishes the movers.
    if (!situational && ply > 0 && moves[ply - 1] === PASS_CELL) continue;
    gatheredLow = (gatheredLow + mix(keys[2 * ply]! ^ 0x2545f491)) | 0;
    gatheredHigh = (gatheredHigh + mix(keys[2 * ply + 1]! ^ 0x6c078965)) | 0;
  }
}

/** The 32-bit finaliser of MurmurHash3. */
function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
