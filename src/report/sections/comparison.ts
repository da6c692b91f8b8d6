import type { AgentResult } from "../../events/event.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { type Estimate, pairedGain } from "../../stats/intervals.ts";
import {
  type AgentStyles,
  agentStyles,
  lastMatches,
  learnedText,
  type Match,
  matchesOf,
  playedForShares,
  playedSameGames,
  ranked,
} from "../matches.ts";
import { meansTable } from "../match-tables.ts";
import { shortagesOf } from "../measured-effort.ts";
import { grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

/**
 * The agents beside each other, and by how much each leads another in the same games: in the run's last match, and in
 * the matches of stages that were held once, which have no curve. Agents that play in their own stages are beside each
 * other in one figure.
 */
export function comparisonSection(run: RunData): Section | undefined {
  const held = new Map(grouped(matchesOf(run), ({ stage }) => stage));
  const last = lastMatches(run);
  const matches = last
    .filter(({ stage }, i, all) => i === all.length - 1 || held.get(stage)?.length === 1)
    .filter((match) => match.agents.length > 1 && !playedForShares(match));
  const alone = last.filter(({ agents }) => agents.length === 1);
  const apart = alone.length > 1 ? alone : [];
  const styles = agentStyles(run);
  if (matches.length === 0 && apart.length === 0) return undefined;
  const results = meansTable([...matches, ...apart], run);
  const gains = gainTable(matches);
  const figures = matches.map((match) => [
    meansFigure(match, shortagesOf(run, match), results, styles),
    pairs(match).length > 0 ? gainsFigure(match, gains, styles) : undefined,
  ]);
  return {
    id: "comparison",
    heading: "Comparison of agents",
    body: [
      apart.length > 0 ? apartFigure(apart, results, styles) : undefined,
      figures,
      gains.rows.length > 0 ? tableMarkup(gains) : undefined,
    ],
    tables: [results, ...(gains.rows.length > 0 ? [gains] : [])],
  };
}

/** The last matches of stages in which one agent plays each, the best first. */
function apartFigure(matches: readonly Match[], table: Table, styles: AgentStyles) {
  const results = matches
    .map((match) => ({ match, result: match.agents[0]! }))
    .toSorted((a, b) => b.result.mean - a.result.mean);
  return meansChart(
    {
      id: "means-apart",
      title: "Mean scores of agents in their own matches",
      caption:
        "Mean score of each agent in its stage's last match, with its 95% confidence interval (Student's t). Each row names the stage and the amount of learning.",
      description:
        "The mean score in the last match of each stage and its 95% confidence interval, the best first.",
    },
    results.map(({ match, result }) => ({
      label: match.learned > 0 ? `${match.stage}, ${learnedText(match)}` : match.stage,
      result,
    })),
    table,
    styles,
  );
}

function meansFigure(match: Match, shortages: readonly string[], table: Table, styles: AgentStyles) {
  const after = match.learned > 0 ? `after ${learnedText(match)} learned` : "without learning";
  return meansChart(
    {
      id: `means-${slug(match.stage)}`,
      title: `Mean scores: ${match.stage}`,
      caption: `Mean score of each agent in the last match, ${after}, with its 95% confidence interval (Student's t).${sentences(shortages)}`,
      description: "The mean score of each agent and its 95% confidence interval, the best first.",
    },
    ranked(match).map((result) => ({ label: result.agent, result })),
    table,
    styles,
  );
}

function sentences(all: readonly string[]): string {
  return all.map((each) => ` ${each}.`).join("");
}

/** A figure of mean scores with their intervals, one row a result. */
function meansChart(
  { id, title, caption, description }: Readonly<Record<"id" | "title" | "caption" | "description", string>>,
  results: readonly { readonly label: string; readonly result: AgentResult }[],
  table: Table,
  styles: AgentStyles,
) {
  return figureMarkup({
    id,
    title,
    caption,
    table,
    chart: {
      kind: "intervals",
      description,
      xLabel: "Mean score",
      rows: results.map(({ label, result: { agent, mean, interval } }) => ({
        label,
        style: styles(agent),
        estimate: { value: mean, interval },
      })),
    },
  });
}

function gainsFigure(match: Match, table: Table, styles: AgentStyles) {
  const title = `Gains: ${match.stage}`;
  return figureMarkup({
    id: `gains-${slug(match.stage)}`,
    title,
    caption:
      "Gain of one agent over another in the same games: mean of the differences game by game, with its 95% confidence interval. A gain is significant if its interval does not reach the zero line.",
    table,
    chart: {
      kind: "intervals",
      description:
        "Mean paired difference of scores for each pair of agents, with its 95% confidence interval.",
      xLabel: "Gain in score",
      reference: 0,
      rows: pairs(match).map(({ better, worse, gain }) => ({
        label: `${better} over ${worse}`,
        style: styles(better),
        estimate: gain,
      })),
    },
  });
}

interface Pair {
  readonly better: string;
  readonly worse: string;
  readonly games: number;
  readonly gain: Estimate;
}

/** Each agent against every one ranked below it, if the two played the same games. */
function pairs(match: Match): Pair[] {
  const agents = ranked(match);
  return agents.flatMap((a, i) =>
    agents
      .slice(i + 1)
      .filter((b) => playedSameGames(match, a, b))
      .map((b) => ({
        better: a.agent,
        worse: b.agent,
        games: a.games,
        gain: pairedGain(a.returns, b.returns),
      })),
  );
}

function gainTable(matches: readonly Match[]): Table {
  return {
    name: "paired-gains",
    title: "Mean difference of scores in the same games, with its 95% interval",
    ...tabulated(
      matches.flatMap((match) => pairs(match).map((pair) => ({ ...pair, stage: match.stage }))),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("agent", ({ better }) => better),
        column.text("over", ({ worse }) => worse),
        column.integer("games", ({ games }) => games),
        column.estimate("gain", ({ gain }) => gain, { ends: ["low", "high"] }),
      ],
    ),
  };
}
