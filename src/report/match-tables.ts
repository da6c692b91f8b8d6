import type { AgentResult, Contest, PairScore, ShareOfGames, Standing } from "../events/event.ts";
import { column, type ColumnOf, type Table, tabulated } from "../formats/table.ts";
import { eloEstimate } from "../stats/elo.ts";
import { type Match, ranked } from "./matches.ts";
import { limitColumns, millisecondsOf, partColumns } from "./measured-effort.ts";
import type { RunData } from "./run-data.ts";

/** A match of several players. */
export type ContestMatch = Match & { readonly contest: Contest };

type Events = Pick<RunData, "events">;

/** Something of an agent in a match. */
type InMatch<T> = T & { readonly match: Match; readonly agent: string };

const where: readonly ColumnOf<{ readonly match: Match }>[] = [
  column.text("stage", ({ match }) => match.stage),
  column.integer("learned", ({ match }) => match.learned),
];

const elo = { digits: 0, signed: true } as const;

/** The processor time of agents in matches, and the time limits that have ended their decisions. */
function effortColumns(run: Events, matches: readonly Match[]): ColumnOf<InMatch<unknown>>[] {
  return [
    column.number("ms a move", ({ agent, match }) => millisecondsOf(run, match, agent)),
    ...partColumns(run, matches),
    ...limitColumns(run, matches),
  ];
}

/**
 * Each agent's share of games won, its rating and its processor time a decision, in every match given, the best of a match first.
 * With the names of seats, a column for each has the agent's share there: their number depends on the game, so files are
 * without them.
 */
export function standingsTable(matches: readonly Match[], run: Events, seats: readonly string[] = []): Table {
  return {
    name: "contest-standings",
    title:
      "Share of games won (ties shared, seats added up) and rating in Elo about the mean, with 95% intervals; fair is the share among equals; milliseconds of processor time a decision",
    ...tabulated<InMatch<Standing>>(
      matches.flatMap((match) => rankedStandings(match).map((standing) => ({ ...standing, match }))),
      [
        where,
        column.text("agent", ({ agent }) => agent),
        column.integer("games", ({ wins }) => wins.games),
        column.estimate("won", ({ wins }) => wins, { share: true }),
        column.number("fair", ({ fair }) => fair, { share: true, head: "of equals" }),
        column.estimate("rating", ({ rating }) => rating, { ...elo, head: "Elo" }),
        seats.map((name, seat) =>
          column.number<InMatch<Standing>>(name, ({ bySeat }) => shareOf(bySeat[seat]!), { share: true }),
        ),
        effortColumns(run, matches),
      ],
    ),
  };
}

function shareOf({ games, value }: ShareOfGames): number | null {
  return games === 0 ? null : value;
}

/** The agents that played, the best first. */
export function rankedStandings({ contest }: Pick<Match, "contest">): Standing[] {
  return (contest?.standings ?? [])
    .filter(({ wins }) => wins.games > 0)
    .toSorted((a, b) => b.rating.value - a.rating.value);
}

/** Each agent's share of games won by the seat it sat in, and everyone's. */
export function seatsTable(matches: readonly ContestMatch[]): Table {
  return {
    name: "contest-seats",
    title: "Share of games won by seat, with its 95% interval; the row all is for every agent in the seat",
    ...tabulated<InMatch<ShareOfGames & { readonly seat: number }>>(
      matches.flatMap((match) =>
        [{ agent: "all", bySeat: match.contest.seats }, ...match.contest.standings].flatMap(
          ({ agent, bySeat }) =>
            bySeat
              .map((share, i) => ({ ...share, agent, match, seat: i + 1 }))
              .filter(({ games }) => games > 0),
        ),
      ),
      [
        where,
        column.text("agent", ({ agent }) => agent),
        column.integer("seat", ({ seat }) => seat),
        column.integer("games", ({ games }) => games),
        column.estimate("won", (share) => share, { share: true }),
      ],
    ),
  };
}

/** The score of every two agents against each other. */
export function pairsTable(matches: readonly ContestMatch[]): Table {
  return {
    name: "contest-pairs",
    title: "Score of one agent against another (ties as half) and the difference in Elo, with 95% intervals",
    ...tabulated<InMatch<PairScore>>(
      matches.flatMap((match) => match.contest.pairs.map((pair) => ({ ...pair, match }))),
      [
        where,
        column.text("agent", ({ agent }) => agent),
        column.text("against", ({ against }) => against),
        column.integer("games", ({ score }) => score.games),
        column.estimate("score", ({ score }) => score, { share: true }),
        // From the score: the file of events has no infinities.
        column.estimate("elo", ({ match, score }) => eloEstimate(match.contest?.test?.score ?? score), {
          ...elo,
          head: "Elo",
        }),
      ],
    ),
  };
}

/** The mean score of each agent and its processor time a decision in matches, the best of a match first. */
export function meansTable(matches: readonly Match[], run: Events): Table {
  return {
    name: "last-match",
    title:
      "The last match of each stage: mean score of each agent with its 95% interval; milliseconds of processor time a decision",
    ...tabulated<InMatch<AgentResult>>(
      matches.flatMap((match) => ranked(match).map((result) => ({ ...result, match }))),
      [
        column.text("stage", ({ match }) => match.stage),
        column.text("agent", ({ agent }) => agent),
        column.integer("games", ({ games }) => games),
        column.estimate("mean", ({ interval, mean: value }) => ({ value, interval }), {
          ends: ["low", "high"],
        }),
        effortColumns(run, matches),
      ],
    ),
  };
}
