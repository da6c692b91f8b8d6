import { column, type Table, tabulated } from "../../formats/table.ts";
import type { LineSeries, Point } from "../../figures/charts/line-chart.ts";
import { timeUnit } from "../../figures/charts/time-line.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";
import { calibration } from "./calibration.ts";
import { decisionFigures } from "./decisions.ts";

type Games = EventOf<"games">;

/** The training games: expected returns, entropy of policies, length and speed. */
export function selfPlaySection(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "games"), ({ stage }) => stage).filter(([, events]) =>
    events.some(({ entropy, evaluations, forecasts }) => entropy ?? evaluations ?? forecasts),
  );
  if (stages.length === 0) return undefined;
  const table = tableOf(stages.flatMap(([, events]) => withRates(events)));
  const calibrated = stages.map(([stage, events]) => calibration(stage, events));
  const generations = Map.groupBy(eventsOf(run, "self-play-figures"), ({ stage }) => stage);
  const decided = stages.map(([stage]) => decisionFigures(stage, generations.get(stage) ?? []));
  return {
    id: "self-play",
    heading: "The games learned from",
    body: stages.map(([stage, events], i) => [
      calibrated[i]?.figure,
      decided[i]?.figures,
      entropyFigure(stage, events, table),
      lengthFigure(stage, events, table),
      speedFigure(stage, events, table),
      cacheFigure(stage, events, table),
    ]),
    tables: [
      table,
      ...calibrated.flatMap((each) => each?.table ?? []),
      ...decided.flatMap((each) => each?.tables ?? []),
    ],
  };
}

/** An event with its evaluations a second since the one before in the same part of the run. */
interface Rated extends Games {
  readonly rate: number | undefined;
}

function withRates(events: readonly Games[]): Rated[] {
  return events.map((event, i) => {
    const before = events[i - 1];
    const seconds = before === undefined ? 0 : event.elapsed - before.elapsed;
    const { evaluations } = event;
    return {
      ...event,
      rate: evaluations === undefined || seconds <= 0 ? undefined : evaluations / seconds,
    };
  });
}

function entropyFigure(stage: string, events: readonly Games[], table: Table) {
  return gamesFigure(stage, events, table, {
    name: "entropy",
    title: "Entropy of the policy targets",
    caption:
      "Mean entropy, in nats, of the policy targets that the search makes: a lower bound of the policy loss. 0 is certainty about one move.",
    yLabel: "Entropy, nats",
    value: ({ entropy }) => entropy,
  });
}

function cacheFigure(stage: string, events: readonly Games[], table: Table) {
  return gamesFigure(stage, events, table, {
    name: "cache",
    title: "Evaluations from the cache",
    caption: "Share of the evaluation requests that were answered from the cache, without computing the net.",
    yLabel: "From the cache",
    yShare: true,
    value: ({ cacheHits, evaluations }) =>
      cacheHits === undefined || evaluations === undefined ? undefined : cacheHits / evaluations,
  });
}

function gamesFigure(
  stage: string,
  events: readonly Games[],
  table: Table,
  figure: {
    readonly name: string;
    readonly title: string;
    readonly caption: string;
    readonly yLabel: string;
    readonly yShare?: true;
    readonly value: (event: Games) => number | undefined;
  },
) {
  const points = events.flatMap((event) => {
    const y = figure.value(event);
    return y === undefined ? [] : [{ x: event.done, y, weight: event.count }];
  });
  if (points.length === 0) return undefined;
  const title = `${figure.title}: ${stage}`;
  return figureMarkup({
    id: `${figure.name}-${slug(stage)}`,
    title,
    caption: figure.caption,
    table,
    chart: {
      kind: "lines",
      description: `${figure.title} against the number of games played.`,
      xLabel: "Games played",
      yLabel: figure.yLabel,
      series: [{ label: stage, style: 0, points: thinned(points) }],
      height: 200,
      ...(figure.yShare === undefined ? {} : { yShare: figure.yShare }),
    },
  });
}

function lengthFigure(stage: string, events: readonly Games[], table: Table) {
  if (events.every(({ plies }) => plies === events[0]!.plies)) return undefined;
  const means = thinned(events.map(({ count, done, plies }) => ({ x: done, y: plies, weight: count })));
  // The band of a thinned point covers all points that it replaces.
  let next = 0;
  const points = means.map(({ x, y }) => {
    const own: Games[] = [];
    while (next < events.length && events[next]!.done <= x) own.push(events[next++]!);
    const lows = own.flatMap(({ shortest }) => shortest ?? []);
    const highs = own.flatMap(({ longest }) => longest ?? []);
    return lows.length === 0 ? { x, y } : { x, y, low: Math.min(...lows), high: Math.max(...highs) };
  });
  const series: LineSeries[] = [{ label: stage, style: 0, points }];
  const title = `Length of games: ${stage}`;
  return figureMarkup({
    id: `lengths-${slug(stage)}`,
    title,
    caption:
      "Length of the training games, in plies: mean, shortest and longest of the games since the point before.",
    table,
    chart: {
      kind: "lines",
      description: "Mean, least and greatest length of the training games against the games played.",
      xLabel: "Games played",
      yLabel: "Plies",
      series,
      height: 200,
    },
  });
}

/** Games end in bursts, so a rate is measured over intervals of at least this share of the whole time. */
const INTERVAL = 1 / 24;

function speedFigure(stage: string, events: readonly Games[], table: Table) {
  const [first] = events;
  const end = events.at(-1)!.elapsed;
  const [unit, name] = timeUnit(end);
  const points: Point[] = [];
  let requested = 0;
  let from = first!.elapsed;
  for (const { elapsed, evaluations } of events.slice(1)) {
    requested += evaluations ?? 0;
    if (elapsed - from < INTERVAL * (end - first!.elapsed)) continue;
    points.push({ x: elapsed / unit, y: requested / (elapsed - from) });
    requested = 0;
    from = elapsed;
  }
  if (points.length < 2 || points.every(({ y }) => y === 0)) return undefined;
  const title = `Evaluations a second: ${stage}`;
  return figureMarkup({
    id: `evaluations-${slug(stage)}`,
    title,
    caption:
      "Evaluation requests per second of the run's time at work, over intervals of it. The time includes training and matches between the games.",
    table,
    chart: {
      kind: "lines",
      description: "Evaluations per second against the time the run has been at work.",
      xLabel: `Time at work (${name})`,
      yLabel: "Evaluations a second",
      series: [{ label: stage, style: 0, points }],
      height: 200,
    },
  });
}

function tableOf(events: readonly Rated[]): Table {
  return {
    name: "self-play",
    title:
      "The training games since the row before: lengths in plies, evaluation requests, those answered from a cache, entropy of the policy targets in nats",
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.integer("games", ({ done }) => done),
      column.integer("count", ({ count }) => count),
      column.number("plies", ({ plies }) => plies),
      column.integer("shortest", ({ shortest }) => shortest),
      column.integer("longest", ({ longest }) => longest),
      column.integer("evaluations", ({ evaluations }) => evaluations),
      column.number("a second", ({ rate }) => rate),
      column.integer("from cache", ({ cacheHits }) => cacheHits),
      column.number("entropy", ({ entropy }) => entropy),
      column.number("seconds", ({ elapsed }) => elapsed),
    ]),
  };
}
