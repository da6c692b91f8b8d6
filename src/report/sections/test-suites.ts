import type { Table } from "../../formats/table.ts";
import type { LineSeries } from "../../figures/charts/line-chart.ts";
import { learnedLabel } from "../matches.ts";
import { markup } from "../../figures/markup.ts";
import { fixed, percent } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

type Suite = EventOf<"suite">;

/** How often agents play right moves in positions whose right moves are known: the last shares, and over learning. */
export function testSuitesSection(run: RunData): Section | undefined {
  const byStage = grouped(eventsOf(run, "suite"), ({ stage }) => stage);
  if (byStage.length === 0) return undefined;
  const table = sharesTable(
    "right-moves",
    "Every round: shares of right moves, with 95% intervals",
    byStage.flatMap(([, events]) => events),
  );
  const last = new Map(byStage.map(([stage, events]) => [stage, lastTable(events.at(-1)!)]));
  return {
    id: "test-suites",
    heading: "Right moves in test positions",
    body: byStage.map(([stage, events]) => [
      markup`<p>${summary(stage, events.at(-1)!)}</p>`,
      tableMarkup(last.get(stage)!),
      events.length > 1 ? curveFigure(stage, events, table) : "",
    ]),
    tables: [table],
  };
}

function summary(stage: string, { agents, positions, uniform }: Suite): string {
  const best = agents.toSorted((a, b) => b.share.value - a.share.value)[0]!;
  const [low, high] = best.share.interval;
  return `${stage}: ${fixed(positions, 0)} positions. ${best.agent} played a right move in ${percent(best.share.value)} of them (95% interval ${percent(low)} to ${percent(high)}); a uniform draw from the legal moves is right in ${percent(uniform)}.`;
}

function curveFigure(stage: string, events: readonly Suite[], table: Table) {
  const title = `Right moves over learning: ${stage}`;
  const xLabel = learnedLabel(events[0]!.unit);
  const series = events[0]!.agents.map(({ agent }, i): LineSeries => ({
    label: agent,
    style: i,
    points: events.map(({ agents, learned }) => {
      const { interval, value } = agents[i]!.share;
      return { x: learned, y: value, low: interval[0], high: interval[1] };
    }),
  }));
  return figureMarkup({
    id: `right-moves-curve-${slug(stage)}`,
    title,
    caption: `Share of ${fixed(events[0]!.positions, 0)} positions in which an agent played one of the right moves. Bands are 95% confidence intervals. Agents without a net are the same at every point.`,
    table,
    chart: {
      kind: "lines",
      description: `Shares of right moves against ${xLabel.toLowerCase()}, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel,
      yLabel: "Right moves",
      yShare: true,
      series,
    },
  });
}

/** The shares of the last round of a stage, for the page: their file has every round. */
function lastTable(suite: Suite): Table {
  return sharesTable("right-moves", "Shares of right moves, with 95% intervals", [suite]);
}

function sharesTable(name: string, title: string, rounds: readonly Suite[]): Table {
  return {
    name,
    title,
    columns: [
      { name: "stage", type: "text" },
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "agent", type: "text" },
      { name: "positions", type: "integer" },
      { name: "right", type: "integer" },
      { name: "share", type: "number", share: true },
      { name: "low", type: "number", share: true },
      { name: "high", type: "number", share: true },
      { name: "uniform draw", type: "number", share: true },
    ],
    rows: rounds.flatMap(({ agents, learned, positions, stage, uniform, unit }) =>
      agents.map(({ agent, right, share }) => [
        stage,
        learned,
        unit,
        agent,
        positions,
        right,
        share.value,
        ...share.interval,
        uniform,
      ]),
    ),
  };
}
