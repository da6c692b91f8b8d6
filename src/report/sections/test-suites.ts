import { column, type Table, tabulated } from "../../formats/table.ts";
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
  const last = new Map(
    byStage.map(([stage, events]) => [
      stage,
      [lastTable(events.at(-1)!), ...groupTables([events.at(-1)!]), ...valueTables([events.at(-1)!])],
    ]),
  );
  const all = byStage.flatMap(([, events]) => events);
  return {
    id: "test-suites",
    heading: "Right moves in test positions",
    body: byStage.map(([stage, events]) => [
      markup`<p>${summary(stage, events.at(-1)!)}</p>`,
      last.get(stage)!.map(tableMarkup),
      events.length > 1 ? curveFigure(stage, events, table) : "",
    ]),
    tables: [table, ...groupTables(all), ...valueTables(all)],
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
    ...tabulated(
      rounds.flatMap((round) => round.agents.map((agent) => ({ ...round, ...agent }))),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("learned", ({ learned }) => learned),
        column.text("unit", ({ unit }) => unit),
        column.text("agent", ({ agent }) => agent),
        column.integer("positions", ({ positions }) => positions),
        column.integer("right", ({ right }) => right),
        column.estimate("share", ({ share }) => share, { ends: ["low", "high"], share: true }),
        column.number("uniform draw", ({ uniform }) => uniform, { share: true }),
      ],
    ),
  };
}

/** The shares by group of positions; no table without groups. */
function groupTables(rounds: readonly Suite[]): Table[] {
  const rows = rounds.flatMap(({ agents, ...round }) =>
    agents.flatMap(({ agent, groups = [] }) => groups.map((group) => ({ ...round, agent, ...group }))),
  );
  if (rows.length === 0) return [];
  return [
    {
      name: "right-moves-by-group",
      title: "Shares of right moves by group of positions, with 95% intervals",
      ...tabulated(rows, [
        column.text("stage", ({ stage }) => stage),
        column.integer("learned", ({ learned }) => learned),
        column.text("agent", ({ agent }) => agent),
        column.text("group", ({ group }) => group),
        column.integer("positions", ({ positions }) => positions),
        column.estimate("share", ({ share }) => share, { ends: ["low", "high"], share: true }),
      ]),
    },
  ];
}

/** The errors of values by outcome; no table if values are not compared. */
function valueTables(rounds: readonly Suite[]): Table[] {
  const rows = rounds.flatMap(({ agents, ...round }) =>
    agents.flatMap(({ agent, valueErrors = [] }) =>
      valueErrors.map((errors) => ({ ...round, agent, ...errors })),
    ),
  );
  if (rows.length === 0) return [];
  return [
    {
      name: "value-errors-by-outcome",
      title: "Mean squared errors of values by outcome for the seat to move, with 95% intervals",
      ...tabulated(rows, [
        column.text("stage", ({ stage }) => stage),
        column.integer("learned", ({ learned }) => learned),
        column.text("agent", ({ agent }) => agent),
        column.text("outcome", ({ outcome }) => (outcome > 0 ? "win" : outcome < 0 ? "loss" : "draw")),
        column.integer("positions", ({ positions }) => positions),
        column.estimate("squared error", (row) => row, { ends: ["low", "high"] }),
      ]),
    },
  ];
}
