import type { Loss } from "./nets/loss.ts";
import type { Net } from "./net.ts";

/**
 * What a net may learn besides value and policy, so that its tower sees more of a game than who won (Wu 2019, sections
 * 3.4 and 4.1): every seat's final return, the seat that covers each cell at the end, and the policy of the next to move.
 */
export type AuxiliaryTarget = "score" | "ownership" | "reply";

/** The name of a further tensor of training batches. */
export type TargetName = AuxiliaryTarget | "policyWeight" | "legal";

/** A further tensor of training batches: row-major [rows, width]. */
export interface TargetSpec {
  readonly name: TargetName;
  /** Numbers in a row. */
  readonly width: number;
}

/**
 * What training a net with a loss needs in `TrainingBatch.extra`, each with its width. Seats are counted from the one to
 * move in the row's position, as in rows of values; logits stand as in rows of policies (`Net.logitOf`).
 *
 * - `policyWeight` [rows]: how much the row's policy counts; 0 where it is not to be learned, else 1. For every loss with
 *   a policy part.
 * - `legal` [rows, logits]: 1 where the logit is a legal action's, else 0. For the loss on legal moves only.
 * - `score` [rows, seats]: the final returns, in the game's units.
 * - `ownership` [rows, cells, seats]: 1 where the seat covers the cell at the end, else 0; cells row by row.
 * - `reply` [rows, logits]: the policy target of the next decision, whoever takes it; all zeros where there is none, or
 *   none to learn.
 */
export function targetsOf(net: Net, loss: Loss): readonly TargetSpec[] {
  const { logits = 0, seats } = net;
  const [height, width] = net.input;
  const widths = { score: seats, ownership: height * width * seats, reply: logits };
  const specs: TargetSpec[] = [];
  if (loss.policy) specs.push({ name: "policyWeight", width: 1 });
  if (loss.legalOnly) specs.push({ name: "legal", width: logits });
  for (const name of net.targets ?? [])
    if (loss.auxiliary[name] > 0) specs.push({ name, width: widths[name] });
  return specs;
}
