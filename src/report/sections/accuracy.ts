import type { MoveAccuracy, PolicyScore } from "../../events/event.ts";
import { finiteOrNull } from "../../formats/finite-or-null.ts";
import type { Column, Table } from "../../formats/table.ts";
import type { LineSeries } from "../../figures/charts/line-chart.ts";
import { learnedLabel } from "../matches.ts";
import { markup } from "../../figures/markup.ts";
import { fixed, percent } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

type Accuracy = EventOf<"accuracy">;

/** How well policies predict moves of recorded games: the last figures, over learning, and by move number. */
export function accuracySection(run: RunData): Section | undefined {
  const byStage = grouped(eventsOf(run, "accuracy"), ({ stage }) => stage);
  if (byStage.length === 0) return undefined;
  const rounds = byStage.flatMap(([, events]) => events);
  const table = accuracyTable(rounds);
  const byPly = plyTable(rounds);
  const lastTables = new Map(byStage.map(([stage, events]) => [stage, lastTable(events.at(-1)!)]));
  return {
    id: "accuracy",
    heading: "Moves predicted",
    body: byStage.map(([stage, events]) => [
      markup`<p>${summary(stage, events.at(-1)!)}</p>`,
      tableMarkup(lastTables.get(stage)!),
      events.length > 1 ? curveFigure(stage, events, table) : "",
      plyFigure(stage, events.at(-1)!, byPly),
    ]),
    tables: [table, byPly],
  };
}

/** The name of a policy in figures. */
function labelOf({ net, symmetries }: Pick<PolicyScore, "net" | "symmetries">): string {
  return symmetries === "none" ? net : `${net}, ensemble`;
}

function summary(stage: string, { part, policies }: Accuracy): string {
  const best = policies.toSorted((a, b) => b.top1.value - a.top1.value)[0]!;
  return `${stage}: moves of ${fixed(best.games, 0)} ${part} games, ${fixed(best.decisions, 0)} decisions. The likeliest move of ${labelOf(best)} was played in ${percent(best.top1.value)} of them (95% interval ${percent(best.top1.interval[0])} to ${percent(best.top1.interval[1])}).`;
}

function curveFigure(stage: string, events: readonly Accuracy[], table: Table) {
  const title = `Accuracy over learning: ${stage}`;
  const { unit } = events[0]!;
  const isSeen = events.every(({ seen }) => seen !== undefined);
  const xLabel = isSeen ? "Positions seen" : learnedLabel(unit);
  const labels = events[0]!.policies.map(labelOf);
  const lines = (place: string, of: (accuracy: MoveAccuracy) => MoveAccuracy["top1"], more: number) =>
    labels.map((label, i): LineSeries => ({
      label: `${label}: ${place}`,
      style: i + more,
      points: events.map(({ learned, policies, seen }) => {
        const { interval, value } = of(policies[i]!);
        return { x: seen ?? learned, y: value, low: interval[0], high: interval[1] };
      }),
    }));
  const series = [
    ...lines("likeliest", ({ top1 }) => top1, 0),
    ...lines("among five", ({ top5 }) => top5, labels.length),
  ];
  return figureMarkup({
    id: `accuracy-curve-${slug(stage)}`,
    title,
    caption: `Share of the moves of ${events[0]!.part} games that were the policy's likeliest move, or among its five likeliest. Bands are 95% confidence intervals over games.`,
    table,
    chart: {
      kind: "lines",
      description: `Shares of moves predicted against ${xLabel.toLowerCase()}, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel,
      yLabel: "Moves predicted",
      yShare: true,
      series,
    },
  });
}

function plyFigure(stage: string, { part, policies }: Accuracy, table: Table) {
  const title = `Accuracy by move number: ${stage}`;
  const series = policies.map((policy, i): LineSeries => ({
    label: labelOf(policy),
    style: i,
    points: policy.plies.map(({ from, top1: { interval, value } }) => ({
      x: from,
      y: value,
      low: interval[0],
      high: interval[1],
    })),
  }));
  return figureMarkup({
    id: `accuracy-plies-${slug(stage)}`,
    title,
    caption: `Share of the moves of ${part} games that were the policy's likeliest move, by the plies before the move, with the last weights measured. A point stands at the first ply of its bin. Bands are 95% confidence intervals over games.`,
    table,
    chart: {
      kind: "lines",
      description: `The share of moves predicted against the number of plies before, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel: "Plies before the move",
      yLabel: "Moves predicted",
      yShare: true,
      series,
      height: 230,
    },
  });
}

const figureColumns: readonly Column[] = [
  { name: "games", type: "integer" },
  { name: "decisions", type: "integer" },
  { name: "top 1", type: "number", share: true },
  { name: "top 1 low", type: "number", share: true },
  { name: "top 1 high", type: "number", share: true },
  { name: "top 5", type: "number", share: true },
  { name: "top 5 low", type: "number", share: true },
  { name: "top 5 high", type: "number", share: true },
  { name: "log-likelihood", type: "number" },
  { name: "log-likelihood low", type: "number" },
  { name: "log-likelihood high", type: "number" },
  { name: "never played", type: "integer" },
];

function figures({ decisions, games, impossible = 0, likelihood, top1, top5 }: MoveAccuracy) {
  const numbers = [top1, top5, likelihood].flatMap(({ interval, value }) => [value, ...interval]);
  return [games, decisions, ...numbers.map(finiteOrNull), impossible];
}

/** The figures of the last round of a stage, in total and by group, for the page: their file has every round. */
function lastTable({ policies }: Accuracy): Table {
  return {
    name: "moves-predicted",
    title: "Shares of moves predicted and mean log-likelihood, with 95% intervals over games",
    columns: [{ name: "policy", type: "text" }, { name: "group", type: "text" }, ...figureColumns],
    rows: policies.flatMap((policy) => [
      [labelOf(policy), "all", ...figures(policy)],
      ...policy.groups.map((group) => [labelOf(policy), group.group, ...figures(group)]),
    ]),
  };
}

const roundColumns: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "learned", type: "integer" },
  { name: "unit", type: "text" },
  { name: "positions seen", type: "integer" },
  { name: "part", type: "text" },
  { name: "net", type: "text" },
  { name: "symmetries", type: "text" },
];

function roundCells({ learned, part, seen, stage, unit }: Accuracy, { net, symmetries }: PolicyScore) {
  return [stage, learned, unit, seen ?? null, part, net, symmetries];
}

function accuracyTable(rounds: readonly Accuracy[]): Table {
  return {
    name: "moves-predicted",
    title: "Every round: shares of moves predicted and mean log-likelihood, with 95% intervals over games",
    columns: [...roundColumns, { name: "group", type: "text" }, ...figureColumns],
    rows: rounds.flatMap((round) =>
      round.policies.flatMap((policy) => [
        [...roundCells(round, policy), "all", ...figures(policy)],
        ...policy.groups.map((group) => [...roundCells(round, policy), group.group, ...figures(group)]),
      ]),
    ),
  };
}

function plyTable(rounds: readonly Accuracy[]): Table {
  return {
    name: "moves-predicted-by-ply",
    title: "Every round by the number of plies before a move, in bins that begin with `from ply`",
    columns: [...roundColumns, { name: "from ply", type: "integer" }, ...figureColumns],
    rows: rounds.flatMap((round) =>
      round.policies.flatMap((policy) =>
        policy.plies.map((bin) => [...roundCells(round, policy), bin.from, ...figures(bin)]),
      ),
    ),
  };
}
