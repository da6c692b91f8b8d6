import type { FittedModel } from "./fit-model.ts";

/** By what share of the width of its range a number may lie outside: half precision and quantised models round as coarsely. */
const ROUNDING = 0.01;

/** The outputs of a batch by their meaning, row-major [rows, numbers]. */
interface Heads {
  readonly valueOutput?: Float32Array;
  readonly policyOutput?: Float32Array;
}

/**
 * Looks at the outputs of a model from elsewhere before values and priors are made of them: which numbers the arithmetic would hide,
 * and which are none that the settings promise.
 */
export class OutputJudge {
  /** The first number so far that the settings did not promise, in words. */
  outOfRange: string | undefined;
  readonly #model: FittedModel;
  readonly #sizes: Readonly<Record<string, number>>;

  /** `sizes` has the numbers in a row of each output. */
  constructor(model: FittedModel, sizes: Readonly<Record<string, number>>) {
    this.#model = model;
    this.#sizes = sizes;
  }

  /**
   * Looks at the first rows. Row-major [rows, width], `gather` has the legal actions of each, and negative numbers after the last.
   * Numbers that are NaN or infinite are left or made so that values and priors are NaN, of legal actions only.
   */
  look({ policyOutput, valueOutput }: Heads, gather: Int32Array, rows: number, width: number): void {
    if (valueOutput !== undefined) this.#values(valueOutput, rows);
    if (policyOutput !== undefined) this.#policies(policyOutput, gather, rows, width);
  }

  #values(output: Float32Array, rows: number): void {
    const { name, range, tanh } = this.#model.value!;
    const end = rows * this.#sizes[name]!;
    // A tanh would make 1 of an infinite number.
    if (tanh) for (let i = 0; i < end; i++) if (!Number.isFinite(output[i]!)) output[i] = NaN;
    if (range === undefined || this.outOfRange !== undefined) return;
    const [least, greatest] = range;
    const more = ROUNDING * (greatest - least);
    for (let i = 0; i < end; i++) {
      const value = tanh ? Math.tanh(output[i]!) : output[i]!;
      if ((value < least - more || value > greatest + more) && Number.isFinite(value)) {
        this.outOfRange = `its output "${name}" has given ${numberText(value)}, and its range is [${least}, ${greatest}]: give range the least and the greatest number of the output`;
        return;
      }
    }
  }

  #policies(output: Float32Array, gather: Int32Array, rows: number, width: number): void {
    const { name, probabilities } = this.#model.policy!;
    const size = this.#sizes[name]!;
    for (let row = 0; row < rows; row++) {
      const first = row * size;
      let zeroIsLegal = false;
      for (let i = row * width; i < (row + 1) * width; i++) {
        const action = gather[i]!;
        if (action < 0) continue;
        if (action === 0) zeroIsLegal = true;
        if (!probabilities) continue;
        const probability = output[first + action]!;
        // Its logarithm is taken of the greater one of it and a small number, and is infinite then.
        if (Number.isNaN(probability)) output[first + action] = Infinity;
        if (probability < -ROUNDING && this.outOfRange === undefined)
          this.outOfRange = `its output "${name}" has given ${numberText(probability)} as the probability of an action, which is 0 or more: if it has logits, write policyOutput: logits`;
      }
      // Padding of rows reads the number of action 0.
      if (!zeroIsLegal && !(output[first]! < Infinity)) output[first] = 0;
    }
  }
}

/** A number of float32 as people write it. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}
