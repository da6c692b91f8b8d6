import { connectFourDialect } from "./connect-four.ts";
import type { GtpDialect } from "./dialect.ts";
import { goDialect } from "./go/go.ts";
import { gtpRhino, othelloDialect } from "./othello.ts";
import { pentobi } from "./pentobi.ts";

/** All dialects. Of several that speak of one game, a session speaks the first. */
export const gtpDialects: readonly GtpDialect[] = [
  pentobi,
  goDialect,
  othelloDialect,
  gtpRhino,
  connectFourDialect,
];

/** The names of the rules that dialects speak of. */
export const gtpRules: readonly string[] = [
  ...new Set(gtpDialects.flatMap(({ games }) => Object.keys(games))),
];

/** The first dialect that speaks of a game, or undefined. */
export function dialectOf(rules: string): GtpDialect | undefined {
  return gtpDialects.find(({ games }) => Object.hasOwn(games, rules));
}
