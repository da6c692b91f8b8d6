import { capitalised } from "../../messages/capitalised.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { binWidth, histogram } from "../../stats/histogram.ts";
import { Moments } from "../../stats/moments.ts";
import { proportionEstimate } from "../../stats/intervals.ts";
import { quantile } from "../../stats/quantiles.ts";
import type { Content } from "../../figures/markup.ts";
import {
  type AgentStyles,
  agentStyles,
  lastMatches,
  learnedText,
  type Match,
  playedForShares,
} from "../matches.ts";
import { readable } from "../../figures/number-text.ts";
import type { RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

/** Distributions of scores, and of the game's facts, over the games of the run's last match. */
export function distributionsSection(run: RunData): Section | undefined {
  const match = lastMatches(run).at(-1);
  if (match === undefined) return undefined;
  const styles = agentStyles(run);
  const scores = match.agents.map(({ agent, returns }) => ({
    agent,
    values: returns.filter(Number.isFinite),
  }));
  const drawn: Drawn[] = [];
  // Wins, draws and losses are in the tables of games won.
  if (!playedForShares(match) && !isConstant(scores))
    drawn.push(spreadFigure("score", "score", scores, match, styles));
  for (const fact of new Set(match.agents.flatMap(({ facts }) => Object.keys(facts)))) {
    const values = match.agents
      .map(({ agent, facts }) => ({ agent, values: (facts[fact] ?? []).filter(Number.isFinite) }))
      .filter((sample) => sample.values.length > 0);
    if (values.length > 0 && !isConstant(values))
      drawn.push(
        isCategorical(values)
          ? reachFigure(fact, values, match, styles)
          : spreadFigure(fact, `fact-${slug(fact)}`, values, match, styles),
      );
  }
  return {
    id: "distributions",
    heading: "Distributions in the last match",
    body: drawn.length > 0 ? drawn.map(({ content }) => content) : tableMarkup(gamesTable(match)),
    tables: [gamesTable(match), factsTable(match), ...drawn.flatMap(({ tables }) => tables)],
  };
}

interface Drawn {
  readonly content: Content;
  readonly tables: readonly Table[];
}

interface Sample {
  readonly agent: string;
  readonly values: readonly number[];
}

/** Whether all games have one value, which needs no figure: the table of games has it. */
function isConstant(samples: readonly Sample[]): boolean {
  return new Set(samples.flatMap(({ values }) => values)).size < 2;
}

/** Few different values, or powers of two alone, are shown one by one. */
function isCategorical(samples: readonly Sample[]): boolean {
  const different = new Set(samples.flatMap(({ values }) => values));
  const powers = [...different].every((value) => value > 0 && Number.isInteger(Math.log2(value)));
  return different.size <= (powers ? 24 : 12);
}

function spreadFigure(
  figure: string,
  name: string,
  samples: readonly Sample[],
  match: Match,
  styles: AgentStyles,
): Drawn {
  const kept = samples.filter(({ values }) => values.length > 0);
  // One width for all: heights can then be compared.
  const width = Math.max(...kept.map(({ values }) => binWidth(values)));
  const rows = kept.map(({ agent, values }) => {
    const sorted = values.toSorted((a, b) => a - b);
    const { mean } = Moments.of(values);
    return {
      label: agent,
      style: styles(agent),
      sorted,
      histogram: histogram(values, width),
      mean,
      median: quantile(sorted, 0.5),
    };
  });
  const bins: Table = {
    name: "histograms",
    title: `Games of the last match by ${figure}: from is in the bin, to is not`,
    ...tabulated(
      rows.flatMap(({ label, histogram: { start, width, counts } }) =>
        counts.map((games, i) => ({ label, games, from: start + i * width, to: start + (i + 1) * width })),
      ),
      [
        column.text("stage", () => match.stage),
        column.text("figure", () => figure),
        column.text("agent", ({ label }) => label),
        column.number("from", ({ from }) => from),
        column.number("to", ({ to }) => to),
        column.integer("games", ({ games }) => games),
      ],
    ),
  };
  const quantiles: Table = {
    name: "quantiles",
    title: `Quantiles of ${figure} in the last match`,
    ...tabulated(rows, [
      column.text("stage", () => match.stage),
      column.text("figure", () => figure),
      column.text("agent", ({ label }) => label),
      quantileColumns.map(([name, p]) =>
        column.number(name, ({ sorted }: { readonly sorted: readonly number[] }) => quantile(sorted, p)),
      ),
    ]),
  };
  const title = `Distribution of ${figure}`;
  const content = figureMarkup({
    id: `distribution-${name}`,
    title,
    caption: `Share of the games of the last match (${where(match)}) by ${figure}. The unbroken line marks the mean, the dotted one the median.`,
    table: bins,
    chart: {
      kind: "histograms",
      description: `A histogram of ${figure} for each of: ${rows.map(({ label }) => label).join(", ")}.`,
      xLabel: capitalised(figure),
      rows,
    },
  });
  return { content: [content, tableMarkup(quantiles)], tables: [bins, quantiles] };
}

const quantileColumns = [
  ["least", 0],
  ["5%", 0.05],
  ["25%", 0.25],
  ["median", 0.5],
  ["75%", 0.75],
  ["95%", 0.95],
  ["greatest", 1],
] as const;

function reachFigure(fact: string, samples: readonly Sample[], match: Match, styles: AgentStyles): Drawn {
  const values = withoutGaps(samples.flatMap((sample) => sample.values));
  const series = samples.map(({ agent, values: own }) => ({
    label: agent,
    style: styles(agent),
    shares: values.map((value) => proportionEstimate(own.filter((x) => x >= value).length, own.length)),
  }));
  const table: Table = {
    name: "fact-values",
    title: `Games of the last match by ${fact}; share is of games with at least that value, with its 95% interval`,
    ...tabulated(
      samples.flatMap(({ agent, values: own }, s) =>
        values.map((value, i) => ({ agent, own, value, share: series[s]!.shares[i]! })),
      ),
      [
        column.text("stage", () => match.stage),
        column.text("figure", () => fact),
        column.text("agent", ({ agent }) => agent),
        column.number("value", ({ value }) => value),
        column.integer("games", ({ own, value }) => own.filter((x) => x === value).length),
        column.integer("at least", ({ own, value }) => own.filter((x) => x >= value).length),
        column.estimate("share", ({ share }) => share, { ends: ["low", "high"], share: true }),
      ],
    ),
  };
  const title = `Distribution of ${fact}`;
  const content = figureMarkup({
    id: `distribution-fact-${slug(fact)}`,
    title,
    caption: `Share of the games of the last match (${where(match)}) with at least each value of ${fact}. Whiskers are 95% confidence intervals (Wilson).`,
    table,
    chart: {
      kind: "columns",
      description: `For each value of ${fact}, the share of games that reached it, a column for each of: ${samples.map(({ agent }) => agent).join(", ")}.`,
      xLabel: fact,
      yLabel: "Share of games with at least",
      categories: values.map(readable),
      series,
    },
  });
  return { content, tables: [table] };
}

/**
 * The values in order, with those between them that no game happens to have: on the axis of a doubling fact (tiles)
 * 512 is between 256 and 1,024, on one of counts 3 between 2 and 4, as far as that stays readable.
 */
export function withoutGaps(values: readonly number[]): number[] {
  const known = [...new Set(values)].sort((a, b) => a - b);
  const [least, greatest] = [known[0]!, known.at(-1)!];
  if (known.length > 1 && least > 0 && known.every((value) => Number.isInteger(Math.log2(value))))
    return Array.from({ length: Math.log2(greatest / least) + 1 }, (_, i) => least * 2 ** i);
  if (known.every(Number.isInteger) && greatest - least < MOST_COUNTS)
    return Array.from({ length: greatest - least + 1 }, (_, i) => least + i);
  return known;
}

/** Values of a count that are all put on the axis, those that no game has included. */
const MOST_COUNTS = 20;

function where(match: Match): string {
  const learned = match.learned > 0 ? `, ${learnedText(match)} learned` : "";
  return `${match.stage}${learned}`;
}

function gamesTable(match: Match): Table {
  return {
    name: "last-match-games",
    title: "Every game of the last match",
    ...tabulated(
      match.agents.flatMap(({ agent, returns }) => returns.map((score, game) => ({ agent, game, score }))),
      [
        column.text("stage", () => match.stage),
        column.text("agent", ({ agent }) => agent),
        column.integer("game", ({ game }) => game),
        column.number("score", ({ score }) => score),
      ],
    ),
  };
}

function factsTable(match: Match): Table {
  return {
    name: "last-match-facts",
    title: "Further figures of every game of the last match",
    ...tabulated(
      match.agents.flatMap(({ agent, facts }) =>
        Object.entries(facts).flatMap(([fact, values]) =>
          values.map((value, game) => ({ agent, game, fact, value })),
        ),
      ),
      [
        column.text("stage", () => match.stage),
        column.text("agent", ({ agent }) => agent),
        column.integer("game", ({ game }) => game),
        column.text("fact", ({ fact }) => fact),
        column.number("value", ({ value }) => value),
      ],
    ),
  };
}
