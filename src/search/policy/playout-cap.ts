import { Type, type Static } from "../../schema.ts";
import type { Random } from "../../random.ts";

/** Option of searches by simulations: most decisions by a quick search, some by a full one. */
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
      "Playout-cap randomisation (Wu 2019, section 3.1): a decision is by a full search only now and then, else by a quick one without noise, whose policy is not learned; null: every search is full.",
  },
);

/** As options give it. */
export type PlayoutCap = Static<typeof playoutCap>;

/** How one decision is searched. */
export interface SearchPlan {
  readonly simulations: number;
  /** Whether it is a full search: with noise, and one to learn from. */
  readonly full: boolean;
}

/**
 * Draws the plans of decisions: full with `simulations` in the share `fraction` of them, else quick. One draw a decision,
 * none where every search is full.
 */
export function searchPlans(simulations: number, cap: PlayoutCap): (random: Random) => SearchPlan {
  const full: SearchPlan = { simulations, full: true };
  if (cap === null) return () => full;
  const quick: SearchPlan = { simulations: cap.simulations, full: false };
  return (random) => (random.float() < cap.fraction ? full : quick);
}
