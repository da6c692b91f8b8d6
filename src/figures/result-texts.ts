import { decimalsFor, fixed } from "./number-text.ts";

/** What an agent has reached; ends of its interval that are not known are null or not finite. */
interface Reached {
  readonly measure: "share won" | "mean score";
  readonly value: number;
  readonly interval: readonly [number | null, number | null];
}

/** A result's value and interval: `30.0%` and `[18, 45]`. */
export function resultTexts({ interval: [low, high], measure, value }: Reached): {
  readonly value: string;
  readonly interval: string;
} {
  const isShare = measure === "share won";
  const isKnown = low !== null && high !== null && Number.isFinite(low) && Number.isFinite(high);
  const decimals = isShare || !isKnown ? 0 : decimalsFor({ value, interval: [low, high] });
  const end = (bound: number) => fixed(isShare ? 100 * bound : bound, decimals);
  return {
    value: isShare ? `${fixed(100 * value, 1)}%` : fixed(value, decimals),
    interval: isKnown ? `[${end(low)}, ${end(high)}]` : "",
  };
}
