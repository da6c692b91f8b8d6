import { readable } from "../figures/number-text.ts";
import { valueText } from "../operators/experiment/settings-by-path.ts";
import type { SweepResults } from "../runs/sweep/sweep-report.ts";
import { aligned } from "./aligned.ts";
import { comparisonText } from "./comparison-text.ts";

/** The results of a sweep as plain text: the comparison of its settings, the effect of each key, failures. */
export function sweepResultsText(results: SweepResults): string {
  const { comparison, effects, failed } = results;
  const blocks = [comparisonText(comparison).trimEnd()];
  for (const { agent, keys, stage } of effects)
    for (const { correlation, key, values } of keys)
      blocks.push(
        correlation === undefined
          ? [
              `effect of ${key} on ${agent} in ${stage}`,
              ...aligned([
                ["value", "runs", "mean", "more", "interval", "pairs"],
                ...values.map(({ mean, more, runs, value }) => [
                  valueText(value),
                  String(runs),
                  text(mean),
                  more === undefined ? "" : text(more.value),
                  more === undefined ? "" : `[${text(more.interval[0])}, ${text(more.interval[1])}]`,
                  more === undefined ? "" : String(more.pairs),
                ]),
              ]),
            ].join("\n")
          : `effect of ${key} on ${agent} in ${stage}: rank correlation ${text(correlation.value)} [${text(correlation.interval[0])}, ${text(correlation.interval[1])}]`,
      );
  if (failed.length > 0)
    blocks.push(["failed:", ...failed.map(({ folder, message }) => `  ${folder}: ${message}`)].join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

function text(value: number): string {
  return readable(Number(value.toPrecision(4))).replace("\u2212", "-");
}
