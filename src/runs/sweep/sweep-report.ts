import { basename, join } from "node:path";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { RunFolderInvalid } from "../../graph/folder/run-folder-invalid.ts";
import { lineChart } from "../../figures/charts/line-chart.ts";
import { type Content, markup } from "../../figures/markup.ts";
import { fixed, percent, readable } from "../../figures/number-text.ts";
import { page } from "../../report/page.ts";
import type { Report } from "../../report/report.ts";
import { figureMarkup, figuresIn, type Section, slug, tableMarkup } from "../../report/section.ts";
import { meanEstimate } from "../../stats/intervals.ts";
import {
  type Comparison,
  compareRuns,
  type Measurement,
  type OpenedRun,
  openComparedRun,
} from "../comparison/comparison.ts";
import { comparisonHeadline, comparisonSections } from "../comparison/comparison-sections.ts";
import { valueText } from "../../operators/experiment/settings-by-path.ts";
import { isRunFolder } from "../find-runs.ts";
import { summaryOf } from "../run-summary.ts";
import { effectsOf, type KeyEffect } from "./effects.ts";
import { readSweepFolder, type StoredSweep } from "./sweep-folder.ts";

/** What a sweep has found so far. */
export interface SweepResults {
  readonly sweep: StoredSweep;
  readonly comparison: Comparison;
  /** By measurement, in the order of the comparison. */
  readonly effects: readonly {
    readonly stage: string;
    readonly agent: string;
    readonly keys: readonly KeyEffect[];
  }[];
  /** Runs that have failed or are damaged, with the reason; they are compared as far as they came. */
  readonly failed: readonly { readonly folder: string; readonly message: string }[];
  /** Number of runs that have ended, and of those that have not begun. */
  readonly ended: number;
  readonly missing: number;
}

/** The results in the folder of a sweep, also while it is at work. Throws RunFolderInvalid, FileCorrupt. */
export function sweepResults(folder: string): SweepResults {
  const sweep = readSweepFolder(folder);
  const begun = sweep.runs.map((run) => join(folder, run.folder)).filter(isRunFolder);
  const summaries = begun.map(summaryOf);
  const opened: OpenedRun[] = [];
  const failed = summaries.flatMap(({ condition, folder: at, message = "it was ended" }) =>
    condition === "failed" || condition === "damaged" ? [{ folder: at, message }] : [],
  );
  for (const { condition, folder: at } of summaries)
    if (condition !== "damaged")
      try {
        opened.push(openComparedRun(at));
      } catch (error) {
        // A run that was only just begun has no events yet.
        if (!(error instanceof RunFolderInvalid || error instanceof FileCorrupt)) throw error;
      }
  const comparison = compareRuns(opened);
  return {
    sweep,
    comparison,
    effects: comparison.measurements.map((measurement) => ({
      stage: measurement.stage,
      agent: measurement.agent,
      keys: effectsOf(sweep, measurement),
    })),
    failed,
    ended: summaries.filter(({ condition }) => condition === "finished").length,
    missing: sweep.runs.length - begun.length,
  };
}

/** The report of a sweep: results with intervals over seeds, curves, the effect of each key, failures. */
export function sweepReport(results: SweepResults): Report {
  const { comparison, failed, missing, sweep } = results;
  const { measurements } = comparison;
  const sections = [
    ...(failed.length === 0 ? [] : [failuresSection(results)]),
    ...effectSections(results),
    ...comparisonSections(comparison),
  ];
  const title = `${sweep.name}: a sweep of ${sweep.runs.length} runs`;
  const open = missing === 0 ? undefined : markup`<p>${missing} of its runs have not begun yet.</p>`;
  return {
    html: page(
      title,
      markup`${comparisonHeadline(title, comparison)}${open}`,
      // Tables first: what was measured, then what each key did.
      [
        ...sections.filter(({ id }) => measurements.some((each) => idOf(each) === id)),
        ...sections.filter(({ id }) => !measurements.some((each) => idOf(each) === id)),
      ],
      markup`<code>sweep.json</code> and the <code>metrics.jsonl</code> of its runs`,
    ),
    tables: sections.flatMap(({ tables }) => tables),
    pages: [],
    figures: sections.flatMap(({ body }) => figuresIn(body)),
  };
}

function idOf({ agent, stage }: Pick<Measurement, "stage" | "agent">): string {
  return slug(`${stage}-${agent}`);
}

function failuresSection({ failed }: SweepResults): Section {
  const table: Table = {
    name: "failures",
    title: "Runs that have failed; the next ludoflow sweep tries them again",
    ...tabulated(failed, [
      column.text("run", ({ folder }) => basename(folder)),
      column.text("reason", ({ message }) => message),
    ]),
  };
  return { id: "failures", heading: "Failures", body: tableMarkup(table), tables: [table] };
}

