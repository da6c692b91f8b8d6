import type { CheckedStage } from "./check-graph.ts";

/** The net that a stage learns; undefined if it learns none. */
export function learnedNet({
  operator,
  config,
}: Pick<CheckedStage, "operator" | "config">): string | undefined {
  return operator.learns === undefined ? undefined : String(config[operator.learns]);
}
