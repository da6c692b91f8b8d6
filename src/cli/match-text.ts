import type { Contest } from "../events/event.ts";
import { meansTable, pairsTable, standingsTable } from "../report/match-tables.ts";
import type { Match } from "../report/matches.ts";
import { fixedTexts, shortagesOf } from "../report/measured-effort.ts";
import type { RunData } from "../report/run-data.ts";
import { textTable } from "./text-table.ts";

/** The columns of tables of several matches that are the same in all rows of one. */
const OF_MATCH = ["stage", "learned"];

/**
 * The result of a match as plain text: a table of the agents, a table of all pairs of agents that played each other, and what kept
 * games from counting. `run` has the effort of the match, `seats` the names of the seats.
 */
export function matchText(match: Match, seats: readonly string[], run: Pick<RunData, "events">): string {
  const { contest, stage } = match;
  if (contest === undefined)
    return [
      `${stage}: mean scores with 95% intervals`,
      ...textTable(meansTable([match], run), OF_MATCH),
      ...shortagesOf(run, match),
      ...fixedTexts(run, match),
      "",
    ].join("\n");
  const { distinct, games, players } = contest;
  // Repeated games carry no information, but the intervals count them as independent.
  const repeats =
    distinct < games ? ` (${distinct} of them different; repeats make intervals too narrow)` : "";
  return [
    `${stage}: ${games} games of ${players} players${repeats}; games won, and rating in Elo about the mean, with 95% intervals`,
    ...textTable(standingsTable([match], run, seats), OF_MATCH),
    ...shortagesOf(run, match),
    ...fixedTexts(run, match),
    ...(games === 0
      ? []
      : [
          "",
          "Score against each other, ties as half, and the difference in Elo",
          ...textTable(pairsTable([{ ...match, contest }]), OF_MATCH),
        ]),
    ...resignations(contest),
    ...failures(contest),
    ...disputes(contest),
    ...test(contest),
    "",
  ].join("\n");
}

function resignations({ resignations: all = [] }: Contest): string[] {
  return all.map(({ agent, games }) => `${agent} resigned ${games} ${games === 1 ? "game" : "games"}`);
}

function failures({ failures: all, standings }: Contest): string[] {
  return all.map(
    ({ agent, games, message }) =>
      `${agent} could not continue in ${games} games${standings.some((each) => each.agent === agent && each.wins.games > 0) ? "" : ". It finished none, so they do not count"}; the first time: ${message}`,
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
