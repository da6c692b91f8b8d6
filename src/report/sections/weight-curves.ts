import { column, type Table, tabulated } from "../../formats/table.ts";
import { markup } from "../../figures/markup.ts";
import { grouped, type RunData } from "../run-data.ts";
import { unpivoted } from "../unpivoted.ts";
import { figureMarkup, type Section, tableMarkup } from "../section.ts";
import {
  BAND,
  cosine,
  longestTaught,
  settledGames,
  type WeightCurves,
  weightCurvesOf,
  weightsAfter,
} from "../weight-curves.ts";

/** The most points of a line. */
const MOST_POINTS = 300;

/**
 * The weights of value functions with few, named ones: their curves, the game from which on each keeps within a band
 * about its final value, and how near the learners have come to each other.
 */
export function weightCurvesSection(run: RunData): Section | undefined {
  const learners = weightCurvesOf(run);
  const byNames = grouped(learners, ({ names }) => names.join("\n"));
  if (learners.length === 0) return undefined;
  const parts = byNames.map(([, group], i) => {
    const suffix = byNames.length === 1 ? "" : `-${i + 1}`;
    const curves = curveTable(group);
    const settling = settlingTable(group);
    const likeness = likenessTable(group);
    const body = [
      curvesFigure(group, curves, `weights${suffix}`),
      group.length > 1 && directionFigure(group, curves, `directions${suffix}`),
      markup`<h3>When weights settle</h3><p>A weight has settled when it stays within a band around its final value: ${100 * BAND}% of the learner's greatest final weight to either side. A learner that stops early, or with a low rate, also settles: compare the values too.</p>`,
      tableMarkup(settling),
      group.length > 1 && tableMarkup(likeness),
    ];
    const tables = [unpivoted(curves, { keys: 3, name: "weight", value: "value" }), settling];
    return { body, tables: group.length > 1 ? [...tables, likeness] : tables };
  });
  return {
    id: "weights",
    heading: "Weights",
    body: parts.map(({ body }) => body),
    tables: parts.flatMap(({ tables }) => tables),
  };
}

function curvesFigure(learners: readonly WeightCurves[], table: Table, id: string) {
  const { names } = learners[0]!;
  const title = "Weights against games";
  return figureMarkup({
    id,
    title,
    caption: `Each weight of the value function after so many games, for each learner; games on a logarithmic axis.`,
    table,
    chart: {
      kind: "small-multiples",
      description: `A small chart for each of ${names.length} weights, with a line for each of: ${learners.map(({ stage }) => stage).join(", ")}.`,
      xLabel: "Games, logarithmic",
      yLabel: "Weight",
      series: learners.map(({ stage }) => stage),
      panels: names.map((name, i) => ({
        title: name,
        lines: learners.map(({ games, weights }) =>
          chosen(games).map((at) => ({ x: games[at]!, y: weights[i]![at]! })),
        ),
      })),
    },
  });
}

/** The direction of each learner's weights, compared with the end of the learner with the most games. */
function directionFigure(learners: readonly WeightCurves[], table: Table, id: string) {
  const reference = longestTaught(learners);
  const title = `Direction of the weights, compared with the end of ${reference.stage}`;
  return figureMarkup({
    id,
    title,
    caption: `Cosine between a learner's weights after so many games and the final weights of ${reference.stage}: 1 means that they differ only by a factor, so greedy play is the same.`,
    table,
    chart: {
      kind: "small-multiples",
      description: `Cosine against games on a logarithmic axis, a small chart for each of: ${learners.map(({ stage }) => stage).join(", ")}.`,
      xLabel: "Games, logarithmic",
      yLabel: "Cosine",
      series: learners.map(({ stage }) => stage),
      panels: learners.map((learner, i) => ({
        title: learner.stage,
        lines: learners.map((_, style) =>
          style !== i
            ? []
            : chosen(learner.games).flatMap((at) => {
                const y = cosine(weightsAfter(learner, at), weightsAfter(reference, -1));
                return Number.isFinite(y) ? [{ x: learner.games[at]!, y }] : [];
              }),
        ),
      })),
    },
  });
}

/** Places in a list of games, about equally far from each other on a logarithmic axis; the first and last with them. */
function chosen(games: readonly number[]): number[] {
  const [first, last] = [games[0]!, games.at(-1)!];
  const step = Math.log(last / first) / MOST_POINTS;
  const places: number[] = [];
  let next = first;
  for (const [at, game] of games.entries())
    if (game >= next || at === games.length - 1) {
      places.push(at);
      next = game * Math.exp(step);
    }
  return places;
}

/** The table on the page, with a column for each weight. */
function curveTable(learners: readonly WeightCurves[]): Table {
  const { names } = learners[0]!;
  const reference = longestTaught(learners);
  return {
    name: "weights",
    title: `Weights after so many games, and the cosine to the final weights of ${reference.stage}`,
    ...tabulated(
      learners.flatMap((learner) =>
        learner.games.map((game, at) => ({ stage: learner.stage, game, weights: weightsAfter(learner, at) })),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("games", ({ game }) => game),
        column.number("cosine", ({ weights }) => cosine(weights, weightsAfter(reference, -1))),
        names.map((name, i) =>
          column.number(name, ({ weights }: { readonly weights: readonly number[] }) => weights[i]),
        ),
      ],
    ),
  };
}

function settlingTable(learners: readonly WeightCurves[]): Table {
  return {
    name: "weights-settled",
    title: "Final weights, and the game from which each stays within the band around its final value",
    ...tabulated(
      learners.flatMap((learner) => {
        const games = settledGames(learner);
        const { names, stage, weights } = learner;
        return [
          ...games.map((game, i) => ({ stage, name: names[i]!, final: weights[i]!.at(-1)!, game })),
          { stage, name: "all of them", final: null, game: Math.max(...games) },
        ];
      }),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("weight", ({ name }) => name),
        column.number("final", ({ final }) => final),
        column.integer("settled from game", ({ game }) => game),
      ],
    ),
  };
}

function likenessTable(learners: readonly WeightCurves[]): Table {
  const pairs = learners.flatMap((one, i) =>
    learners.slice(i + 1).map((other) => {
      const [a, b] = [weightsAfter(one, -1), weightsAfter(other, -1)];
      const difference = Math.hypot(...a.map((weight, at) => weight - b[at]!));
      const longer = Math.max(Math.hypot(...a), Math.hypot(...b));
      return { one, other, cosine: cosine(a, b), difference: difference / longer };
    }),
  );
  return {
    name: "weights-likeness",
    title:
      "Similarity of the final weights of two learners: cosine of their angle (1: equal up to a factor), and length of their difference as a share of the longer",
    ...tabulated(pairs, [
      column.text("learner", ({ one }) => one.stage),
      column.text("other", ({ other }) => other.stage),
      column.number("cosine", (pair) => pair.cosine),
      column.number("difference", ({ difference }) => difference),
    ]),
  };
}
