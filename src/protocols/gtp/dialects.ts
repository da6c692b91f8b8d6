import type { GtpDialect } from "./dialect.ts";
import { goDialect } from "./go/go.ts";
import { pentobi } from "./pentobi.ts";

/** All dialects. */
export const gtpDialects: readonly GtpDialect[] = [pentobi, goDialect];

/** The names of the rules that a dialect speaks of. */
export const gtpRules: readonly string[] = gtpDialects.flatMap(({ games }) => Object.keys(games));

/** The first dialect that speaks of a game, or undefined. */
export function dialectOf(rules: string): GtpDialect | undefined {
  return gtpDialects.find(({ games }) => Object.hasOwn(games, rules));
}
