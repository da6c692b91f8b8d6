import { exponentIn, GREATEST_EXPONENT, spread } from "../../games/2048/lines.ts";
import { type IndexPlan, indexPlan, lineForm } from "./indexing.ts";
import type { TupleLayout } from "./tuple-sets.ts";
import { Stages } from "./stages.ts";
import { sumByFours } from "./step-rule.ts";

/**
 * Looks tuples up for a board given as its line codes, `State2048.lines`.
 *
 * A tuple is looked up once for each symmetry of the board (8 on square boards, 4 on others), always in one table
 * (symmetric sampling, Szubert and Jaskowski 2014). Symmetric boards therefore have equal values, up to rounding of sums.
 */
export interface TupleLookup {
  /** Weights of all tuples and stages together: stages x tuples x 2^(bits x tuple length). */
  readonly size: number;
  readonly stages: Stages;
  /** Lookups of one board: tuples x symmetries, a multiple of four. */
  readonly lookups: number;
  readonly plan: IndexPlan;
  /**
   * The sum of the weights of the board whose eight lines begin at `offset`, in float32. As in `StepRule`, it is made of
   * four sums, each of every fourth lookup.
   */
  value(weights: Float32Array, lines: Int32Array, offset: number): number;
  /** Writes the `lookups` indices of the board whose eight lines begin at `offset`; an index may occur twice. */
  indices(lines: Int32Array, offset: number, out: Int32Array): void;
}

type Lookups = Pick<TupleLookup, "value" | "indices">;

/**
 * Makes the lookups for a layout, with stages that begin with these greatest tiles, with promotion or without.
 *
 * One table (`lineForms`) converts a line's cells, read in either direction, to the form from which indices are made; an
 * index is then a few masks and shifts. The loops over symmetries, tuples and parts are unrolled into the source of one
 * function, since a generic loop costs about as much as the memory it touches. Every number in that source comes from the
 * layout.
 */
export function tupleLookup(
  layout: TupleLayout,
  tiles: readonly number[] = [],
  promotion = true,
): TupleLookup {
  const plan = indexPlan(layout);
  const stages = new Stages(tiles, plan.size, promotion);
  const images: string[] = [];
  for (const { base, parts } of plan.tuples)
    for (const transposed of plan.square ? [false, true] : [false])
      for (const flipped of [false, true])
        for (const mirrored of [false, true]) {
          const terms = parts.map(({ line, mask, shift }) => {
            const from = flipped ? layout.rows - 1 - line : line;
            const form = `${mirrored ? "r" : "f"}${from + (transposed ? 4 : 0)}`;
            const bits = `(${form} & ${mask})`;
            return shift === 0 ? bits : shift > 0 ? `(${bits} << ${shift})` : `(${bits} >> ${-shift})`;
          });
          if (base > 0) terms.push(String(base));
          images.push(terms.join(" | "));
        }
  const lines = Array.from({ length: plan.square ? 8 : 4 }, (_, line) => line).filter(
    (line) => line % 4 < layout.rows,
  );
  const forms = lines
    .map(
      (line) =>
        `const c${line} = lines[offset + ${line}] << 1; const f${line} = forms[c${line}]; const r${line} = forms[c${line} + 1];`,
    )
    .join("\n");
  const sums = [0, 1, 2, 3].map((lane) =>
    images
      .filter((_, i) => i % 4 === lane)
      .map((image) => `weights[${image}]`)
      .reduce((sum, weight) => `fround(${sum} + ${weight})`),
  );
  const source = `"use strict";
const { fround } = Math;
return {
  value(weights, lines, offset) {
    ${forms}
    ${sums.map((sum, lane) => `const s${lane} = ${sum};`).join("\n")}
    return fround(fround(s0 + s1) + fround(s2 + s3));
  },
  indices(lines, offset, out) {
    ${forms}
    ${images.map((image, i) => `out[${i}] = ${image};`).join("\n")}
  },
};`;
  // oxlint-disable-next-line no-implied-eval, no-new-func -- see above: the source holds numbers of the layout only
  const make = new Function("forms", source) as (forms: Int32Array) => Lookups;
  const single = make(lineForms(plan));
  const lookups = images.length;
  const size = stages.count * plan.size;
  return {
    size,
    stages,
    lookups,
    plan,
    ...(stages.count === 1 ? single : inStages(single, stages, lookups)),
  };
}

/** The lookups of a board in the tables of its stage. */
function inStages({ indices }: Lookups, stages: Stages, lookups: number): Lookups {
  const found = new Int32Array(lookups);
  const terms = new Float32Array(lookups);
  const staged = (lines: Int32Array, offset: number, out: Int32Array): void => {
    indices(lines, offset, out);
    const from = stages.size * stages.of(lines, offset);
    for (let i = 0; i < lookups; i++) out[i]! += from;
  };
  return {
    indices: staged,
    value(weights, lines, offset) {
      staged(lines, offset, found);
      for (let i = 0; i < lookups; i++)
        terms[i] = stages.promotes ? stages.promoted(weights, found[i]!) : weights[found[i]!]!;
      return sumByFours(terms);
    },
  };
}

const formTables = new Map<string, Int32Array>();

/** The forms of lines (see `lineForm`): at 2 * code that of the line, at 2 * code + 1 that of the mirrored line. */
export function lineForms(plan: IndexPlan): Int32Array {
  const key = `${plan.columns}/${plan.stride}/${plan.bits}`;
  let forms = formTables.get(key);
  if (forms === undefined) {
    forms = buildForms(plan);
    formTables.set(key, forms);
  }
  return forms;
}

function buildForms(plan: IndexPlan): Int32Array {
  const forms = new Int32Array(2 << 20);
  const cells = plan.columns;
  const codes = (GREATEST_EXPONENT + 1) ** cells;
  for (let number = 0; number < codes; number++) {
    let rest = number;
    let code = 0;
    for (let j = 0; j < cells; j++) {
      code |= spread(rest % (GREATEST_EXPONENT + 1)) << j;
      rest = Math.floor(rest / (GREATEST_EXPONENT + 1));
    }
    forms[2 * code] = lineForm(plan, (cell) => exponentIn(code, cell));
    forms[2 * code + 1] = lineForm(plan, (cell) => exponentIn(code, cells - 1 - cell));
  }
  return forms;
}
