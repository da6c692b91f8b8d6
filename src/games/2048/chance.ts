import type { BoardSize, State2048 } from "./board.ts";
import type { Chance } from "../game.ts";

/** Number of bits set in a byte. */
const BIT_COUNT = new Uint8Array(256);
/** At 8 * byte + i, the place of the i-th bit that is set in the byte. */
export const NTH_BIT: Uint8Array = new Uint8Array(8 * 256);
for (let byte = 0; byte < 256; byte++)
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) NTH_BIT[8 * byte + BIT_COUNT[byte]!++] = bit;

/**
 * The new tiles of 2048: on each empty cell with the same probability, a 2-tile with .9 or a 4-tile with .1.
 *
 * An outcome is cell * 2 + (0 for a 2-tile, 1 for a 4-tile), cells numbered row by row from the top left.
 */
export function newTile({ placeOf }: BoardSize): Chance<State2048> {
  const cellAt = new Uint8Array(16);
  for (const [cell, place] of placeOf.entries()) cellAt[place] = cell;
  return {
    outcomes(state, actions, probabilities) {
      const count = possibleTiles(state, placeOf, actions);
      for (let i = 0; i < count; i++) probabilities[i] = (i & 1 ? 0.2 : 1.8) / count;
      return count;
    },
    sample(state, random) {
      const low = state.empty & 0xff;
      const high = state.empty >> 8;
      const inLow = BIT_COUNT[low]!;
      // One draw for both: a tenth of the numbers for each cell are its 4-tile.
      const draw = random.below(10 * (inLow + BIT_COUNT[high]!));
      // draw / 10, exact for draws below 160.
      const which = (draw * 205) >> 11;
      const place = which < inLow ? NTH_BIT[8 * low + which]! : 8 + NTH_BIT[8 * high + which - inLow]!;
      return 2 * cellAt[place]! + (draw === 10 * which ? 1 : 0);
    },
  };
}

/** Writes the possible outcomes in increasing order; returns their number. */
export function possibleTiles(state: State2048, placeOf: Uint8Array, out: Int32Array): number {
  let count = 0;
  for (let cell = 0; cell < placeOf.length; cell++)
    if ((state.empty >> placeOf[cell]!) & 1) {
      out[count++] = 2 * cell;
      out[count++] = 2 * cell + 1;
    }
  return count;
}
