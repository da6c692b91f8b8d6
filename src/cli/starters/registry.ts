import { alphazero } from "./alphazero.ts";
import { match } from "./match.ts";
import type { Starter } from "./starter.ts";
import { supervisedLearning } from "./supervised.ts";
import { sweep } from "./sweep.ts";
import { temporalDifferences } from "./temporal-differences.ts";

/** The kinds of first experiments that `ludoflow new --experiment` writes, by name. */
export const starters: Readonly<Record<string, Starter>> = {
  alphazero,
  td: temporalDifferences,
  match,
  sweep,
  supervised: supervisedLearning,
};
