import { Type, type Static } from "../../schema.ts";
import type { Random } from "../../random.ts";

/** The option `playoutCap`: most decisions by a quick search, some by a full one. */
export const playoutCap = Type.Union(
  [
    Type.Object(
      {
        fraction: Type.Number({
          minimum: 0,
          maximum: 1,
          description: "Share of the decisions that are made by a full search.",
        }),
        simulations: Type.Integer({
          minimum: 1,
          maximum: 10_000_000,
          description: "Simulations of a quick search.",
        }),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  {
    default: null,
    description:
      "Playout-cap randomisation (Wu 2019, section 3.1): only a random share of the decisions get a full search. The others get a quick search without noise, whose policy is not learned. null: every search is full.",
  },
);

/** The option, complete. */
export type PlayoutCap = Static<typeof playoutCap>;

/** The plan of one decision. */
export interface SearchPlan {
  readonly simulations: number;
  /** Whether the search is full: it uses noise, and its policy is learned. */
  readonly full: boolean;
}

/**
 * Makes a function that draws the plan of each decision: full with probability `fraction`, else quick. It makes one
 * draw for each decision; none if every search is full.
 */
export function searchPlans(simulations: number, cap: PlayoutCap): (random: Random) => SearchPlan {
  const full: SearchPlan = { simulations, full: true };
  if (cap === null) return () => full;
  const quick: SearchPlan = { simulations: cap.simulations, full: false };
  return (random) => (random.float() < cap.fraction ? full : quick);
}
