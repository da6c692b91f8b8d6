import { fixed } from "../../../figures/number-text.ts";

/** A value in few letters: `+0.22`, `−0.31`; points without decimals. */
export function expectedText(value: number | null | undefined, unit = ""): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return fixed(value, 0);
  const text = fixed(value, Math.abs(value) >= 10 ? 1 : 2);
  return unit.includes("−1") && value > 0 ? `+${text}` : text;
}
