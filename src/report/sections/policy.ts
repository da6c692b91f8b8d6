import type { PolicyAtPly, Spread } from "../../events/event.ts";
import { column, type ColumnOf, type Table, tabulated } from "../../formats/table.ts";
import type { LineSeries } from "../../figures/charts/line-chart.ts";
import { learnedText } from "../matches.ts";
import { fixed, percent } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { markup } from "../../figures/markup.ts";
import { figureMarkup, type Section, slug } from "../section.ts";

type Statistics = EventOf<"policy-statistics">;

/** The policy of a net in the course of games: how many moves share its probability, and which of them the search chooses. */
export function policySection(run: RunData): Section | undefined {
  const all = eventsOf(run, "policy-statistics").filter(({ plies }) => plies.length > 0);
  const last = grouped(all, ({ stage }) => stage).map(([, events]) => events.at(-1)!);
  if (last.length === 0) return undefined;
  const table = tableOf(all);
  return {
    id: "policy",
    heading: "What the policy net says",
    body: last.map((statistics) => [
      markup`<p>${summary(statistics)}</p>`,
      legalFigure(statistics, table),
      sharesFigure(statistics, table),
      rankFigure(statistics, table),
    ]),
    tables: [policyTable(all), sharesTable(all)],
  };
}

function summary({ agent, games, opponent, plies, stage, ...learned }: Statistics): string {
  const decisions = plies.reduce((sum, ply) => sum + ply.decisions, 0);
  const first = plies.reduce((sum, ply) => sum + ply.first, 0);
  const widest = plies.toSorted((a, b) => b.legal.mean - a.legal.mean)[0]!;
  const against = opponent === undefined ? "in every seat" : `against ${opponent} in all the other seats`;
  const after = learned.learned > 0 ? ` after ${learnedText(learned)} learned` : "";
  return `${stage}: ${fixed(games, 0)} ${games === 1 ? "game" : "games"} of ${agent} ${against}${after}, ${fixed(decisions, 0)} decisions. Most moves are legal with ${fixed(widest.ply, 0)} ${widest.ply === 1 ? "ply" : "plies"} played: ${fixed(widest.legal.mean, 0)} on average. In ${percent(first / decisions)} of the decisions the search took the move that the net thought likeliest.`;
}

function legalFigure(statistics: Statistics, table: Table) {
  return plyFigure(statistics, table, {
    name: "legal",
    title: "Legal moves",
    caption: "Number of legal moves at the agent's decisions: the mean, and the middle 80% of the games.",
    yLabel: "Legal moves",
    series: [spreadSeries("mean", 0, statistics, ({ legal }) => legal)],
  });
}

function sharesFigure(statistics: Statistics, table: Table) {
  const { plies, tops } = statistics;
  return plyFigure(statistics, table, {
    name: "shares",
    title: "Probability of the likeliest moves",
    caption:
      "Mean joint probability of the net's likeliest moves, among the legal moves, without noise and before any search. A low line means that the net considers more moves than these.",
    yLabel: "Probability together",
    yShare: true,
    series: tops.map((top, i) => ({
      label: `top ${fixed(top, 0)}`,
      style: i,
      points: plies.map(({ ply, shares }) => ({ x: ply, y: shares[i]! })),
    })),
  });
}

function rankFigure(statistics: Statistics, table: Table) {
  const { plies } = statistics;
  return plyFigure(statistics, table, {
    name: "rank",
    title: "Place of the move played",
    caption:
      "Rank of the move that the search chose, in the order of the net's probabilities; 1 is the likeliest. Mean, median, and the middle 80% of the games.",
    yLabel: "Place in the net's order, logarithmic",
    yScale: "log",
    series: [
      spreadSeries("mean", 0, statistics, ({ rank }) => rank),
      { label: "median", style: 1, points: plies.map(({ ply, rank }) => ({ x: ply, y: rank.median })) },
    ],
  });
}

function plyFigure(
  { agent, stage }: Statistics,
  table: Table,
  figure: {
    readonly name: string;
    readonly title: string;
    readonly caption: string;
    readonly yLabel: string;
    readonly yScale?: "log";
    readonly yShare?: true;
    readonly series: readonly LineSeries[];
  },
) {
  const { caption, name, series, yLabel, yScale, yShare } = figure;
  const title = `${figure.title}: ${stage}`;
  return figureMarkup({
    id: `policy-${name}-${slug(stage)}`,
    title,
    caption,
    table,
    chart: {
      kind: "lines",
      description: `${figure.title} at the decisions of ${agent} against the number of plies played before, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel: "Plies played before (in Blokus: pieces on the board)",
      yLabel,
      series,
      height: 230,
      ...(yScale === undefined ? {} : { yScale }),
      ...(yShare === undefined ? {} : { yShare }),
    },
  });
}

function spreadSeries(
  label: string,
  style: number,
  { plies }: Statistics,
  of: (ply: PolicyAtPly) => Spread,
): LineSeries {
  return {
    label,
    style,
    points: plies.map((at) => {
      const { high, low, mean } = of(at);
      return { x: at.ply, y: mean, low, high };
    }),
  };
}

/** A round of an agent at a ply. */
interface AtPly {
  readonly round: Statistics;
  readonly at: Statistics["plies"][number];
}

function atPlies(all: readonly Statistics[]): AtPly[] {
  return all.flatMap((round) => round.plies.map((at) => ({ round, at })));
}

/** The table on the page: as wide as there are numbers of likeliest moves. */
function tableOf(all: readonly Statistics[]): Table {
  const tops = [...new Set(all.flatMap((statistics) => statistics.tops))].sort((a, b) => a - b);
  return policyTable(
    all,
    tops.map((top) =>
      column.number(`top ${top}`, ({ at, round }) => at.shares[round.tops.indexOf(top)], { share: true }),
    ),
  );
}

const ofPly: readonly ColumnOf<AtPly>[] = [
  column.text("stage", ({ round }) => round.stage),
  column.integer("learned", ({ round }) => round.learned),
  column.text("agent", ({ round }) => round.agent),
  column.integer("ply", ({ at }) => at.ply),
];

/** The mean and the quantiles of a summary. */
function spreadColumns(name: "legal" | "rank" | "entropy"): ColumnOf<AtPly>[] {
  return [
    column.number(`${name} mean`, ({ at }) => at[name].mean),
    column.number(`${name} 10%`, ({ at }) => at[name].low),
    column.number(`${name} 50%`, ({ at }) => at[name].median),
    column.number(`${name} 90%`, ({ at }) => at[name].high),
  ];
}

function policyTable(all: readonly Statistics[], more: readonly ColumnOf<AtPly>[] = []): Table {
  return {
    name: "policy-statistics",
    title:
      "The policy of the net by plies played before, over the games of a round: legal moves, rank of the move played, entropy in nats; means with 10%, 50% and 90% quantiles",
    ...tabulated(atPlies(all), [
      ofPly,
      column.integer("decisions", ({ at }) => at.decisions),
      column.integer("likeliest played", ({ at }) => at.first),
      spreadColumns("legal"),
      spreadColumns("rank"),
      spreadColumns("entropy"),
      more,
    ]),
  };
}

function sharesTable(all: readonly Statistics[]): Table {
  return {
    name: "policy-shares",
    title: "Mean joint probability of the net's likeliest moves by plies played before",
    ...tabulated(
      atPlies(all).flatMap((one) =>
        one.round.tops.map((top, i) => ({ ...one, top, share: one.at.shares[i] })),
      ),
      [
        ofPly,
        column.integer("likeliest", ({ top }) => top),
        column.number("share", ({ share }) => share, { share: true }),
      ],
    ),
  };
}
