import { decimalsFor, fixed } from "../figures/number-text.ts";
import type { Comparison, Measurement } from "../runs/comparison/comparison.ts";
import { intervalText, learnedOf } from "../runs/comparison/comparison-sections.ts";
import { valueText } from "../operators/experiment/settings-by-path.ts";
import type { Estimate } from "../stats/intervals.ts";
import { aligned } from "./aligned.ts";

/** A comparison as plain text: the settings that differ, and a table for each measurement. */
export function comparisonText(comparison: Comparison): string {
  const { measurements } = comparison;
  const blocks = [settingsText(comparison), ...measurements.map(measurementText)];
  if (measurements.length === 0) blocks.push("no match was played yet: there are no results to compare");
  return `${blocks.join("\n\n")}\n`;
}

/** Each group with the settings in which it differs: a line for each setting, so that long paths fit. */
function settingsText({ groups, namedBy, runs, settings, shortNames }: Comparison): string {
  const count =
    groups.length === 1
      ? `${runs.length} runs with equal settings`
      : `${runs.length} runs with ${groups.length} different settings`;
  const names = aligned([
    ["settings", "runs", "seeds"],
    ...groups.map(({ name, seeds }) => [name, String(seeds.length), seedsText(seeds)]),
  ]);
  const differing =
    namedBy === "settings"
      ? settings.map(({ path }, i) => `${shortNames[i]!}: ${path}`)
      : settings.flatMap(({ path, values }) => [
          path,
          ...values.map((value, i) => `  ${groups[i]!.name}: ${valueText(value)}`),
        ]);
  return [count, "", ...names, ...(differing.length === 0 ? [] : ["", ...differing])].join("\n");
}

/** `1, 2, 3`, or `1 to 20` for many in a row. */
function seedsText(seeds: readonly number[]): string {
  const sorted = seeds.toSorted((a, b) => a - b);
  const row = sorted.every((seed, i) => seed === sorted[0]! + i);
  return row && sorted.length > 3 ? `${sorted[0]} to ${sorted.at(-1)}` : sorted.join(", ");
}

function measurementText(measurement: Measurement): string {
  const { agent, differences, measure, results, stage, unit } = measurement;
  const lengths = new Set(results.map(({ learned }) => learned));
  const share = measure === "share won";
  const rows = results.map((result) => {
    const difference = differences.find(({ group }) => group === result.group);
    return [
      result.group,
      ...(lengths.size > 1 ? [result.learned.toLocaleString("en-US")] : []),
      String(result.runs),
      numberText(result.value, result, share),
      rangeText(result, share),
      ...(differences.length === 0
        ? []
        : difference === undefined
          ? ["", ""]
          : [signed(difference.value, difference, share), rangeText(difference, share)]),
    ];
  });
  const baseline = results[0]?.group;
  const head = [
    "settings",
    ...(lengths.size > 1 ? [unit] : []),
    "runs",
    share ? "won" : "mean",
    "interval",
    ...(differences.length === 0 ? [] : ["more", "interval"]),
  ];
  const methods = [...new Set(differences.map(({ method }) => method))];
  return [
    `${stage}: ${measure} of ${agent} after ${learnedOf(measurement)}`,
    ...aligned([head, ...rows]),
    intervalText(measurement),
    ...(methods.length === 0 ? [] : [`"more": than ${baseline}; ${methods.join(", or ")}.`]),
  ].join("\n");
}

/** Numbers for terminals: with a plain minus, as in other tables. */
function numberText(value: number, estimate: Estimate, share: boolean): string {
  const text = share ? `${fixed(100 * value, 1)}%` : fixed(value, decimalsFor(estimate));
  return text.replace("\u2212", "-");
}

function signed(value: number, estimate: Estimate, share: boolean): string {
  return `${value > 0 ? "+" : ""}${numberText(value, estimate, share)}`;
}

function rangeText(estimate: Estimate, share: boolean): string {
  const { interval } = estimate;
  return interval.every(Number.isFinite)
    ? `[${interval.map((end) => numberText(end, estimate, share)).join(", ")}]`
    : "unknown";
}
