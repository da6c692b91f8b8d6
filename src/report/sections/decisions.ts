import { finiteOrNull } from "../../formats/finite-or-null.ts";
import type { DecisionMeans } from "../../events/event.ts";
import { partsOfGame } from "../../events/decision-parts.ts";
import type { Point } from "../../figures/charts/line-chart.ts";
import type { Content } from "../../figures/markup.ts";
import { thinned } from "../../figures/thinning.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import type { EventOf } from "../run-data.ts";
import { figureMarkup, slug } from "../section.ts";

type Figures = EventOf<"self-play-figures">;

/** The lines of a chart: their labels, and the number that each has of a generation. */
type Lines = readonly (readonly [label: string, value: (event: Figures) => number | undefined])[];

/** The thirds of a game, as `partsOfGame` calls them, and which they are. */
const THIRDS = { beginning: "first", middle: "second", end: "last" } as const;

/** A chart of a stage's generations. */
interface Drawing {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly table: Table;
  readonly yLabel: string;
  readonly yShare?: true;
  readonly lines: Lines;
}

/** What the decisions of self-play show of learning, by third of the game: figures of a stage, and tables. */
export function decisionFigures(
  stage: string,
  events: readonly Figures[],
): { readonly figures: Content; readonly tables: readonly Table[] } | undefined {
  if (events.length === 0) return undefined;
  const means = meansTable(events);
  const games = gamesTable(events);
  const byThird = (value: (means: DecisionMeans) => number): Lines =>
    Object.keys(THIRDS).map((part) => [part, (event) => valueOf(event, part, value)]);
  const drawings: Drawing[] = [
    ...Object.entries(THIRDS).map(([part, ordinal]): Drawing => ({
      id: `entropies-${part}`,
      title: `Entropies, ${part} of the games`,
      caption: `Mean entropy of the priors of the root and of the policy target, in nats, over the decisions in the ${ordinal} third of each game's plies. Priors at the logarithm of the number of legal moves are uniform: the net knows nothing of moves. A target at the priors teaches nothing.`,
      table: means,
      yLabel: "Nats",
      lines: [
        ["ln(legal moves)", (event) => valueOf(event, part, ({ legal }) => legal)],
        ["priors", (event) => valueOf(event, part, ({ prior }) => prior)],
        ["policy target", (event) => valueOf(event, part, ({ target }) => target)],
      ],
    })),
    {
      id: "target-distance",
      title: "Distance of the policy target from the priors",
      caption:
        "Mean total variation distance of the policy target and the priors, over all legal moves or, if that is less, over those that the search tried, by third of the game. At 0 the search changes nothing.",
      table: means,
      yLabel: "Distance",
      lines: byThird(({ distance }) => distance),
    },
    {
      id: "value-error-share",
      title: "Error of the values, as a share of that of a constant",
      caption:
        "Mean squared difference of the search's value and the result, divided by that of the best constant of the generation, by third of the game. At 1 values know nothing of the position.",
      table: means,
      yLabel: "Share",
      lines: byThird(({ constantError, valueError }) => valueError / constantError),
    },
    {
      id: "values-ahead",
      title: "What the values know that the policy does not",
      caption:
        "Mean of ln(share by values / share by the policy) of the move that the search judges best, where shares by values are the softmax of the net's values of the positions after the legal moves (temperature .025 of their range), by third of the game, over the few decisions that were looked at so closely. Above .5 nats the policy leaves unlearned what the net knows.",
      table: means,
      yLabel: "Nats",
      lines: byThird(({ gain }) => gain),
    },
    {
      id: "value-errors-by-result",
      title: "Errors of the values, by result",
      caption:
        "Mean squared difference of the search's value and the result in the second third of each game's plies, in units of the range of values: in drawn games, in the others, and of the net's value if all players continue with its likeliest moves (over the few decisions that were looked at so closely).",
      table: means,
      yLabel: "Squared error",
      lines: [
        ["drawn", (event) => valueOf(event, "middle", ({ drawnError }) => drawnError)],
        ["decided", (event) => valueOf(event, "middle", ({ decidedError }) => decidedError)],
        ["likeliest moves", (event) => valueOf(event, "middle", ({ greedyError }) => greedyError)],
      ],
    },
    {
      id: "distinct-games",
      title: "Different games and draws",
      caption: "Shares of the games of each generation: different sequences of moves, and draws.",
      table: games,
      yLabel: "Share of games",
      yShare: true,
      lines: [
        ["different games", ({ distinct, games: all }) => distinct / all],
        ["draws", ({ draws, games: all }) => draws / all],
      ],
    },
  ];
  return { figures: drawings.map((drawing) => drawn(stage, events, drawing)), tables: [means, games] };
}

