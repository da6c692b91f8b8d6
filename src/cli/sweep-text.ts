import { effectsTable, type SweepResults } from "../runs/sweep/sweep-report.ts";
import { comparisonText } from "./comparison-text.ts";
import { textTable } from "./text-table.ts";

/** The results of a sweep as plain text: the comparison of its settings, the effect of each key, failures. */
export function sweepResultsText({ comparison, effects, failed }: SweepResults): string {
  const blocks = [comparisonText(comparison).trimEnd()];
  for (const { agent, keys, stage } of effects)
    for (const effect of keys)
      blocks.push(
        [
          `effect of ${effect.key} on ${agent} in ${stage}`,
          ...textTable(effectsTable([{ agent, keys: [effect], stage }]), ["stage", "agent", "key"]),
        ].join("\n"),
      );
  if (failed.length > 0)
    blocks.push(["failed:", ...failed.map(({ folder, message }) => `  ${folder}: ${message}`)].join("\n"));
  return `${blocks.join("\n\n")}\n`;
}
