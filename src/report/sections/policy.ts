import type { PolicyAtPly, Spread } from "../../events/event.ts";
import type { Column, Table } from "../../formats/table.ts";
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

/** The table on the page: as wide as there are numbers of likeliest moves. */
function tableOf(all: readonly Statistics[]): Table {
  const tops = [...new Set(all.flatMap((statistics) => statistics.tops))].sort((a, b) => a - b);
  const { columns, rows, ...table } = policyTable(all);
  const each = all.flatMap((statistics) => statistics.plies.map((at) => ({ at, tops: statistics.tops })));
  return {
    ...table,
    columns: [
      ...columns,
      ...tops.map((top) => ({ name: `top ${top}`, type: "number" as const, share: true as const })),
    ],
    rows: rows.map((row, i) => [
      ...row,
      ...tops.map((top) => each[i]!.at.shares[each[i]!.tops.indexOf(top)] ?? null),
    ]),
  };
}

const atPly: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "learned", type: "integer" },
  { name: "agent", type: "text" },
  { name: "ply", type: "integer" },
];

function policyTable(all: readonly Statistics[]): Table {
  const spreads = ["legal", "rank", "entropy"] as const;
  return {
    name: "policy-statistics",
    title:
      "The policy of the net by plies played before, over the games of a round: legal moves, rank of the move played, entropy in nats; means with 10%, 50% and 90% quantiles",
    columns: [
      ...atPly,
      { name: "decisions", type: "integer" },
      { name: "likeliest played", type: "integer" },
      ...spreads.flatMap((name) =>
        ["mean", "10%", "50%", "90%"].map((part) => ({ name: `${name} ${part}`, type: "number" as const })),
      ),
    ],
    rows: all.flatMap(({ agent, learned, plies, stage }) =>
      plies.map((at) => [
        stage,
        learned,
        agent,
        at.ply,
        at.decisions,
        at.first,
        ...spreads.flatMap((name) => [at[name].mean, at[name].low, at[name].median, at[name].high]),
      ]),
    ),
  };
}

function sharesTable(all: readonly Statistics[]): Table {
  return {
    name: "policy-shares",
    title: "Mean joint probability of the net's likeliest moves by plies played before",
    columns: [
      ...atPly,
      { name: "likeliest", type: "integer" },
      { name: "share", type: "number", share: true },
    ],
    rows: all.flatMap(({ agent, learned, plies, stage, tops }) =>
      plies.flatMap((at) => tops.map((top, i) => [stage, learned, agent, at.ply, top, at.shares[i] ?? null])),
    ),
  };
}