function effectSections({ comparison: { measurements }, effects, sweep }: SweepResults): Section[] {
  const table = effectsTable(effects);
  if (table.rows.length === 0) return [];
  const shown = effects.flatMap(({ agent, keys, stage }, i) => {
    const measurement = measurements[i]!;
    return keys.map((effect) => effectFigure(sweep, measurement, effect, { stage, agent, table }));
  });
  return [
    {
      id: "effects",
      heading: "The effect of each key",
      body: [
        markup`<p>Each value of a key over all else that the sweep varies. Differences are over pairs of runs that agree in all other keys and in the seed. Pairs of one seed share their draws, so with few seeds the intervals are too narrow.</p>`,
        shown,
      ],
      tables: [table],
    },
  ];
}

/** The effect of each key, a row a value. */
export function effectsTable(effects: SweepResults["effects"]): Table {
  return {
    name: "effects",
    title: "The effect of each key",
    ...tabulated(
      effects.flatMap(({ keys, ...of }) =>
        keys.flatMap(({ correlation, key, values }) =>
          (correlation === undefined ? values : [undefined]).map((effect) => ({
            ...of,
            key,
            effect,
            correlation,
          })),
        ),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("agent", ({ agent }) => agent),
        column.text("key", ({ key }) => key),
        column.text("value", ({ effect }) =>
          effect === undefined ? "drawn from a range" : valueText(effect.value),
        ),
        column.integer("runs", ({ effect }) => effect?.runs),
        column.number("mean", ({ effect }) => effect?.mean),
        column.estimate("more than the first value", ({ effect }) => effect?.more, {
          ends: ["low", "high"],
          head: "more",
          signed: true,
        }),
        column.integer("pairs", ({ effect }) => effect?.more?.pairs),
        column.estimate("rank correlation", ({ correlation }) => correlation, {
          ends: ["correlation low", "correlation high"],
          digits: 2,
        }),
      ],
    ),
  };
}

/** The mean result by value of a key; for a key drawn from a range, by fifths of its values. */
function effectFigure(
  sweep: StoredSweep,
  { measure, perRun }: Measurement,
  { correlation, key, values }: KeyEffect,
  { agent, stage, table }: { readonly stage: string; readonly agent: string; readonly table: Table },
): Content {
  const valueOf = new Map(sweep.runs.map(({ folder, settings }) => [folder, settings[key]]));
  const reached = perRun.map(({ folder, value }) => ({ at: valueOf.get(basename(folder)), value }));
  const groups =
    correlation === undefined
      ? values.map(({ value }) => ({
          text: valueText(value),
          results: reached.filter(({ at }) => valueText(at) === valueText(value)).map((each) => each.value),
        }))
      : fifths(reached.map(({ at, value }) => ({ at: Number(at), value })));
  const points = groups.map(({ results }, x) => {
    const { interval, value } = meanEstimate(results);
    return Number.isFinite(interval[0])
      ? { x, y: value, low: interval[0], high: interval[1] }
      : { x, y: value };
  });
  const title = `${key}: ${measure} of ${agent} in ${stage}`;
  const share = measure === "share won";
  const figures =
    correlation === undefined
      ? values
          .flatMap(({ more, value }) =>
            more === undefined
              ? []
              : [
                  ` ${valueText(value)} instead of ${valueText(values[0]!.value)}: ${numberText(more.value, share)} more, 95% interval ${numberText(more.interval[0], share)} to ${numberText(more.interval[1], share)} (${more.pairs} pairs).`,
                ],
          )
          .join("")
      : ` Spearman's rank correlation is ${fixed(correlation.value, 2)}, 95% interval ${fixed(correlation.interval[0], 2)} to ${fixed(correlation.interval[1], 2)}.`;
  return figureMarkup({
    id: `effect-${slug(`${key}-${stage}-${agent}`)}`,
    title,
    caption: `Means over all runs ${correlation === undefined ? "with each value" : "in each fifth of the values"}, with 95% intervals (Student's t).${figures}`,
    table,
    draw: (width, id) =>
      lineChart(
        {
          id,
          title,
          description: `${title}, by value, with 95% intervals.`,
          xLabel: key,
          yLabel: share ? "Share of games won" : "Mean score",
          series: [{ label: agent, style: 0, points }],
          xTicks: groups.map(({ text }, x) => ({ x, text })),
          whiskers: true,
          height: 220,
          ...(share ? { yText: percent } : {}),
        },
        width,
      ),
  });
}

/** Runs by their values in up to five groups of nearly equal size, none with fewer than two runs if that is possible. */
function fifths(reached: readonly { readonly at: number; readonly value: number }[]) {
  const sorted = reached.toSorted((a, b) => a.at - b.at);
  const count = Math.max(1, Math.min(5, Math.floor(sorted.length / 2)));
  return Array.from({ length: count }, (_, i) => {
    const part = sorted.slice(
      Math.floor((i * sorted.length) / count),
      Math.floor(((i + 1) * sorted.length) / count),
    );
    return {
      text: `${readable(part[0]!.at)} to ${readable(part.at(-1)!.at)}`,
      results: part.map(({ value }) => value),
    };
  });
}

function numberText(value: number, share: boolean): string {
  return share ? percent(value) : readable(value);
}
