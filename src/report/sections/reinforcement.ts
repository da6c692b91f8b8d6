import { column, type Table, tabulated } from "../../formats/table.ts";
import { fixed } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { markup } from "../../figures/markup.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";

type Step = EventOf<"pool-games">;

/** What a figure shows of each step. */
interface Shown {
  readonly name: string;
  readonly title: string;
  readonly yLabel: string;
  readonly caption: string;
  readonly value: (step: Step) => number;
  readonly yShare?: true;
}

const figures: readonly Shown[] = [
  {
    name: "score",
    title: "Score against the pool",
    yLabel: "Mean score",
    caption:
      "Mean score of the newest policy against the version of the pool that was drawn, 1 for a win and 0.5 for a draw; a point is the mean over the steps since the one before. The pool grows stronger too, so the line need not rise.",
    value: ({ score }) => score,
    yShare: true,
  },
  {
    name: "entropy",
    title: "Entropy of the policy",
    yLabel: "Entropy, nats",
    caption:
      "Mean entropy of the newest policy over the legal moves at its decisions. Near 0 it plays the same games again and again.",
    value: ({ entropy }) => entropy,
  },
  {
    name: "plies",
    title: "Length of the games",
    yLabel: "Plies",
    caption: "Mean length of the games of a step, in plies.",
    value: ({ plies }) => plies,
  },
];

/** Score against the pool, entropy and length of games against the steps of reinforcement stages. */
export function reinforcementSection(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "pool-games"), ({ stage }) => stage);
  if (stages.length === 0) return undefined;
  const table = tableOf(stages.flatMap(([, steps]) => steps));
  return {
    id: "pool-games",
    heading: "Reinforcement",
    body: stages.map(([stage, steps]) => [
      markup`<p>${summary(stage, steps)}</p>`,
      figures.map((shown) => figureOf(stage, steps, shown, table)),
    ]),
    tables: [table],
  };
}

function summary(stage: string, steps: readonly Step[]): string {
  const games = steps.reduce((sum, step) => sum + step.games, 0);
  const pool = new Set(steps.map(({ opponent }) => opponent)).size;
  const last = steps.at(-1)!;
  return `${stage}: ${fixed(last.step, 0)} steps, ${fixed(games, 0)} games against ${fixed(pool, 0)} ${pool === 1 ? "version" : "versions"} of the pool.`;
}

function figureOf(stage: string, steps: readonly Step[], shown: Shown, table: Table) {
  const title = `${shown.title}: ${stage}`;
  return figureMarkup({
    id: `pool-games-${shown.name}-${slug(stage)}`,
    title,
    caption: shown.caption,
    table,
    chart: {
      kind: "lines",
      description: `${shown.title} against the steps of the optimiser.`,
      xLabel: "Training steps",
      yLabel: shown.yLabel,
      series: [
        {
          label: shown.yLabel,
          style: 0,
          points: thinned(steps.map((step) => ({ x: step.step, y: shown.value(step), weight: step.games }))),
        },
      ],
      height: 200,
      ...(shown.yShare === undefined ? {} : { yShare: shown.yShare }),
    },
  });
}

function tableOf(steps: readonly Step[]): Table {
  return {
    name: "pool-games",
    title: "Steps of reinforcement stages: games of the newest policy against a version of the pool",
    ...tabulated(steps, [
      column.text("stage", ({ stage }) => stage),
      column.integer("step", ({ step }) => step),
      column.integer("opponent", ({ opponent }) => opponent),
      column.integer("games", ({ games }) => games),
      column.number("score", ({ score }) => score, { share: true }),
      column.number("plies", ({ plies }) => plies),
      column.number("entropy", ({ entropy }) => entropy),
    ]),
  };
}
