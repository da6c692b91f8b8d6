import { curveValueText, type ExpectedCurve } from "../../diagnosis/expected-curve.ts";
import type { RunCost } from "../../graph/cost/cost.ts";
import { durationText } from "./cost-text.ts";

/**
 * What an agent is expected to reach, half way and at the end: `expected of player in against-uct, by 3 recorded runs: 50.0% [40.0%,
 * 60.0%] after 800 steps (about 20 seconds here), ...`. Times are given if `cost`, that of a whole run on this machine, is known:
 * they pass as in the recorded runs.
 */
export function curveText(
  curve: ExpectedCurve,
  cost?: Pick<RunCost, "least" | "seconds" | "unknown">,
): string {
  const known = cost !== undefined && cost.unknown.length + cost.least.length === 0;
  const { agent, points, runs, stage, unit } = curve;
  const last = points.at(-1)!;
  const half = points.find(({ learned }) => learned > 0 && learned >= last.learned / 2) ?? last;
  const text = (value: number) => curveValueText(curve, value);
  const shown = [...new Set([half, last])].map(({ elapsed, high, learned, low, value }) => {
    const here = known ? ` (about ${durationText((cost.seconds * elapsed) / curve.seconds)} here)` : "";
    return `${text(value)} [${text(low)}, ${text(high)}] after ${learned.toLocaleString("en-US")} ${unit}${here}`;
  });
  return `expected of ${agent} in ${stage}, by ${runs} recorded runs: ${shown.join(", ")}`;
}