function drawn(
  stage: string,
  events: readonly Figures[],
  { caption, id, lines, table, title, yLabel, yShare }: Drawing,
) {
  const series = lines
    .map(([label, value], style) => ({ label, style, points: pointsOf(events, value) }))
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return undefined;
  return figureMarkup({
    id: `${id}-${slug(stage)}`,
    title: `${title}: ${stage}`,
    caption,
    table,
    chart: {
      kind: "lines",
      description: `${title} against the number of games played, a line for each of: ${series.map(({ label }) => label).join(", ")}.`,
      xLabel: "Games played",
      yLabel,
      series,
      height: 150,
      ...(yShare === undefined ? {} : { yShare }),
    },
  });
}

function valueOf(event: Figures, part: string, value: (means: DecisionMeans) => number): number | undefined {
  const means = partsOfGame(event)[part];
  return means === undefined ? undefined : value(means);
}

function pointsOf(events: readonly Figures[], value: Lines[number][1]): Point[] {
  return thinned(
    events.flatMap((event) => {
      const y = value(event) ?? NaN;
      return Number.isFinite(y) ? [{ x: event.learned, y, weight: event.games }] : [];
    }),
  );
}

function meansTable(events: readonly Figures[]): Table {
  return {
    name: "self-play-decisions",
    title:
      "Decisions of self-play with two or more legal moves, by third of the game: means of logarithms of moves legal and tried, entropies in nats, distance of target and priors, shares of moves tried and of the most visited move, squared errors of values and of a constant, in units of their range; decisions in drawn games and the errors there and in the others; of the decisions that were looked at more closely, the nats that values gain over the policy and the error of values against play by the likeliest moves",
    ...tabulated(
      events.flatMap((event) =>
        Object.entries(partsOfGame(event)).map(([part, means]) => ({ ...event, part, means })),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("games", ({ learned }) => learned),
        column.text("part", ({ part }) => part),
        column.integer("decisions", ({ means }) => means.decisions),
        MEANS.map(([name, key]) =>
          column.number(name, ({ means }: { readonly means: DecisionMeans }) => finiteOrNull(means[key])),
        ),
      ],
    ),
  };
}

/** The columns of the table of means. */
const MEANS = [
  ["ln legal", "legal"],
  ["ln tried", "visited"],
  ["prior entropy", "prior"],
  ["target entropy", "target"],
  ["distance", "distance"],
  ["share tried", "tried"],
  ["share of the top move", "top"],
  ["value error", "valueError"],
  ["error of a constant", "constantError"],
  ["decisions in draws", "drawn"],
  ["error in draws", "drawnError"],
  ["error in decided games", "decidedError"],
  ["closer looks", "probes"],
  ["gain of values over policy", "gain"],
  ["error against likeliest moves", "greedyError"],
] as const satisfies readonly (readonly [string, keyof DecisionMeans])[];

function gamesTable(events: readonly Figures[]): Table {
  return {
    name: "self-play-generations",
    title:
      "Generations of self-play: their games, different ones among them and draws; decisions with one legal move, and all decisions",
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.integer("games", ({ learned }) => learned),
      column.integer("of the generation", ({ games }) => games),
      column.integer("different", ({ distinct }) => distinct),
      column.integer("draws", ({ draws }) => draws),
      column.integer("forced decisions", ({ forced }) => forced),
      column.integer("decisions", ({ decisions }) => decisions),
    ]),
  };
}
