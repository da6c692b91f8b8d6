import { alphazero } from "./alphazero.ts";
import type { GameFacts } from "./game-facts.ts";
import { match } from "./match.ts";
import type { Starter } from "./starter.ts";
import { temporalDifferences } from "./temporal-differences.ts";

/** A sweep: many runs that differ in one setting and in their seeds. */
export const sweep: Starter = {
  summary: "runs with three values of a setting and three seeds each, and their report",
  refusal: () => undefined,
  text: (facts, inputs, budget) => {
    const { key, of, values } = sweptBy(facts);
    const each = budget === undefined ? undefined : { ...budget, seconds: budget.seconds / (3 * SEEDS) };
    return `${of.text(facts, inputs, each)}
# Every value with every seed: ${3 * SEEDS} runs, side by side. Any key of this file can be swept.
sweep:
  seeds: ${SEEDS}
  grid:
    ${key}: [${values.join(", ")}]
`;
  },
};

const SEEDS = 3;

function sweptBy(facts: GameFacts): {
  readonly of: Starter;
  readonly key: string;
  readonly values: readonly number[];
} {
  if (alphazero.refusal(facts, {}) === undefined)
    return { of: alphazero, key: "agents.learner.simulations", values: [8, 16, 32] };
  if (temporalDifferences.refusal(facts, {}) === undefined)
    return { of: temporalDifferences, key: "graph.learn.lambda", values: [0, 0.5, 0.9] };
  return { of: match, key: "agents.many.simulations", values: [100, 200, 400] };
}
