import type { MoveAccuracy, PolicyScore } from "../../events/event.ts";
import { column, type ColumnOf, type Table, tabulated } from "../../formats/table.ts";
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
    caption: `Share of the moves of ${part} games that were the policy's likeliest move, by the plies before the move, with the last weights measured. A point is at the first ply of its bin. Bands are 95% confidence intervals over games.`,
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

/** A policy in a round, and its predictions in all moves or in some of them. */
interface Predicted {
  readonly round: Accuracy;
  readonly policy: PolicyScore;
  readonly score: MoveAccuracy;
  readonly group: string;
}

const figureColumns: readonly ColumnOf<{ readonly score: MoveAccuracy }>[] = [
  column.integer("games", ({ score }) => score.games),
  column.integer("decisions", ({ score }) => score.decisions),
  ...column.estimate("top 1", ({ score }: Pick<Predicted, "score">) => score.top1, { share: true }),
  ...column.estimate("top 5", ({ score }: Pick<Predicted, "score">) => score.top5, { share: true }),
  ...column.estimate("log-likelihood", ({ score }: Pick<Predicted, "score">) => score.likelihood),
  column.integer("never played", ({ score }) => score.impossible ?? 0),
];

/** The predictions of a round, in total and by group. */
function predictions(round: Accuracy): Predicted[] {
  return round.policies.flatMap((policy) => [
    { round, policy, score: policy, group: "all" },
    ...policy.groups.map((score) => ({ round, policy, score, group: score.group })),
  ]);
}

/** The figures of the last round of a stage, in total and by group, for the page: their file has every round. */
function lastTable(round: Accuracy): Table {
  return {
    name: "moves-predicted",
    title: "Shares of moves predicted and mean log-likelihood, with 95% intervals over games",
    ...tabulated(predictions(round), [
      column.text("policy", ({ policy }) => labelOf(policy)),
      column.text("group", ({ group }) => group),
      figureColumns,
    ]),
  };
}

const roundColumns: readonly ColumnOf<Pick<Predicted, "round" | "policy">>[] = [
  column.text("stage", ({ round }) => round.stage),
  column.integer("learned", ({ round }) => round.learned),
  column.text("unit", ({ round }) => round.unit),
  column.integer("positions seen", ({ round }) => round.seen),
  column.text("part", ({ round }) => round.part),
  column.text("net", ({ policy }) => policy.net),
  column.text("symmetries", ({ policy }) => policy.symmetries),
];

function accuracyTable(rounds: readonly Accuracy[]): Table {
  return {
    name: "moves-predicted",
    title: "Every round: shares of moves predicted and mean log-likelihood, with 95% intervals over games",
    ...tabulated(rounds.flatMap(predictions), [
      roundColumns,
      column.text("group", ({ group }) => group),
      figureColumns,
    ]),
  };
}

function plyTable(rounds: readonly Accuracy[]): Table {
  return {
    name: "moves-predicted-by-ply",
    title: "Every round by the number of plies before a move, in bins that begin with `from ply`",
    ...tabulated(
      rounds.flatMap((round) =>
        round.policies.flatMap((policy) => policy.plies.map((score) => ({ round, policy, score }))),
      ),
      [roundColumns, column.integer("from ply", ({ score }) => score.from), figureColumns],
    ),
  };
}
