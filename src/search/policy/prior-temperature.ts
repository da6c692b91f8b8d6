import { Type } from "../../schema.ts";
import { ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";

/** The range of temperatures of priors. */
const TEMPERATURES = { minimum: 0.01, maximum: 1000 };

/** The option `priorTemperature`. */
export const priorTemperatureOption = (initial: number) =>
  Type.Optional(
    Type.Number({
      ...TEMPERATURES,
      default: initial,
      description: "T: priors are in proportion to p^(1/T). Above 1 they are softened, below 1 sharpened.",
    }),
  );

/** The option `rootPriorTemperature`. */
export const rootPriorTemperatureOption = Type.Optional(
  Type.Union([Type.Number(TEMPERATURES), Type.Null()], {
    default: null,
    description: "T of the priors at the root, before any noise. null: priorTemperature.",
  }),
);

/** Brings the first `count` weights to the power 1 / `temperature`, and the greatest of them to 1. */
export function soften(weights: Float64Array, count: number, temperature: number): void {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, weights[i]!);
  const power = 1 / temperature;
  for (let i = 0; i < count; i++) weights[i] = most > 0 ? (weights[i]! / most) ** power : 1;
}

/** Softens the priors of the root by a temperature. */
export function softenRoot(policy: PolicyTree, temperature: number): void {
  const { tree, prior } = policy;
  const first = tree.firstEdge[ROOT]!;
  const count = tree.edgeCount[ROOT]!;
  const weights = Float64Array.from(prior.data.subarray(first, first + count));
  soften(weights, count, temperature);
  // The weights lie in the present order of the edges.
  policy.setPriors(ROOT, weights, 0);
}
