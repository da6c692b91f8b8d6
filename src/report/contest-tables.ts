import type { Contest } from "../events/event.ts";
import { finiteOrNull } from "../formats/finite-or-null.ts";
import type { Column, Table } from "../formats/table.ts";
import { eloEstimate } from "../stats/elo.ts";
import type { Match } from "./matches.ts";
import { limitColumns, limitOf, millisecondsOf } from "./measured-effort.ts";
import type { RunData } from "./run-data.ts";

/** A match of several players. */
export type ContestMatch = Match & { readonly contest: Contest };

const interval = (value: string): Column[] =>
  [value, `${value} low`, `${value} high`].map((name) => ({ name, type: "number" }));

const sharesOf = (value: string): Column[] => interval(value).map((column) => ({ ...column, share: true }));

const where: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "learned", type: "integer" },
];

/** Each agent's share of games won, its rating and its processor time a decision, in every match given. */
export function standingsTable(matches: readonly Match[], run: Pick<RunData, "events">): Table {
  const limits = limitColumns(run, matches);
  return {
    name: "contest-standings",
    title:
      "Share of games won (ties shared, seats added up) and rating in Elo about the mean, with 95% intervals; fair is the share among equals; milliseconds of processor time a decision",
    columns: [
      ...where,
      { name: "agent", type: "text" },
      { name: "games", type: "integer" },
      ...sharesOf("won"),
      { name: "fair", type: "number", share: true },
      ...interval("rating"),
      { name: "ms a move", type: "number" },
      ...limits,
    ],
    rows: matches.flatMap((match) =>
      (match.contest?.standings ?? [])
        .filter(({ wins }) => wins.games > 0)
        .map(({ agent, fair, rating, wins }) => [
          match.stage,
          match.learned,
          agent,
          wins.games,
          wins.value,
          ...wins.interval,
          fair,
          finiteOrNull(rating.value),
          ...rating.interval.map(finiteOrNull),
          finiteOrNull(millisecondsOf(run, match, agent)),
          ...limits.map(() => limitOf(run, match, agent)),
        ]),
    ),
  };
}

/** Each agent's share of games won by the seat it sat in, and everyone's. */
export function seatsTable(matches: readonly ContestMatch[]): Table {
  return {
    name: "contest-seats",
    title: "Share of games won by seat, with its 95% interval; the row all is for every agent in the seat",
    columns: [
      ...where,
      { name: "agent", type: "text" },
      { name: "seat", type: "integer" },
      { name: "games", type: "integer" },
      ...sharesOf("won"),
    ],
    rows: matches.flatMap(({ contest, learned, stage }) =>
      [{ agent: "all", bySeat: contest.seats }, ...contest.standings].flatMap(({ agent, bySeat }) =>
        bySeat.flatMap(({ games, interval: bounds, value }, seat) =>
          games === 0 ? [] : [[stage, learned, agent, seat + 1, games, value, ...bounds]],
        ),
      ),
    ),
  };
}

/** The score of every two agents against each other. */
export function pairsTable(matches: readonly ContestMatch[]): Table {
  return {
    name: "contest-pairs",
    title: "Score of one agent against another (ties as half) and the difference in Elo, with 95% intervals",
    columns: [
      ...where,
      { name: "agent", type: "text" },
      { name: "against", type: "text" },
      { name: "games", type: "integer" },
      ...sharesOf("score"),
      ...interval("elo"),
    ],
    rows: matches.flatMap(({ contest, learned, stage }) =>
      contest.pairs.map(({ agent, against, score }) => {
        // From the score: the file of events has no infinities.
        const elo = eloEstimate(score);
        return [
          stage,
          learned,
          agent,
          against,
          score.games,
          score.value,
          ...score.interval,
          finiteOrNull(elo.value),
          ...elo.interval.map(finiteOrNull),
        ];
      }),
    ),
  };
}
