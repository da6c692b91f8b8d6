import type { Table } from "../../formats/table.ts";
import {
  type ContestMatch,
  pairsTable,
  rankedStandings,
  seatsTable,
  standingsTable,
} from "../match-tables.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import {
  type AgentStyles,
  agentStyles,
  failedMatches,
  learnedText,
  type Match,
  matchesOf,
  playedItself,
} from "../matches.ts";
import { millisecondsOf, shortagesOf } from "../measured-effort.ts";
import { fixed, readable } from "../../figures/number-text.ts";
import { grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

/** Pairwise results in games of several players: win shares, ratings, seats and a cross table of each stage's last match. */
export function contestsSection(run: RunData): Section | undefined {
  const isContest = (match: Match): match is ContestMatch =>
    match.contest !== undefined && match.contest.games > 0 && !playedItself(match);
  const all = matchesOf(run).filter(isContest);
  const last = grouped(all, ({ stage }) => stage).map(([, matches]) => matches.at(-1)!);
  const failed = failedMatches(run);
  if (last.length === 0 && failed.length === 0) return undefined;
  const standings = standingsTable(all, run);
  const seats = seatsTable(all);
  const pairs = pairsTable(all);
  const styles = agentStyles(run);
  return {
    id: "contests",
    heading: "Matches",
    body: [
      failed.map((match) => markup`<p>${noResultText(match)}</p>`),
      last.map((match) => [
        markup`<p>${summary(match)}${timesText(run, match)}${shortagesOf(run, match).map((each) => ` ${each}.`)}</p>`,
        winsFigure(match, standings, styles),
        match.contest.standings.length > 2 ? crossFigure(match, pairs) : undefined,
        ratingsFigure(match, standings, styles),
      ]),
      last.length > 0 && [
        tableMarkup(standingsTable(last, run)),
        tableMarkup(pairsTable(last)),
        tableMarkup(seatsTable(last)),
      ],
    ],
    tables: last.length > 0 ? [standings, pairs, seats] : [],
  };
}

/** Why a match has no result: `No result of duel: gnugo could not continue in any of its 24 games; ...`. */
export function noResultText({ contest, stage }: Match): Markup {
  const failed = contest!.failures.map(
    ({ agent, games, message }) =>
      markup`<i>${agent}</i> could not continue in ${games === 1 ? "its game" : `any of its ${fixed(games, 0)} games`}; the first time: ${message}.`,
  );
  return markup`No result of <i>${stage}</i>: no game was finished. ${failed}`;
}

function summary({ contest, learned, stage, unit }: ContestMatch): string {
  const { disputes = [], distinct, failures, games, players, resignations = [], test } = contest;
  const after = learned > 0 ? ` after ${learnedText({ learned, unit })} learned` : "";
  const repeats =
    distinct < games
      ? `${fixed(distinct, 0)} of them different; intervals treat repeats as new games and are too narrow for them`
      : "all different";
  const said =
    test === undefined
      ? ""
      : ` The sequential test of Elo ${test.elo0} against ${test.elo1} (alpha ${test.alpha}, beta ${test.beta}) ended with a log likelihood ratio of ${fixed(test.ratio, 2)}, bounds ${fixed(test.bounds[0], 2)} and ${fixed(test.bounds[1], 2)}: ${test.verdict === "undecided" ? "undecided" : `${test.verdict} is accepted`}.${test.score === undefined ? "" : " Elo and ratings allow for its end, shares of games do not."}`;
  const failed = failures.map(
    ({ agent, games: count, message }) =>
      ` ${agent} could not continue in ${fixed(count, 0)} ${count === 1 ? "game" : "games"}${contest.standings.some((each) => each.agent === agent && each.wins.games > 0) ? "" : ", and finished none: they do not count"}; the first time: ${message}.`,
  );
  const resigned = resignations.map(
    ({ agent, games: given }) => ` ${agent} resigned ${fixed(given, 0)} ${given === 1 ? "game" : "games"}.`,
  );
  const disputed =
    disputes.length === 0
      ? ""
      : ` Games that do not count, because a player disputes the result: ${disputes.map(({ agent, game, message }) => `${fixed(game, 0)} (${agent} ${message})`).join(", ")}.`;
  return `${stage}: ${fixed(games, 0)} games of ${players} players${after}, ${repeats}.${said}${resigned.join("")}${failed.join("")}${disputed}`;
}

/** For a match of two agents with known times: how many times the processor time of the second one the first one took. */
function timesText(run: RunData, match: ContestMatch): string {
  const [first, second, ...more] = match.contest.standings;
  if (second === undefined || more.length > 0) return "";
  const [own, other] = [first!, second].map(({ agent }) => millisecondsOf(run, match, agent));
  if (!(own! > 0 && other! > 0)) return "";
  return ` A decision of ${first!.agent} took ${readable(own! / other!)} times the processor time of one of ${second.agent} (${readable(own!)} and ${readable(other!)} ms).`;
}

function winsFigure(match: ContestMatch, table: Table, styles: AgentStyles): Markup {
  const standings = rankedStandings(match).toSorted((a, b) => b.wins.value - a.wins.value);
  const fair = new Set(standings.map((standing) => Math.round(1000 * standing.fair) / 1000));
  const title = `Games won: ${match.stage}`;
  return figureMarkup({
    id: `wins-${slug(match.stage)}`,
    title,
    caption: `Share of its games that each agent won, with its 95% confidence interval; several winners share a game, and an agent's seats are added up.${fair.size === 1 ? " The dashed line is the share among equals." : " Agents with more seats at the table win more among equals: the table has the share among equals."}`,
    table,
    chart: {
      kind: "intervals",
      description: "The share of games won by each agent and its 95% confidence interval, the best first.",
      xLabel: "Games won",
      share: true,
      ...(fair.size === 1 ? { reference: [...fair][0]! } : {}),
      rows: standings.map(({ agent, wins }) => ({ label: agent, style: styles(agent), estimate: wins })),
    },
  });
}

function ratingsFigure(match: ContestMatch, table: Table, styles: AgentStyles): Markup {
  const title = `Ratings: ${match.stage}`;
  return figureMarkup({
    id: `ratings-${slug(match.stage)}`,
    title,
    caption:
      "Strength by the model of Bradley and Terry over all pairs of agents that sat at one table (ahead, level or behind), as Elo about the mean of all, with its 95% confidence interval over blocks of games.",
    table,
    chart: {
      kind: "intervals",
      description: "The rating of each agent in Elo and its 95% confidence interval, the best first.",
      xLabel: "Elo",
      reference: 0,
      rows: rankedStandings(match).map(({ agent, rating }) => ({
        label: agent,
        style: styles(agent),
        estimate: rating,
      })),
    },
  });
}

function crossFigure(match: ContestMatch, table: Table): Markup {
  const names = rankedStandings(match).map(({ agent }) => agent);
  const scores = new Map(
    match.contest.pairs.flatMap(({ agent, against, score }) => [
      [JSON.stringify([agent, against]), score.value],
      [JSON.stringify([against, agent]), 1 - score.value],
    ]),
  );
  const title = `Pairwise results: ${match.stage}`;
  return figureMarkup({
    id: `cross-${slug(match.stage)}`,
    title,
    caption:
      "How often the agent of the row was ahead of the agent of the column in the games that both sat in, ties as half: blue above one half, orange below. The data has intervals and the difference in Elo.",
    table,
    chart: {
      kind: "cross-table",
      description: "A row and a column for each agent, with the score of the row against the column.",
      names,
      shares: names.map((row) => names.map((column) => scores.get(JSON.stringify([row, column])) ?? NaN)),
    },
  });
}
