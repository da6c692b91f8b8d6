import { capitalised } from "../../messages/capitalised.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import type { Landmark, LineSeries } from "../../figures/charts/line-chart.ts";
import { type ExpectedCurve, expectedCurve } from "../../diagnosis/expected-curve.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { rateSteps } from "../learning-rates.ts";
import {
  type AgentStyles,
  agentStyles,
  type Match,
  learnedLabel,
  matchesOf,
  playedForShares,
  playedItself,
} from "../matches.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { type TrainingScore, trainingScore } from "../run-game.ts";
import { standingsTable } from "../match-tables.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";

/** Mean score of each agent against the amount of learning, with 95% bands; and of the training games. */
export function learningCurveSection(run: RunData): Section | undefined {
  const stages = grouped(matchesOf(run), ({ stage }) => stage);
  // Against earlier selves the share of games won does not grow with strength: they have their own section.
  const rated = new Set(eventsOf(run, "version-ratings").map(({ stage }) => stage));
  const curves = stages.filter(
    ([stage, matches]) =>
      !rated.has(stage) &&
      new Set(matches.map(({ learned }) => learned)).size > 1 &&
      !matches.every((match) => playedItself(match)),
  );
  const sources = grouped(eventsOf(run, "games"), ({ stage }) => stage);
  if (curves.length === 0 && sources.length === 0) return undefined;
  const styles = agentStyles(run);
  const results = matchTable(stages.flatMap(([, matches]) => matches));
  const games = gamesTable(
    sources.flatMap(([, events]) => events),
    trainingScore(run),
  );
  const inCurve = curves.some(([, [first]]) => first!.unit === "games") ? sources : [];
  const figures = [
    ...curves.map(([stage, matches]) =>
      curveFigure(stage, matches, { run, sources: inCurve, table: results, styles, rates: rateSteps(run) }),
    ),
    ...(inCurve.length > 0
      ? []
      : sources.map(([stage, events]) => sourceFigure(stage, events, games, trainingScore(run)))),
  ];
  return {
    id: "learning-curve",
    heading: "Learning curve",
    body: figures,
    tables: [...(stages.length > 0 ? [results] : []), ...(sources.length > 0 ? [games] : [])],
  };
}

type Games = EventOf<"games">;

function curveFigure(
  stage: string,
  matches: readonly Match[],
  {
    rates,
    run,
    sources,
    styles,
    table,
  }: {
    readonly run: RunData;
    readonly sources: readonly [string, Games[]][];
    readonly table: Table;
    readonly styles: AgentStyles;
    readonly rates: readonly Landmark[];
  },
) {
  const { unit } = matches[0]!;
  // In games of several players the share of wins counts.
  const shares = matches.every(({ contest }) => contest !== undefined);
  const all = [...new Set(matches.flatMap((match) => match.agents.map(({ agent }) => agent)))];
  const standings = shares ? matches.at(-1)!.contest!.standings : [];
  const fairs = new Set(standings.map(({ fair }) => fair));
  // Of one agent against the rest: the rest wins what the one does not.
  const [one] = standings.toSorted((a, b) => a.fair - b.fair);
  const alone = all.length === 2 && fairs.size === 2;
  const agents = alone ? [one!.agent] : all;
  const fair = alone ? one!.fair : fairs.size === 1 ? [...fairs][0]! : undefined;
  const landmarks = unit === "steps" ? rates : [];
  const curves = agents.map((agent): LineSeries => {
    const points = matches.flatMap(({ learned, agents: results, contest }) =>
      results
        .filter((result) => result.agent === agent)
        .map(({ mean, interval }) => {
          const wins = contest?.standings.find((standing) => standing.agent === agent)?.wins;
          const { value, interval: bounds } = shares && wins ? wins : { value: mean, interval };
          return { x: learned, y: value, low: bounds[0], high: bounds[1] };
        }),
    );
    return { label: agent, style: styles(agent), points: points.toSorted((a, b) => a.x - b.x) };
  });
  const training =
    unit === "games" && !shares ? sources.map(([source, events]) => runningMean(source, events)) : [];
  const of = training.length > 0 ? "; the thin grey line is the mean score of the training games" : "";
  const curve = expectedOf(run, stage, { agents, unit });
  const expected = curve === undefined ? [] : [expectedSeries(curve)];
  const title = `Learning curve: ${stage}`;
  const measure = shares ? "Share of games won" : "Mean score";
  const method = shares ? "of the share" : "of the mean (Student's t)";
  return figureMarkup({
    id: `curve-${slug(stage)}`,
    title,
    caption: `${measure} of ${alone ? `${one!.agent}, against ${all.find((agent) => agent !== one!.agent)} in all the other seats,` : "each agent"} in the evaluation matches. Bands are 95% confidence intervals ${method}${of}.${fair === undefined ? "" : " The dashed level is the share among equals."}${landmarks.length === 0 ? "" : " Vertical lines mark steps of the learning rate."}${curve === undefined ? "" : ` The grey line is the mean of ${curve.agent} in ${curve.runs} recorded runs with these settings, and 95% of further runs are expected in its band.`}`,
    table: shares ? standingsTable(matches, run) : table,
    chart: {
      kind: "lines",
      description: `${measure} with 95% confidence bands against ${learnedLabel(unit).toLowerCase()}, a line for each of: ${agents.join(", ")}.`,
      xLabel: learnedLabel(unit),
      yLabel: measure,
      series: [...curves, ...training, ...expected],
      landmarks,
      ...(shares ? { yShare: true } : {}),
      ...(fair === undefined ? {} : { reference: { y: fair, label: "equal players" } }),
    },
  });
}

