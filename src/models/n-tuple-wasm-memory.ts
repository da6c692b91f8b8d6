import { CELL, lineTables, REWARD, SLID, TOWARDS_END } from "../games/2048-lines.ts";
import { PAGE, type SharedMemory } from "../compute/webassembly.ts";
import { lineForms, type TupleLookup } from "./n-tuple-lookup.ts";

const CODES = 1 << 20;
/** Bytes of a line's entry among the moves: the line slid towards cell 0, towards its end, the reward, nothing. */
const MOVE = 16;
/** Bytes of a line's entry among the forms: what it puts into the four lines that cross it, its form, its mirrored form. */
const FORM = 32;

/** Where things lie in the memory of a network, in bytes. */
export interface Places {
  readonly coherence: number;
  readonly moves: number;
  readonly forms: number;
  readonly pages: number;
}

/** Where things lie for a network: its weights first, then what temporal coherence keeps, then its lines. */
export function placesOf({ size }: TupleLookup): Places {
  const coherence = 4 * size;
  const moves = 12 * size;
  const forms = moves + MOVE * CODES;
  return { coherence, moves, forms, pages: Math.ceil((forms + FORM * CODES) / PAGE) };
}

/** Writes what moves and forms are looked up in, for lines of four cells. */
export function fillLines(lookup: TupleLookup, { moves, forms }: Places, { buffer }: SharedMemory): void {
  const entries = lineTables(4);
  const intoMoves = new Int32Array(buffer, moves, (MOVE / 4) * CODES);
  const intoForms = new Int32Array(buffer, forms, (FORM / 4) * CODES);
  const lines = lineForms(lookup.plan);
  for (let code = 1; code < CODES; code++) {
    // No line has this code: an exponent above the greatest.
    if (SLID[entries + code] === 0) continue;
    intoMoves[4 * code] = SLID[entries + code]!;
    intoMoves[4 * code + 1] = SLID[entries + TOWARDS_END + code]!;
    intoMoves[4 * code + 2] = REWARD[entries + code]!;
    for (let j = 0; j < 4; j++) intoForms[8 * code + j] = (code >> j) & CELL;
    intoForms[8 * code + 4] = lines[2 * code]!;
    intoForms[8 * code + 5] = lines[2 * code + 1]!;
  }
}
