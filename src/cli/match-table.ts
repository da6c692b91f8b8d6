import type { Contest, MatchEffort, MatchResult, ShareOfGames } from "../events/event.ts";
import { limitText, millisecondsADecision, shortageText } from "../events/match-effort.ts";
import { eloEstimate } from "../stats/elo.ts";
import { aligned } from "./aligned.ts";
import { numberText } from "./progress/stage-line.ts";

/**
 * The result of a match as plain text: a table of the agents and, for agents that met each other, a table of all pairs. `effort`
 * has the processor time of the match, `seats` the names of the seats.
 */
export function matchTable(
  { agents, contest, stage }: MatchResult,
  seats: readonly string[],
  effort?: MatchEffort,
): string {
  if (contest === undefined)
    return [
      `${stage}: mean scores with 95% intervals`,
      ...aligned([
        ["agent", "games", "mean", "interval", ...limitHeads(effort), "ms a move"],
        ...agents.map(({ agent, games, mean, interval }) => [
          agent,
          String(games),
          score(mean),
          `[${score(interval[0])}, ${score(interval[1])}]`,
          ...limitCells(agent, effort),
          time(agent, effort),
        ]),
      ]),
      ...shortages(effort),
      "",
    ].join("\n");
  const { distinct, games, players } = contest;
  // Repeated games carry no information, but the intervals count them as independent.
  const repeats =
    distinct < games ? ` (${distinct} of them different; repeats make intervals too narrow)` : "";
  return [
    `${stage}: ${games} games of ${players} players${repeats}; games won, and Elo about the mean, with 95% intervals`,
    ...standings(contest, seats, effort),
    ...shortages(effort),
    ...(games === 0
      ? []
      : ["", "Score against each other, ties as half, and the difference in Elo", ...pairs(contest)]),
    ...resignations(contest),
    ...failures(contest),
    ...disputes(contest),
    ...test(contest),
    "",
  ].join("\n");
}

function standings(
  { standings: agents }: Contest,
  seats: readonly string[],
  effort: MatchEffort | undefined,
): string[] {
  return aligned([
    [
      "agent",
      "games",
      "won",
      "interval",
      "of equals",
      "Elo",
      "interval",
      ...seats,
      ...limitHeads(effort),
      "ms a move",
    ],
    ...agents
      .toSorted((a, b) => b.rating.value - a.rating.value)
      .map(({ agent, bySeat, fair, rating, wins }) => [
        agent,
        String(wins.games),
        ...(wins.games === 0
          ? ["-", "-", "-", "-", "-"]
          : [
              percent(wins.value),
              range(wins.interval, percent),
              percent(fair),
              elo(rating.value),
              range(rating.interval, elo),
            ]),
        ...bySeat.map((share) => (share.games === 0 ? "-" : percent(share.value))),
        ...limitCells(agent, effort),
        time(agent, effort),
      ]),
  ]);
}

function pairs({ pairs: all }: Contest): string[] {
  return aligned([
    ["agent", "against", "games", "score", "interval", "Elo", "interval"],
    ...all.map(({ agent, against, score: share }) => {
      // Computed from the score, because events as JSON cannot hold infinite values.
      const { interval, value } = eloEstimate(share);
      return [agent, against, ...shareCells(share), elo(value), range(interval, elo)];
    }),
  ]);
}

function shareCells({ games, interval, value }: ShareOfGames): string[] {
  return [String(games), percent(value), range(interval, percent)];
}

function resignations({ resignations: all = [] }: Contest): string[] {
  return all.map(({ agent, games }) => `${agent} resigned ${games} ${games === 1 ? "game" : "games"}`);
}

function failures({ failures: all, standings }: Contest): string[] {
  return all.map(
    ({ agent, games, message }) =>
      `${agent} could not go on in ${games} games${standings.some((each) => each.agent === agent && each.wins.games > 0) ? "" : ". It finished none, so they do not count"}; the first time: ${message}`,
  );
}

function disputes({ disputes: all = [] }: Contest): string[] {
  if (all.length === 0) return [];
  return [
    `${all.length} ${all.length === 1 ? "game does" : "games do"} not count, because a player disputes the result:`,
    ...all.map(({ agent, game, message }) => `  game ${game}: ${agent} ${message}`),
  ];
}

function test({ test: sequential }: Contest): string[] {
  if (sequential === undefined) return [];
  const { bounds, elo0, elo1, ratio, verdict } = sequential;
  const said =
    verdict === "undecided" ? "undecided" : `${verdict} (${verdict === "elo0" ? elo0 : elo1}) accepted`;
  return [
    `Sequential test of Elo ${elo0} against ${elo1}: log likelihood ratio ${ratio.toFixed(2)} in [${bounds[0].toFixed(2)}, ${bounds[1].toFixed(2)}]: ${said}`,
  ];
}

/** Milliseconds of processor time that a decision of an agent took, to three digits. */
function time(agent: string, effort: MatchEffort | undefined): string {
  const own = effort?.agents.find((each) => each.agent === agent);
  const milliseconds = own === undefined ? NaN : millisecondsADecision(own);
  if (!Number.isFinite(milliseconds)) return "-";
  return milliseconds.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

/** The column of time limits, if they have ended decisions. */
function limitHeads(effort: MatchEffort | undefined): string[] {
  return effort?.agents.some(({ limited }) => limited !== undefined) === true ? ["time limit"] : [];
}

function limitCells(agent: string, effort: MatchEffort | undefined): string[] {
  const own = effort?.agents.find((each) => each.agent === agent);
  return limitHeads(effort).map(() => (own === undefined ? undefined : limitText(own)) ?? "-");
}

function shortages(effort: MatchEffort | undefined): string[] {
  return (effort?.agents ?? []).flatMap((each) => shortageText(each) ?? []);
}

function range([low, high]: readonly [number, number], text: (value: number) => string): string {
  return `[${text(low)}, ${text(high)}]`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function elo(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "+inf" : value < 0 ? "-inf" : "-";
  return `${value >= 0 ? "+" : ""}${value.toFixed(0)}`;
}

function score(value: number): string {
  return Number.isFinite(value) ? numberText(value) : "-";
}
