import { decimalsFor, fixed } from "../../figures/number-text.ts";
import type { ShownResult } from "./run-views.ts";

/** A result's value and interval: `30.0%` and `[18, 45]`. */
export function resultTexts({
  interval: [low, high],
  measure,
  value,
}: Pick<ShownResult, "interval" | "measure" | "value">): {
  readonly value: string;
  readonly interval: string;
} {
  if (measure === "share won")
    return {
      value: `${fixed(100 * value, 1)}%`,
      interval: low === null || high === null ? "" : `[${fixed(100 * low, 0)}, ${fixed(100 * high, 0)}]`,
    };
  const decimals = low === null || high === null ? 0 : decimalsFor({ value, interval: [low, high] });
  return {
    value: fixed(value, decimals),
    interval: low === null || high === null ? "" : `[${fixed(low, decimals)}, ${fixed(high, decimals)}]`,
  };
}
