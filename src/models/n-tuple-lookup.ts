import { exponentIn, GREATEST_EXPONENT, spread } from "../games/2048-lines.ts";
import type { TupleLayout } from "./n-tuple-sets.ts";

/**
 * Looks tuples up for a board given as its line codes, `State2048.lines`.
 *
 * A tuple is looked up once for each symmetry of the board (8 on square boards, 4 on others) in the same table
 * (symmetric sampling, Szubert and Jaskowski 2014), so that symmetric boards have equal values.
 */
export interface TupleLookup {
  /** Weights of all tables together: tables x 2^(bits x tuple length). */
  readonly size: number;
  /** Lookups of one board: tuples x symmetries. */
  readonly lookups: number;
  /** The sum of the weights of the board whose eight lines begin at `offset`. */
  value(weights: Float32Array, lines: Int32Array, offset: number): number;
  /** Writes the `lookups` indices of the board whose eight lines begin at `offset`; an index may occur twice. */
  indices(lines: Int32Array, offset: number, out: Int32Array): void;
}

/** Cells of one line that move by the same distance into the index: a part of a tuple. */
interface Part {
  readonly line: number;
  readonly mask: number;
  readonly shift: number;
}

/**
 * Makes the lookups for a layout.
 *
 * An index is bit-sliced as line codes are: the lowest bits of all the tuple's exponents, then the second ones, and
 * so on. Positions of small tiles, which are most, thus lie together at the beginning of a table, on few memory
 * pages. A line's cells, read in either direction, are brought into that form by one table (`forms`); an index is
 * then two or three masks and shifts.
 *
 * The loops over symmetries, tuples and parts are written out as the source of one function, since a generic loop over
 * them costs about as much as the memory it touches; every number in that source comes from the layout.
 */
export function tupleLookup(layout: TupleLayout): TupleLookup {
  const length = layout.tuples[0]!.length;
  const tableBits = layout.bits * length;
  const images: string[] = [];
  const square = layout.rows === layout.columns;
  for (const [table, tuple] of layout.tuples.entries()) {
    const parts = partsOf(tuple, layout, length);
    for (const transposed of square ? [false, true] : [false])
      for (const flipped of [false, true])
        for (const mirrored of [false, true]) {
          const terms = parts.map(({ line, mask, shift }) => {
            const from = flipped ? layout.rows - 1 - line : line;
            const form = `${mirrored ? "r" : "f"}${from + (transposed ? 4 : 0)}`;
            const bits = `(${form} & ${mask})`;
            return shift === 0 ? bits : shift > 0 ? `(${bits} << ${shift})` : `(${bits} >> ${-shift})`;
          });
          if (table > 0) terms.push(String(table * 2 ** tableBits));
          images.push(terms.join(" | "));
        }
  }
  const lines = Array.from({ length: square ? 8 : 4 }, (_, line) => line).filter(
    (line) => line % 4 < layout.rows,
  );
  const forms = lines
    .map(
      (line) =>
        `const c${line} = lines[offset + ${line}] << 1; const f${line} = forms[c${line}]; const r${line} = forms[c${line} + 1];`,
    )
    .join("\n");
  const source = `"use strict";
return {
  value(weights, lines, offset) {
    ${forms}
    return ${balancedSum(images.map((image) => `weights[${image}]`))};
  },
  indices(lines, offset, out) {
    ${forms}
    ${images.map((image, i) => `out[${i}] = ${image};`).join("\n")}
  },
};`;
  // oxlint-disable-next-line no-implied-eval, no-new-func -- see above: the source is made of the layout's numbers alone
  const make = new Function("forms", source) as (forms: Int32Array) => Pick<TupleLookup, "value" | "indices">;
  return {
    size: layout.tuples.length * 2 ** tableBits,
    lookups: images.length,
    ...make(lineForms(layout.columns, length, layout.bits)),
  };
}

/** Sums by halves: a short chain of dependent additions. */
function balancedSum(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!;
  const half = terms.length >> 1;
  return `(${balancedSum(terms.slice(0, half))} + ${balancedSum(terms.slice(half))})`;
}

/**
 * Places the cells of a tuple in the slots 0 .. length - 1 of its index, so that neighbours in a line stay neighbours
 * and few parts are needed.
 */
function partsOf(tuple: readonly number[], layout: TupleLayout, length: number): Part[] {
  const parts: Part[] = [];
  let slot = 0;
  for (let i = 0; i < tuple.length;) {
    const line = Math.floor(tuple[i]! / layout.columns);
    const first = tuple[i]! % layout.columns;
    let count = 1;
    while (tuple[i + count] === tuple[i]! + count && first + count < layout.columns) count++;
    const cells = (2 ** count - 1) << first;
    let mask = 0;
    for (let bit = 0; bit < layout.bits; bit++) mask |= cells << (bit * length);
    parts.push({ line, mask, shift: slot - first });
    slot += count;
    i += count;
  }
  return parts;
}

const formTables = new Map<string, Int32Array>();

/**
 * For each line code, at 2 * code, the line with bit p of cell j's exponent at bit p * stride + j, and at
 * 2 * code + 1 the same for the mirrored line. Exponents of 2^bits and above are taken as 2^bits - 1.
 */
function lineForms(cells: number, stride: number, bits: number): Int32Array {
  const key = `${cells}/${stride}/${bits}`;
  let forms = formTables.get(key);
  if (forms === undefined) {
    forms = buildForms(cells, stride, bits);
    formTables.set(key, forms);
  }
  return forms;
}

function buildForms(cells: number, stride: number, bits: number): Int32Array {
  const forms = new Int32Array(2 << 20);
  const greatest = 2 ** bits - 1;
  const codes = (GREATEST_EXPONENT + 1) ** cells;
  for (let number = 0; number < codes; number++) {
    let rest = number;
    let code = 0;
    for (let j = 0; j < cells; j++) {
      code |= spread(rest % (GREATEST_EXPONENT + 1)) << j;
      rest = Math.floor(rest / (GREATEST_EXPONENT + 1));
    }
    let form = 0;
    let mirrored = 0;
    for (let j = 0; j < cells; j++) {
      const exponent = Math.min(exponentIn(code, j), greatest);
      for (let bit = 0; bit < bits; bit++) {
        form |= ((exponent >> bit) & 1) << (bit * stride + j);
        mirrored |= ((exponent >> bit) & 1) << (bit * stride + cells - 1 - j);
      }
    }
    forms[2 * code] = form;
    forms[2 * code + 1] = mirrored;
  }
  return forms;
}
