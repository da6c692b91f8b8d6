import { capitalised } from "../../messages/capitalised.ts";
import type { Estimate } from "../../stats/intervals.ts";
import { type Content, type Markup, markup } from "../../figures/markup.ts";
import { learnedText } from "../../report/matches.ts";
import { estimateText, listed, percent, readable } from "../../figures/number-text.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../../report/section.ts";
import type { Comparison, GroupPoint, Measurement } from "./comparison.ts";
import {
  curvesTable,
  differenceCurvesTable,
  differencesTable,
  directionsTable,
  resultsTable,
  runsTable,
  settingsTable,
  weightsTable,
} from "./comparison-tables.ts";

/** Figures with more groups than this cannot be read: they show the best ones. */
const MOST_SHOWN = 7;

/** The axes along which a curve is drawn. */
const axes = [
  { key: "played", label: "Games learned from" },
  { key: "steps", label: "Training steps" },
  { key: "seconds", label: "Processor time in seconds" },
] as const satisfies readonly { readonly key: keyof GroupPoint; readonly label: string }[];

/** With at most `most` groups in a figure, the sections of a comparison: results and differences of each measurement, its curves, the settings, the runs. */
export function comparisonSections(comparison: Comparison, most = MOST_SHOWN): Section[] {
  const curves = curvesTable(comparison);
  const results = resultsTable(comparison);
  const differences = differencesTable(comparison);
  const differenceCurves = differenceCurvesTable(comparison);
  const shown = comparison.measurements.map((measurement, i) =>
    measurementSection(comparison, measurement, {
      curves,
      results,
      differences,
      differenceCurves,
      number: i,
      most,
    }),
  );
  const settings = settingsTable(comparison);
  const runs = runsTable(comparison);
  return [
    ...shown,
    ...weightsSections(comparison),
    {
      id: "settings",
      heading: "Settings that differ",
      body: comparison.settings.length === 0 ? "All runs have the same settings." : tableMarkup(settings),
      tables: comparison.settings.length === 0 ? [] : [settings],
    },
    { id: "runs", heading: "Runs", body: tableMarkup(runs), tables: [runs] },
  ];
}

/** The weights of learners whose weights have names; no section if there are none. */
function weightsSections(comparison: Comparison): Section[] {
  if (comparison.weights.length === 0) return [];
  const tables = [weightsTable(comparison.weights), directionsTable(comparison.weights)];
  return [
    {
      id: "weights",
      heading: "Weights",
      body: [
        markup`<p>The reference of a learner is the learner of the same run with the most games. Intervals are over seeds (Student's t). Weights that are all 0 have no direction: such runs are left out.</p>`,
        tables.map((table) => tableMarkup(table)),
      ],
      tables,
    },
  ];
}

interface Tables {
  readonly curves: ReturnType<typeof curvesTable>;
  readonly results: ReturnType<typeof resultsTable>;
  readonly differences: ReturnType<typeof differencesTable>;
  readonly differenceCurves: ReturnType<typeof differenceCurvesTable>;
  readonly number: number;
  /** The most groups in a figure. */
  readonly most: number;
}

