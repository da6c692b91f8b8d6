import { decimalsFor, fixed } from "../figures/number-text.ts";
import type { Comparison, Measurement } from "../runs/comparison/comparison.ts";
import { intervalText, learnedOf } from "../runs/comparison/comparison-sections.ts";
import { SAME_DIRECTION, type WeightsResult } from "../runs/comparison/learned-weights.ts";
import { valueText } from "../operators/experiment/settings-by-path.ts";
import type { Estimate } from "../stats/intervals.ts";
import { aligned } from "./aligned.ts";

/** A comparison as plain text: the settings that differ, and a table for each measurement. */
export function comparisonText(comparison: Comparison): string {
  const { measurements, weights } = comparison;
  const blocks = [settingsText(comparison), ...measurements.map(measurementText)];
  for (const stage of new Set(weights.map((each) => each.stage)))
    blocks.push(weightsText(weights.filter((each) => each.stage === stage)));
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

/** A cosine. */
function cosineText(cosine: number): string {
  return fixed(cosine, 3).replace("\u2212", "-");
}

/** When the weights of a learner settle, and their direction, in each group. */
function weightsText(results: readonly WeightsResult[]): string {
  const { reference, stage } = results[0]!;
  const games = (estimate: Estimate | undefined) =>
    estimate === undefined
      ? ["never", ""]
      : [numberText(estimate.value, estimate, false), rangeText(estimate, false)];
  return [
    `${stage}: weights`,
    ...aligned([
      ["settings", "runs", "settled", "interval", "directed", "interval", "runs"],
      ...results.map(({ directed, group, runs, settled }) => [
        group,
        String(runs),
        ...games(settled),
        ...games(directed),
        String(directed?.runs ?? 0),
      ]),
    ]),
    "",
    ...aligned([
      ["settings", "games", "runs", "cosine", "interval"],
      ...results.flatMap(({ cosines, group }) =>
        cosines.map(({ games: after, interval, runs, value }) => [
          group,
          after.toLocaleString("en-US"),
          String(runs),
          cosineText(value),
          interval.every(Number.isFinite) ? `[${interval.map(cosineText).join(", ")}]` : "unknown",
        ]),
      ),
    ]),
    "settled: the game from which all weights stay within the band around their",
    `final values. directed: from which the cosine to the final weights of`,
    `${reference} stays at ${SAME_DIRECTION} or above, and in how many runs.`,
    "95% intervals are over seeds (Student's t).",
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
