import { CELL, lineTables, OCCUPIED, REWARD, SLID, spread, TOWARDS_END } from "../../games/2048/lines.ts";
import { NTH_BIT } from "../../games/2048/chance.ts";
import { PAGE, type SharedMemory } from "../../compute/wasm/webassembly.ts";
import { contribution, type LineRoles, lineRoles } from "./line-roles.ts";
import { lineForms, type TupleLookup } from "./tuple-lookup.ts";

const CODES = 1 << 20;

/**
 * The entry of a line, by byte offsets:
 *
 * - the addresses of the entries of the line slid towards its first and its last cell, and the reward;
 * - the cells with tiles, as four bits; above them, from bit 8 on, as many ones as the number of the line's stage;
 * - what the line puts into the four lines that cross it;
 * - what the line puts into indices, 16 bytes for each role: of the first tuple, of the mirrored line, and both again of
 *   the second tuple.
 *
 * The code knows a line by the address of its entry, code x the length of an entry. A lookup reads mostly one cache line for
 * each line of a board.
 */
export const ENTRY = { slid: 0, slidToEnd: 4, reward: 8, occupied: 12, crossing: 16, roles: 32 };

/** The bit of `ENTRY.occupied` at which the stage begins. */
export const STAGE_BITS = 8;

/** Addresses in the memory of a network, in bytes. */
export interface Places {
  readonly coherence: number;
  /** The lines' entries, and the logarithm of their length. */
  readonly lines: number;
  readonly entryBits: number;
  /** For each outcome of chance, eight numbers to be or-ed into the lines. */
  readonly tiles: number;
  /** At 8 x byte + i: the position of the i-th set bit of the byte. */
  readonly bits: number;
  readonly pages: number;
  readonly roles: LineRoles;
}

/** The addresses for a network: its weights first, then temporal coherence, then its lines. */
export function placesOf({ size, plan }: TupleLookup): Places {
  const roles = lineRoles(plan);
  const coherence = 4 * size;
  const lines = 12 * size;
  const entryBits = Math.ceil(Math.log2(ENTRY.roles + 16 * roles.roles.length));
  const tiles = lines + CODES * 2 ** entryBits;
  const bits = tiles + 32 * 32;
  return { coherence, lines, entryBits, tiles, bits, pages: Math.ceil((bits + 2048) / PAGE), roles };
}

/** Writes the tables of lines, for lines of four cells. */
export function fillLines(lookup: TupleLookup, places: Places, { buffer }: SharedMemory): void {
  const { lines, entryBits, tiles, bits, roles } = places;
  const moves = lineTables(4);
  const entries = new Int32Array(buffer, lines, (CODES << entryBits) / 4);
  const forms = lineForms(lookup.plan);
  for (let code = 0; code < CODES; code++) {
    // No line has this code: it holds an exponent above the greatest.
    if (code > 0 && SLID[moves + code] === 0) continue;
    const entry = code << (entryBits - 2);
    entries[entry] = SLID[moves + code]! << entryBits;
    entries[entry + 1] = SLID[moves + TOWARDS_END + code]! << entryBits;
    entries[entry + 2] = REWARD[moves + code]!;
    entries[entry + 3] = OCCUPIED[code]! | ((2 ** lookup.stages.ofLine(code) - 1) << STAGE_BITS);
    for (let j = 0; j < 4; j++) entries[entry + 4 + j] = ((code >> j) & CELL) << entryBits;
    for (const [number, role] of roles.roles.entries())
      for (const [member, parts] of role.entries())
        for (const mirrored of [0, 1])
          entries[entry + 8 + 4 * number + 2 * member + mirrored] =
            4 * contribution(parts, forms[2 * code + mirrored]!);
  }
  const masks = new Int32Array(buffer, tiles, 32 * 8);
  for (let outcome = 0; outcome < 32; outcome++) {
    const [row, column] = [outcome >> 3, (outcome >> 1) & 3];
    const tile = spread(1 + (outcome & 1)) << entryBits;
    masks[8 * outcome + row] = tile << column;
    masks[8 * outcome + 4 + column] = tile << row;
  }
  new Uint8Array(buffer, bits, 2048).set(NTH_BIT);
}
