import { decimalsFor, fixed } from "../../figures/number-text.ts";
import type { Estimate } from "../../stats/intervals.ts";
import type { Comparison, Measurement } from "./comparison.ts";

/**
 * What a comparison has found in its first measurement that has differences: a sentence for each further group, with the interval.
 * A difference whose interval contains zero is said to be not settled. If the groups learned different amounts, the sentence says so. Runs of different games have none.
 */
export function differenceSentences({ groups, measurements, settings }: Comparison): string[] {
  if (settings.some(({ path }) => path.startsWith("game.")))
    return ["These runs play different games, so their results cannot be compared."];
  if (measurements.length === 0) return ["Nothing was measured yet."];
  if (groups.length === 1) return ["All these runs have the same settings: they are repetitions."];
  const measured = measurements.find(({ differences }) => differences.length > 0);
  if (measured === undefined)
    return ["These runs have no measurement in common, so there is no difference to report."];
  return measured.differences.map((difference) => sentence(measured, difference));
}

function sentence(
  { agent, measure, results, unit: learnedUnit }: Measurement,
  { baseline, group, interval, value }: Estimate & { readonly baseline: string; readonly group: string },
): string {
  const shares = measure === "share won";
  const scale = shares ? 100 : 1;
  const scaled: Estimate = { value: scale * value, interval: [scale * interval[0], scale * interval[1]] };
  const [low, high] = scaled.interval;
  const decimals = shares ? 1 : decimalsFor(scaled);
  const unit = shares ? " percentage points" : "";
  const amount = fixed(Math.abs(scaled.value), decimals);
  const known = Number.isFinite(low) && Number.isFinite(high);
  // What is said to be less is given as a positive amount, and so are the ends of its interval.
  const ends = value >= 0 ? [low, high] : [0 - high, 0 - low];
  const bounds = known ? ` [${ends.map((end) => fixed(end, decimals)).join(", ")}]` : "";
  const learnedBy = (name: string) => results.find((each) => each.group === name)?.learned ?? 0;
  const [own, base] = [learnedBy(group), learnedBy(baseline)];
  const unequal = own === base ? "" : `, after ${fixed(own, 0)} ${learnedUnit} against ${fixed(base, 0)}`;
  const verb = shares ? ["wins", "win"] : ["scores", "score"];
  const more = value >= 0 ? "more" : "less";
  if (!known || (low <= 0 && high >= 0))
    return `${agent} with ${group} may ${verb[1]} ${amount}${bounds}${unit} ${more} than with ${baseline}${unequal}: not settled.`;
  return `${agent} with ${group} ${verb[0]} ${amount}${bounds}${unit} ${more} than with ${baseline}${unequal}.`;
}