/** The expected curve of an agent that a figure shows, measured in the same unit. */
function expectedOf(
  run: RunData,
  stage: string,
  { agents, unit }: { readonly agents: readonly string[]; readonly unit: Match["unit"] },
): ExpectedCurve | undefined {
  const settings = experimentSettings(run);
  const curve = settings && expectedCurve(settings);
  return curve?.stage === stage && curve.unit === unit && agents.includes(curve.agent) ? curve : undefined;
}

function expectedSeries({ agent, points }: ExpectedCurve): LineSeries {
  return {
    label: `${agent}, expected`,
    points: points.map(({ high, learned, low, value }) => ({ x: learned, y: value, least: low, most: high })),
  };
}

function sourceFigure(stage: string, events: readonly Games[], table: Table, { name, share }: TrainingScore) {
  const measure = capitalised(name);
  const title = `Training games: ${stage}`;
  return figureMarkup({
    id: `games-${slug(stage)}`,
    title,
    caption: `${measure} in the training games; each point is of the games since the point before.`,
    table,
    chart: {
      kind: "lines",
      description: `${measure} in the training games against the number of games played.`,
      xLabel: "Games played",
      yLabel: share ? "Share of games won" : "Mean score",
      ...(share ? { yShare: true } : {}),
      series: [{ ...runningMean(stage, events), style: 0 }],
      height: 220,
    },
  });
}

function runningMean(stage: string, events: readonly Games[]): LineSeries {
  const points = events.map(({ done, mean, count }) => ({ x: done, y: mean, weight: count }));
  return { label: stage, points: thinned(points) };
}

function matchTable(matches: readonly Match[]): Table {
  const share = matches.every(playedForShares);
  return {
    name: "match-results",
    title: `Every evaluation match: ${share ? "share of games won by each agent" : "mean score of each agent"} with its 95% interval`,
    ...tabulated(
      matches.flatMap(({ agents, learned, stage, unit }) =>
        agents.map((result) => ({ ...result, learned, stage, unit })),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("learned", ({ learned }) => learned),
        column.text("unit", ({ unit }) => unit),
        column.text("agent", ({ agent }) => agent),
        column.integer("games", ({ games }) => games),
        column.estimate("mean", ({ interval, mean }) => ({ value: mean, interval }), {
          ends: ["low", "high"],
          ...(share ? { share } : {}),
        }),
      ],
    ),
  };
}

function gamesTable(events: readonly Games[], { name, share }: TrainingScore): Table {
  const score = share ? ({ share } as const) : {};
  return {
    name: "training-games",
    title: `Training games: figures of the games since the row before; ${share ? `mean is the ${name}, min and max are the results of single games` : `${name}, least and greatest score`}`,
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.integer("games", ({ done }) => done),
      column.integer("count", ({ count }) => count),
      column.number("mean", ({ mean }) => mean, score),
      column.number("min", ({ min }) => min, score),
      column.number("max", ({ max }) => max, score),
      column.number("plies", ({ plies }) => plies),
      column.number("seconds", ({ elapsed }) => elapsed),
    ]),
  };
}
