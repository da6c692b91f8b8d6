import { Afterstates } from "../games/2048-afterstates.ts";
import type { TupleLookup } from "./n-tuple-lookup.ts";
import { FixedRate, type StepRule, TemporalCoherence } from "./step-rule.ts";
import type { LearnerOptions } from "./tables.ts";

/**
 * The inner loops of an N-tuple network, on boards as line codes (`State2048.lines`): in WebAssembly (`wasmKernel`) or
 * plain, with the same numbers to the last bit.
 */
export interface NTupleKernel {
  /** The value of the afterstate whose eight lines begin at `offset`. */
  value(lines: Int32Array, offset: number): number;
  /**
   * The greatest reward + value of the slides of a board, -Infinity where none is legal; the first direction that has it
   * is `chosen`.
   */
  best(lines: Int32Array): number;
  /** The direction that `best` found. */
  chosen(): number;
  /** The step of an afterstate's value towards `target` by a rule: what `StepRule.step` returns. */
  stepper(step: LearnerOptions["step"]): (lines: Int32Array, offset: number, target: number) => number;
}

/** The tables that a kernel works on: [size] weights, and [size, 2] what temporal coherence keeps of each. */
export interface NTupleTables {
  readonly weights: Float32Array<SharedArrayBuffer>;
  readonly coherence: Float32Array<SharedArrayBuffer>;
}

/** The kernel without WebAssembly, for boards of any size. */
export function plainKernel(
  lookup: TupleLookup,
  { weights, coherence }: NTupleTables,
  rows: number,
  columns: number,
): NTupleKernel {
  const after = new Afterstates(rows, columns);
  let chosen = 0;
  return {
    value: (lines, offset) => lookup.value(weights, lines, offset),
    best(lines) {
      const legal = after.slide(lines);
      let best = -Infinity;
      for (let direction = 0; direction < 4; direction++) {
        if (((legal >> direction) & 1) === 0) continue;
        const value = after.rewards[direction]! + lookup.value(weights, after.lines, 8 * direction);
        if (value > best) {
          best = value;
          chosen = direction;
        }
      }
      return best;
    },
    chosen: () => chosen,
    stepper(step) {
      const indices = new Int32Array(lookup.lookups);
      const rule: StepRule =
        step.use === "tc"
          ? new TemporalCoherence(step.rate, coherence, lookup.lookups)
          : new FixedRate(step.rate, lookup.lookups);
      return (lines, offset, target) => {
        lookup.indices(lines, offset, indices);
        return rule.step(weights, indices, target);
      };
    },
  };
}
