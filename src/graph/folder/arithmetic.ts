import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";

/**
 * The version of the arithmetic of nets that are computed. With another version the same weights and positions give other
 * last bits: other moves at ties, and other trained weights. A change of the last bits raises it and adds a line here.
 *
 * 1. Minibatches had rows of all logits. Responses had the logits of all actions; play took the softmax of the legal ones.
 *    Manifests of such runs name no arithmetic.
 * 2. The logits of legal actions are gathered inside the graph, in training and in play, and their softmax is taken there.
 */
export const ARITHMETIC = 2;

/** What a manifest records about the arithmetic of its run. */
export interface RunArithmetic {
  /** The arithmetic that the run began with; absent: 1. */
  readonly arithmetic?: number;
  /** The parts of the run if not all have the same arithmetic, in order: each extends to the start of the next. */
  readonly parts?: readonly RunPart[];
}

/** A part of a run that one arithmetic has computed. */
export interface RunPart {
  /** UTC, ISO 8601. */
  readonly started: string;
  readonly arithmetic: number;
  /** The version of ludoflow that began the part. */
  readonly ludoflow: string;
}

/**
 * Why this program may compute other last bits than a run did; undefined if both have one arithmetic, or if the run
 * computes no nets.
 */
export function otherArithmetic(run: RunArithmetic, { nets }: OpenExperiment): string | undefined {
  const known = [...new Set([run.arithmetic ?? 1, ...(run.parts ?? []).map(({ arithmetic }) => arithmetic)])];
  const computed = [...nets.values()].some(({ kind }) => kind === "network");
  if (!computed || known.every((arithmetic) => arithmetic === ARITHMETIC)) return undefined;
  return `its nets were computed with arithmetic ${known.join(" and ")}, and this program has arithmetic ${ARITHMETIC}`;
}

/** The parts of a run with one more that this program begins; undefined if its last part has this arithmetic already. */
export function partsWithThis(
  { arithmetic = 1, parts = [] }: RunArithmetic,
  first: Omit<RunPart, "arithmetic">,
  next: Omit<RunPart, "arithmetic">,
): readonly RunPart[] | undefined {
  const before = parts.length > 0 ? parts : [{ ...first, arithmetic }];
  return before.at(-1)!.arithmetic === ARITHMETIC
    ? undefined
    : [...before, { ...next, arithmetic: ARITHMETIC }];
}