function measurementSection(
  { groups }: Comparison,
  measurement: Measurement,
  { curves, differenceCurves, differences, most, number, results }: Tables,
): Section {
  const { agent, measure, stage } = measurement;
  const id = slug(`${stage}-${agent}`);
  const names = groups.map(({ name }) => name);
  const best = new Set(bestGroups(measurement, most));
  const left = measurement.results.length - best.size;
  const cut = left === 0 ? "" : ` The ${most} best settings; the data have all.`;
  const row = (of: Measurement, each: Estimate & { readonly group: string }) => ({
    label: each.group,
    style: names.indexOf(each.group),
    estimate: scaled(each, of.measure),
  });
  const axis = measure === "share won" ? "Games won, in per cent" : "Mean score";
  const wanted = differencesShown(measurement, best);
  return {
    id,
    heading: `${stage}: ${agent}`,
    body: [
      figureMarkup({
        id: `results-${id}`,
        title: `${capitalised(measure)} of ${agent}`,
        caption: `${capitalised(measure)} in the matches of ${stage} after ${learnedOf(measurement)}. ${intervalText(measurement)}${cut}`,
        table: results,
        chart: {
          kind: "intervals",
          description: `${axis} of each setting with its 95% interval.`,
          xLabel: axis,
          rows: measurement.results
            .filter(({ group }) => best.has(group))
            .map((each) => row(measurement, each)),
        },
      }),
      wanted.length === 0
        ? undefined
        : figureMarkup({
            id: `differences-${id}`,
            title: `Difference from ${wanted[0]!.baseline}`,
            caption: `Difference of each setting from ${wanted[0]!.baseline}, with 95% intervals: ${listed([...new Set(wanted.map(({ method }) => method))])}. If the interval contains zero, no difference is shown.${cut}`,
            table: differences,
            chart: {
              kind: "intervals",
              description: "The difference of each setting from the baseline with its 95% interval.",
              xLabel:
                measure === "share won" ? "Difference in percentage points" : "Difference in mean score",
              rows: wanted.map((each) => row(measurement, each)),
              reference: 0,
            },
          }),
      axes.map(({ key, label }) =>
        curveFigure(measurement, { key, label, id, names, best, table: curves, cut }),
      ),
      differenceCurve(measurement, { id, names, best, table: differenceCurves, cut }),
    ],
    tables:
      number === 0
        ? [results, ...[differences, differenceCurves].filter(({ rows }) => rows.length > 0), curves]
        : [],
  };
}

/** The differences of the shown groups from the baseline in the course of learning; undefined if no two amounts are shared. */
function differenceCurve(
  { agent, differenceCurves, measure, stage, unit }: Measurement,
  {
    best,
    cut,
    id,
    names,
    table,
  }: {
    readonly id: string;
    readonly names: readonly string[];
    readonly best: ReadonlySet<string>;
    readonly table: ReturnType<typeof differenceCurvesTable>;
    readonly cut: string;
  },
): Markup | undefined {
  const wanted = differenceCurves.filter(({ group, points }) => best.has(group) && points.length > 1);
  const [first] = wanted;
  if (first === undefined) return undefined;
  const scale = measure === "share won" ? 100 : 1;
  const methods = new Set(wanted.flatMap(({ points }) => points.map(({ method }) => method)));
  const title = `Difference from ${first.baseline} over ${unit} learned`;
  return figureMarkup({
    id: `difference-curve-${id}`,
    title,
    caption: `${capitalised(measure)} of ${agent} in the matches of ${stage}, less that of ${first.baseline} after equal learning, with 95% bands: ${listed([...methods])}. Wherever a band contains zero, no difference is shown.${cut}`,
    table,
    chart: {
      kind: "lines",
      description: `${title}, with 95% bands, a line for each of: ${wanted.map(({ group }) => group).join(", ")}.`,
      xLabel: `${capitalised(unit)} learned`,
      yLabel: measure === "share won" ? "Difference in percentage points" : "Difference in mean score",
      reference: { y: 0, label: "equal" },
      series: wanted.map(({ group, points }) => ({
        label: group,
        style: names.indexOf(group),
        points: points.map(({ interval: [low, high], learned, value }) => ({
          x: learned,
          y: scale * value,
          low: scale * low,
          high: scale * high,
        })),
      })),
    },
  });
}

function curveFigure(
  { agent, curves, measure, stage }: Measurement,
  {
    best,
    cut,
    id,
    key,
    label,
    names,
    table,
  }: {
    readonly key: "played" | "steps" | "seconds";
    readonly label: string;
    readonly id: string;
    readonly names: readonly string[];
    readonly best: ReadonlySet<string>;
    readonly table: ReturnType<typeof curvesTable>;
    readonly cut: string;
  },
): Markup | undefined {
  const series = curves
    .filter(({ group }) => best.has(group))
    .map(({ group, points }) => ({
      label: group,
      style: names.indexOf(group),
      points: points.flatMap(({ interval: [low, high], value, ...point }) => {
        const x = point[key];
        return x === undefined ? [] : [{ x, y: value, low, high }];
      }),
    }))
    .filter(({ points }) => points.length > 1);
  if (series.length === 0) return undefined;
  const without = best.size - series.length;
  const missing = without === 0 ? "" : ` ${without} of the settings have no curve along this axis.`;
  const title = `${capitalised(measure)} of ${agent} over ${label.toLowerCase()}`;
  return figureMarkup({
    id: `curve-${key}-${id}`,
    title,
    caption: `${capitalised(measure)} in the matches of ${stage}. Bands are 95% confidence intervals.${key === "seconds" ? " The time is that of all threads of the run until this much was learned, measuring included." : ""}${missing}${cut}`,
    table,
    chart: {
      kind: "lines",
      description: `${title}, with 95% bands, a line for each of: ${series.map((each) => each.label).join(", ")}.`,
      xLabel: label,
      yLabel: measure === "share won" ? "Share of games won" : "Mean score",
      series,
      ...(measure === "share won" ? { yShare: true } : {}),
    },
  });
}

