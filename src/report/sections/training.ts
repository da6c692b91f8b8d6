import { column, type Table, tabulated } from "../../formats/table.ts";
import { isTrainingFigure, trainingFigures } from "../../events/training-figures.ts";
import type { LineSeries } from "../../figures/charts/line-chart.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { figureCurve, figuresTable } from "./own-figures.ts";
import { thinned } from "../../figures/thinning.ts";

/** Loss, its parts and the learning rate against the optimiser's steps. */
export function trainingSection(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "training"), ({ stage }) => stage);
  if (stages.length === 0) return undefined;
  const table = stepTable(stages.flatMap(([, events]) => events));
  const figures = eventsOf(run, "figure").filter(isTrainingFigure);
  const versions = figuresTable("training-figures", "Figures of the versions that are learned", figures);
  return {
    id: "training",
    heading: "Training",
    body: stages.map(([stage, events]) => [
      lossFigure(stage, events, table),
      rateFigure(stage, events, table),
      Object.entries(captions).map(([name, caption]) =>
        figureCurve(
          figures.filter((event) => event.stage === stage && event.name === name),
          versions,
          caption,
          150,
        ),
      ),
    ]),
    tables: [table, ...(figures.length === 0 ? [] : [versions])],
  };
}

type Step = EventOf<"training">;

/** What the figures of a version say, by name, in the order in which they are drawn. */
const captions: Readonly<Record<string, string>> = {
  [trainingFigures.gradientNorm]:
    "Root of the mean squared norm of the gradients, over the steps since the version before.",
  [trainingFigures.valueDrift]:
    "Mean absolute change of the net's values on 32 positions of random games since the version before, as a share of the range of values.",
  [trainingFigures.reads]:
    "Positions in the minibatches of a version, divided by the examples that came since the version before: how often an example is read.",
  [trainingFigures.age]: "Mean age of the examples in the buffer, in games, when a version was learned.",
};

/** A schedule with few steps is drawn exactly; one that changes all the time is thinned to this number of points. */
const MOST_TURNS = 400;

function lossFigure(stage: string, events: readonly Step[], table: Table) {
  const parts = [...new Set(events.flatMap((event) => Object.keys(event.parts)))];
  const total = curve("loss", 0, events, ({ loss }) => loss);
  const series = [
    total,
    // A single part equals the total.
    ...(parts.length > 1
      ? parts.map((part, i) => curve(part, i + 1, events, (event) => event.parts[part] ?? NaN))
      : []),
  ];
  const values = series.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y > 0);
  const ratio =
    values.reduce((most, y) => Math.max(most, y), 0) /
    values.reduce((least, y) => Math.min(least, y), Infinity);
  const title = `Loss: ${stage}`;
  return figureMarkup({
    id: `loss-${slug(stage)}`,
    title,
    caption: `Mean training loss${parts.length > 1 ? " and its parts" : ""}; a point is the mean over the steps since the one before.`,
    table,
    chart: {
      kind: "lines",
      description: `Training loss against the optimiser's steps, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel: "Training steps",
      yLabel: ratio > 50 ? "Loss, logarithmic" : "Loss",
      yScale: ratio > 50 ? "log" : "linear",
      series,
      height: 240,
    },
  });
}

function rateFigure(stage: string, events: readonly Step[], table: Table) {
  // A constant rate is in the settings.
  if (new Set(events.map(({ rate }) => rate)).size < 2) return undefined;
  const turns = events.filter(({ rate }, i) => rate !== events[i - 1]?.rate || rate !== events[i + 1]?.rate);
  const points = thinned(
    turns.map(({ step, rate }) => ({ x: step, y: rate, weight: 1 })),
    MOST_TURNS,
  );
  const title = `Learning rate: ${stage}`;
  return figureMarkup({
    id: `rate-${slug(stage)}`,
    title,
    caption: "The learning rate as the schedule of the experiment file sets it.",
    table,
    chart: {
      kind: "lines",
      description: "Learning rate against the optimiser's steps, on a logarithmic axis.",
      xLabel: "Training steps",
      yLabel: "Learning rate, logarithmic",
      yScale: "log",
      series: [{ label: "learning rate", style: 0, points }],
      height: 130,
    },
  });
}

function curve(
  label: string,
  style: number,
  events: readonly Step[],
  value: (event: Step) => number,
): LineSeries {
  return {
    label,
    style,
    points: thinned(events.map((event) => ({ x: event.step, y: value(event), weight: 1 }))),
  };
}

function stepTable(events: readonly Step[]): Table {
  const parts = [...new Set(events.flatMap((event) => Object.keys(event.parts)))];
  return {
    name: "training-steps",
    title: "Optimiser steps: mean loss since the row before, and its parts",
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.integer("step", ({ step }) => step),
      column.number("loss", ({ loss }) => loss),
      column.number("rate", ({ rate }) => rate),
      column.number("seconds", ({ elapsed }) => elapsed),
      parts.map((part) => column.number(`loss: ${part}`, (event: Step) => event.parts[part])),
    ]),
  };
}
