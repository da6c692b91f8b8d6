import type { Loss } from "./loss.ts";
import type { InputType } from "../../compute/tensors.ts";
import type { AuxiliaryTarget, Net } from "../net.ts";

/** The name of a tensor of `TrainingBatch.auxiliary`. */
export type TargetName = AuxiliaryTarget | "policyWeight" | "replyIndices" | "rowWeight";

/** The arrays of `TrainingBatch.auxiliary`; see `lossTargets`. */
export interface AuxiliaryArrays {
  readonly rowWeight?: Float32Array;
  readonly policyWeight?: Float32Array;
  readonly score?: Float32Array;
  readonly ownership?: Uint8Array;
  readonly reply?: Float32Array;
  readonly replyIndices?: Int32Array;
}

/** The types of `AuxiliaryArrays` that are not float32. */
export const targetTypes = { ownership: "uint8", replyIndices: "int32" } as const satisfies Partial<
  Record<TargetName, InputType>
>;

/** A tensor of `TrainingBatch.auxiliary`: row-major [rows, width]. */
export interface TargetSpec {
  readonly name: TargetName;
  /** Numbers in a row. */
  readonly width: number;
}

/**
 * The tensors of `TrainingBatch.auxiliary` that a loss reads for a net, each with its width. Seats are counted from the
 * seat to move in the row's position, as in rows of values.
 *
 * - `rowWeight` [rows]: weight of all errors of the row, with the mean 1 over the batch. For losses with weighted rows.
 * - `policyWeight` [rows]: weight of the row's policy error: 0 if the policy is not a target, else 1. For every loss with
 *   a policy part.
 * - `score` [rows, seats]: the final scores, in the game's units.
 * - `ownership` [rows, cells], bytes: the seat that covers the cell at the end, counted from 1; 0 if none does. Cells row
 *   by row.
 * - `reply` [rows, maxLegal]: the policy target of the next decision, whichever seat takes it; all zeros if there is no
 *   next decision, or if its policy is not a target. `replyIndices` [rows, maxLegal]: the indices of its logits, as
 *   `TrainingBatch.policyIndices`.
 */
export function lossTargets(net: Net, loss: Loss): readonly TargetSpec[] {
  const { maxLegal = 0, seats } = net;
  const [height, width] = net.input;
  const widths = { score: seats, ownership: height * width, reply: maxLegal };
  const specs: TargetSpec[] = [];
  if (loss.weighted) specs.push({ name: "rowWeight", width: 1 });
  if (loss.policy) specs.push({ name: "policyWeight", width: 1 });
  for (const name of net.auxiliaryTargets ?? [])
    if (loss.auxiliary[name] > 0) specs.push({ name, width: widths[name] });
  if (specs.some(({ name }) => name === "reply")) specs.push({ name: "replyIndices", width: maxLegal });
  return specs;
}
