import { column, type Table, tabulated } from "../../formats/table.ts";
import type { Estimate } from "../../stats/intervals.ts";
import type { LineChart, LineSeries, Point } from "../../figures/charts/line-chart.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { type AgentStyles, agentStyles, lastMatches, learnedText } from "../matches.ts";
import { labelOf, laddersOf, type Measured, measuredAgents, mostPlayed } from "../measured-effort.ts";
import { fixed, readable } from "../../figures/number-text.ts";
import type { RunData } from "../run-data.ts";
import { figureMarkup, type Section } from "../section.ts";

/**
 * Score and effort in one-player games: mean score against simulations a move (figure A-1 of Watanabe and Matsuzaki) and
 * against processor time a move, and points in a second of processor time. For matches whose agents differ only in their
 * simulations.
 */
export function effortSection(run: RunData): Section | undefined {
  const configs = experimentSettings(run)?.agents ?? {};
  const measured = lastMatches(run)
    .filter(({ contest }) => contest === undefined)
    .flatMap((match) => measuredAgents(run, match, configs));
  const ladders = laddersOf(measured);
  if (ladders.length === 0) return undefined;
  const table = tableOf(measured);
  const styles = agentStyles(run);
  const kinds = new Set(ladders.map(([first]) => first!.kind));
  const others = mostPlayed(measured.filter(({ kind }) => !kinds.has(kind)));
  const level = others.find(({ kind }) => kind === "greedy") ?? others[0];
  return {
    id: "effort",
    heading: "Score and effort",
    body: [
      simulationsFigure(ladders, table, styles, level),
      timeFigure([...ladders, ...others.map((other) => [other])], table, styles),
      pointsPerSecondFigure(ladders, table, styles),
    ],
    tables: [table],
  };
}

function seriesOf(
  ladders: readonly (readonly Measured[])[],
  styles: AgentStyles,
  x: (agent: Measured) => number,
  y: (agent: Measured) => Estimate | undefined,
): LineSeries[] {
  return ladders.flatMap((ladder) => {
    const points = ladder.flatMap((agent): Point[] => {
      const estimate = y(agent);
      const place = x(agent);
      if (estimate === undefined || !Number.isFinite(place)) return [];
      const [low, high] = estimate.interval;
      return [{ x: place, y: estimate.value, low, high }];
    });
    return points.length === 0
      ? []
      : [{ label: labelOf(ladder), style: styles(ladder[0]!.result.agent), points }];
  });
}

const scoreOf = ({ result: { interval, mean: value } }: Measured): Estimate => ({ value, interval });

/** Ticks of an axis of simulations, each step as wide as its ratio. */
function simulationTicks(ladders: readonly (readonly Measured[])[]): NonNullable<LineChart["xTicks"]> {
  const counts = [...new Set(ladders.flat().map(({ simulations }) => simulations!))].toSorted(
    (a, b) => a - b,
  );
  return counts.map((count) => ({ x: Math.log2(count), text: fixed(count, 0) }));
}

function simulationsFigure(
  ladders: readonly Measured[][],
  table: Table,
  styles: AgentStyles,
  level: Measured | undefined,
) {
  const title = "Score by simulations a move";
  const { match } = ladders[0]![0]!;
  const learned = match.learned > 0 ? `, after ${learnedText(match)} learned` : "";
  const reference =
    level === undefined ? "" : ` The dashed level is ${level.result.agent} on the same weights.`;
  return figureMarkup({
    id: "score-by-simulations",
    title,
    caption: `Mean score of agents that differ only in their simulations a move${learned}, with its 95% confidence interval (Student's t).${reference}`,
    table,
    chart: {
      kind: "lines",
      description: "The mean score and its 95% interval for each number of simulations a move.",
      xLabel: "Simulations a move",
      yLabel: "Mean score",
      whiskers: true,
      xTicks: simulationTicks(ladders),
      ...(level === undefined ? {} : { reference: { y: level.result.mean, label: level.result.agent } }),
      series: seriesOf(ladders, styles, ({ simulations }) => Math.log2(simulations!), scoreOf),
    },
  });
}

function timeFigure(ladders: readonly (readonly Measured[])[], table: Table, styles: AgentStyles) {
  const title = "Score by processor time a move";
  const series = seriesOf(ladders, styles, ({ milliseconds }) => Math.log10(milliseconds), scoreOf).map(
    ({ points, ...line }) => ({
      ...line,
      points: points.map((point) => ({ ...point, at: `${readable(10 ** point.x)} ms` })),
    }),
  );
  if (series.length === 0) return undefined;
  const places = series.flatMap(({ points }) => points.map(({ x }) => x));
  const first = Math.floor(Math.min(...places));
  const last = Math.ceil(Math.max(...places));
  return figureMarkup({
    id: "score-by-time",
    title,
    caption:
      "Mean score against the processor time that a move took, on a logarithmic scale, with the score's 95% confidence interval. An agent above another one gains more from an equal time.",
    table,
    chart: {
      kind: "lines",
      description:
        "The mean score and its 95% interval of each agent against the milliseconds of processor time it took a move.",
      xLabel: "Milliseconds of processor time a move",
      yLabel: "Mean score",
      whiskers: true,
      xTicks: Array.from({ length: last - first + 1 }, (_, i) => ({
        x: first + i,
        // Powers below 1 are not exact; the text is 0.001, not 0.0010000000000000002.
        text: String(Number((10 ** (first + i)).toPrecision(1))),
      })),
      series,
    },
  });
}

function pointsPerSecondFigure(ladders: readonly Measured[][], table: Table, styles: AgentStyles) {
  const title = "Score by processor second";
  const series = seriesOf(
    ladders,
    styles,
    ({ simulations }) => Math.log2(simulations!),
    ({ scorePerSecond }) => scorePerSecond,
  );
  if (series.length === 0) return undefined;
  return figureMarkup({
    id: "score-by-second",
    title,
    caption:
      "Points in a second of processor time: all points of an agent's games over all their seconds, with the 95% confidence interval of this ratio.",
    table,
    chart: {
      kind: "lines",
      description: "Points in a second of processor time for each number of simulations a move.",
      xLabel: "Simulations a move",
      yLabel: "Points in a processor second",
      yScale: "log",
      whiskers: true,
      xTicks: simulationTicks(ladders),
      series,
    },
  });
}

function tableOf(measured: readonly Measured[]): Table {
  return {
    name: "score-and-effort",
    title:
      "Mean score with its 95% interval, the effort of a move, and points in a second of processor time with the interval of this ratio",
    ...tabulated(measured, [
      column.text("stage", ({ match }) => match.stage),
      column.integer("learned", ({ match }) => match.learned),
      column.text("agent", ({ result }) => result.agent),
      column.text("search", ({ kind }) => kind),
      column.integer("simulations", ({ simulations }) => simulations),
      column.integer("games", ({ result }) => result.games),
      column.estimate("mean", ({ result: { interval, mean } }) => ({ value: mean, interval }), {
        ends: ["low", "high"],
      }),
      column.number("decisions a game", ({ decisions }) => decisions),
      column.number("evaluations a decision", ({ evaluations }) => evaluations),
      column.number("milliseconds a decision", ({ milliseconds }) => milliseconds),
      column.estimate("points a second", ({ scorePerSecond }) => scorePerSecond, {
        ends: ["points low", "points high"],
      }),
    ]),
  };
}