/** The groups that figures show, by what they reached: the baseline and the best ones. */
function bestGroups({ results }: Measurement, most: number): string[] {
  const [baseline, ...others] = results;
  const best = others.toSorted((a, b) => b.value - a.value).slice(0, most - 1);
  return [baseline, ...best].flatMap((each) => (each === undefined ? [] : [each.group]));
}

function differencesShown({ differences }: Measurement, best: ReadonlySet<string>) {
  return differences.filter(({ group }) => best.has(group));
}

/** `2,000 games learned`, or from where to where the amounts go. */
export function learnedOf({ results, seconds, unit }: Measurement): string {
  if (seconds !== undefined) return `${readable(seconds)} seconds of processor time`;
  const amounts = results.map(({ learned }) => learned).toSorted((a, b) => a - b);
  const [least, most] = [amounts[0]!, amounts.at(-1)!];
  const text = `${learnedText({ learned: most, unit })} learned`;
  return least === most ? text : `${least.toLocaleString("en-US")} to ${text}, each at its end`;
}

/** What the intervals of a measurement are over. */
export function intervalText({ measure, results }: Measurement): string {
  const method = measure === "share won" ? "Wilson" : "Student's t";
  const kinds = new Set(results.map(({ over }) => over));
  const seeds = "95% intervals are over seeds (Student's t)";
  const games = `95% intervals are over the games of one run (${method}): they say nothing about other seeds`;
  if (!kinds.has("games")) return `${seeds}.`;
  if (!kinds.has("seeds")) return `${games}.`;
  return `${seeds}; for settings with one run, over its games (${method}).`;
}

/** The header of a comparison: what was found, and how many runs there are. */
export function comparisonHeadline(title: string, comparison: Comparison): Markup {
  const { groups, measurements, runs } = comparison;
  const [first] = measurements;
  const states = [...Map.groupBy(runs, ({ state }) => state)].map(([state, of]) => `${of.length} ${state}`);
  const facts: [string, string][] = [
    ["Runs", `${runs.length} (${states.join(", ")})`],
    ["Settings", String(groups.length)],
    ["Seeds", [...new Set(runs.map(({ seed }) => seed))].join(", ")],
  ];
  return markup`<header><h1>${title}</h1>
<p class="result">${first === undefined ? "Nothing was measured yet." : resultSentence(first)}</p>
<dl class="key">
${facts.map(
  ([key, value]) => markup`<div><dt>${key}</dt><dd>${value}</dd></div>
`,
)}</dl></header>
`;
}

function resultSentence(measurement: Measurement): Content {
  const [best] = measurement.results.toSorted((a, b) => b.value - a.value);
  if (best === undefined) return "Nothing was measured yet.";
  const { measure } = measurement;
  const text = measure === "share won" ? shareText(best) : estimateText(best);
  const [difference] = measurement.differences.filter(({ group }) => group === best.group);
  const sure =
    difference === undefined || difference.interval[0] > 0 || difference.interval[1] < 0
      ? ""
      : `; the interval of its difference from ${difference.baseline} contains zero`;
  return markup`After ${learnedOf(measurement)}, <i>${best.group}</i> had the best ${measure} of ${measurement.agent} in ${measurement.stage}: <b>${text}</b>${sure}.`;
}

function shareText({ interval, value }: Estimate): string {
  return `${percent(value)} (95% interval ${percent(interval[0])} to ${percent(interval[1])})`;
}

/** Shares in per cent. */
function scaled({ interval, value }: Estimate, measure: Measurement["measure"]): Estimate {
  const scale = measure === "share won" ? 100 : 1;
  return { value: scale * value, interval: [scale * interval[0], scale * interval[1]] };
}
