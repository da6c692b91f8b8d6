import type { Comparison, Measurement } from "../runs/comparison/comparison.ts";
import { intervalText, learnedOf } from "../runs/comparison/comparison-sections.ts";
import { directionsTable, measurementCells, weightsTable } from "../runs/comparison/comparison-tables.ts";
import { SAME_DIRECTION, type WeightsResult } from "../runs/comparison/learned-weights.ts";
import { column, tabulated } from "../formats/table.ts";
import { valueText } from "../operators/experiment/settings-by-path.ts";
import { textTable } from "./text-table.ts";

/** A comparison as plain text: the settings that differ, and a table for each measurement. */
export function comparisonText(comparison: Comparison): string {
  const { measurements, weights } = comparison;
  const blocks = [settingsText(comparison), ...measurements.map(measurementText)];
  for (const [stage, results] of Map.groupBy(weights, (each) => each.stage))
    blocks.push(weightsText(stage, results));
  if (measurements.length === 0) blocks.push("no match was played yet: there are no results to compare");
  return `${blocks.join("\n\n")}\n`;
}

/** Runs of different files differ in hundreds of settings, which nobody reads on a terminal. */
const MOST_SETTINGS = 16;

/** Each group with the settings in which it differs: a line for each setting, so that long paths fit. */
function settingsText({ groups, namedBy, runs, settings, shortNames }: Comparison): string {
  const count =
    groups.length === 1
      ? `${runs.length} runs with equal settings`
      : `${runs.length} runs with ${groups.length} different settings`;
  const names = textTable(
    tabulated(groups, [
      column.text("setting", ({ name }) => name),
      column.integer("runs", ({ seeds }) => seeds.length),
      column.text("seeds", ({ seeds }) => seedsText(seeds), { align: "right" }),
    ]),
  );
  const differing =
    namedBy === "settings"
      ? settings.map(({ path }, i) => `${shortNames[i]!}: ${path}`)
      : [
          ...settings
            .slice(0, MOST_SETTINGS)
            .flatMap(({ path, values }) => [
              path,
              ...values.map((value, i) => `  ${groups[i]!.name}: ${valueText(value)}`),
            ]),
          ...(settings.length > MOST_SETTINGS
            ? [`and ${settings.length - MOST_SETTINGS} more settings: --json and --out FOLDER have all`]
            : []),
        ];
  return [count, "", ...names, ...(differing.length === 0 ? [] : ["", ...differing])].join("\n");
}

/** `1, 2, 3`, or `1 to 20` for many in a row. */
function seedsText(seeds: readonly number[]): string {
  const sorted = seeds.toSorted((a, b) => a - b);
  const row = sorted.every((seed, i) => seed === sorted[0]! + i);
  return row && sorted.length > 3 ? `${sorted[0]} to ${sorted.at(-1)}` : sorted.join(", ");
}

function measurementText(measurement: Measurement): string {
  const { agent, differences, measure, results, stage } = measurement;
  const lengths = new Set(results.map(({ learned }) => learned));
  const same = ["stage", "agent", "unit", "games", "measure", "interval over", "baseline", "pairs", "method"];
  const methods = [...new Set(differences.map(({ method }) => method))];
  return [
    `${stage}: ${measure} of ${agent} after ${learnedOf(measurement)}`,
    ...textTable(measurementCells(measurement), lengths.size > 1 ? same : [...same, "learned"]),
    intervalText(measurement),
    ...(methods.length === 0 ? [] : [`"more": than ${results[0]?.group}; ${methods.join(", or ")}.`]),
  ].join("\n");
}

/** When the weights of a learner settle, and their direction, in each group. */
function weightsText(stage: string, results: readonly WeightsResult[]): string {
  return [
    `${stage}: weights`,
    ...textTable(weightsTable(results), ["stage", "reference"]),
    "",
    ...textTable(directionsTable(results), ["stage"]),
    "settled: the game from which all weights stay within the band around their",
    "final values. directed: from which the cosine to the final weights of",
    `${results[0]!.reference} stays at ${SAME_DIRECTION} or above, and in how many runs.`,
    "95% intervals are over seeds (Student's t).",
  ].join("\n");
}
