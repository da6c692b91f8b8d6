import type { Contest, PairScore, ShareOfGames, Standing } from "../../events/event.ts";
import type { StoredGame } from "../../formats/game-records.ts";
import type { Random } from "../../random.ts";
import { bootstrapIntervals } from "../../stats/bootstrap.ts";
import { bradleyTerry } from "../../stats/bradley-terry.ts";
import { ELO_PER_LOG_ODDS, eloEstimate } from "../../stats/elo.ts";
import { type Estimate, proportionEstimate, tidySum } from "../../stats/intervals.ts";
import { type PairResult, ratedPlayers } from "../../stats/rated-players.ts";

/** Virtual draws of each agent against an average agent, so that an agent that wins all games has a finite rating. */
const PRIOR = 1;

/**
 * Counts a match in a game of several players, game by game.
 *
 * The seats with the greatest return share the win equally. If a player could not continue, the game is a forfeit: the
 * seat that failed is last, and all others share the win. The returns of a forfeited game belong to an unfinished
 * position and are not counted.
 */
export class ContestTally {
  readonly #agents: readonly string[];
  readonly #players: number;
  readonly #shares: Float64Array;
  readonly #fair: Float64Array;
  readonly #games: Float64Array;
  /** Row-major [agents, players]. */
  readonly #seatShares: Float64Array;
  readonly #seatGames: Float64Array;
  /** By game, row-major [agents, agents]: the score of the row's agent against the column's; NaN if they did not meet. */
  readonly #scores: Float64Array[] = [];
  readonly #sequences = new Set<string>();
  /** By the number of seats of each agent: games, and shares won by each agent. */
  readonly #lineups = new Map<
    string,
    { readonly held: readonly number[]; games: number; shares: Float64Array }
  >();

  constructor(agents: readonly string[], players: number) {
    this.#agents = agents;
    this.#players = players;
    this.#shares = new Float64Array(agents.length);
    this.#fair = new Float64Array(agents.length);
    this.#games = new Float64Array(agents.length);
    this.#seatShares = new Float64Array(agents.length * players);
    this.#seatGames = new Float64Array(agents.length * players);
  }

  /** Games counted so far. */
  get games(): number {
    return this.#scores.length;
  }

  /** Counts one game. */
  add(game: Pick<StoredGame, "seats" | "returns" | "actions" | "failure">): void {
    const seats = game.seats.map((agent) => this.#agents.indexOf(agent));
    const ranks = ranksOf(game);
    const best = Math.max(...ranks);
    const winners = ranks.filter((rank) => rank === best).length;
    for (const agent of new Set(seats)) this.#games[agent]!++;
    const lineup = this.#lineup(seats);
    lineup.games++;
    for (const [seat, agent] of seats.entries()) {
      const share = ranks[seat] === best ? 1 / winners : 0;
      this.#shares[agent]! += share;
      lineup.shares[agent]! += share;
      this.#fair[agent]! += 1 / this.#players;
      this.#seatShares[agent * this.#players + seat]! += share;
      this.#seatGames[agent * this.#players + seat]!++;
    }
    this.#scores.push(scoresOf(seats, ranks, this.#agents.length));
    this.#sequences.add(game.actions.join(" "));
  }

  /** The score of agent a against agent b in the last counted game; NaN if they did not meet. */
  lastScore(a: number, b: number): number {
    const n = this.#agents.length;
    const scores = this.#scores.at(-1)!;
    const own = scores[a * n + b]!;
    const theirs = scores[b * n + a]!;
    return own / (own + theirs);
  }

  /** The win share of an agent so far. */
  wins(agent: number): ShareOfGames {
    return share(this.#shares[agent]!, this.#games[agent]!);
  }

  /** The whole result. `random` is for the bootstrap. The caller adds failures, disputes, resignations and a sequential test. */
  contest(random: Random): Omit<Contest, "failures" | "disputes" | "resignations" | "test"> {
    const players = this.#players;
    const ratings = this.#ratings(random);
    const bySeat = (seat: number, counts: Float64Array) =>
      this.#agents.reduce((sum, _, agent) => sum + counts[agent * players + seat]!, 0);
    return {
      players,
      games: this.games,
      distinct: this.#sequences.size,
      standings: this.#agents.map((agent, i): Standing => ({
        agent,
        wins: this.wins(i),
        fair: this.#games[i]! > 0 ? this.#fair[i]! / this.#games[i]! : 0,
        rating: ratings[i]!,
        bySeat: Array.from({ length: players }, (_, seat) =>
          share(this.#seatShares[i * players + seat]!, this.#seatGames[i * players + seat]!),
        ),
      })),
      pairs: this.#pairs(),
      seats: Array.from({ length: players }, (_, seat) =>
        share(bySeat(seat, this.#seatShares), bySeat(seat, this.#seatGames)),
      ),
      lineups: [...this.#lineups.values()].map(({ games, held, shares }) => ({
        games,
        agents: this.#agents.flatMap((agent, i) =>
          held[i] === 0 ? [] : [{ agent, seats: held[i]!, wins: share(shares[i]!, games) }],
        ),
      })),
    };
  }

  #lineup(seats: readonly number[]) {
    const held = this.#agents.map((_, agent) => seats.filter((other) => other === agent).length);
    const key = held.join(" ");
    let lineup = this.#lineups.get(key);
    if (lineup === undefined) {
      lineup = { held, games: 0, shares: new Float64Array(held.length) };
      this.#lineups.set(key, lineup);
    }
    return lineup;
  }

  #pairs(): PairScore[] {
    const n = this.#agents.length;
    const pairs: PairScore[] = [];
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++) {
        let scored = 0;
        let games = 0;
        for (const scores of this.#scores) {
          scored += scores[a * n + b]!;
          games += scores[a * n + b]! + scores[b * n + a]!;
        }
        games = Math.round(games);
        if (games === 0) continue;
        const score = share(scored, games);
        pairs.push({ agent: this.#agents[a]!, against: this.#agents[b]!, score, elo: eloEstimate(score) });
      }
    return pairs;
  }

  /**
   * Ratings relative to their mean, with percentile intervals from a bootstrap over games. Where all games of an agent
   * against each other one ended alike, resampling them changes nothing: the interval then has the width that follows from
   * the Fisher information.
   */
  #ratings(random: Random): Standing["rating"][] {
    const n = this.#agents.length;
    const sum = new Float64Array(n * n);
    const over = (games: Iterable<number>) => {
      sum.fill(0);
      for (const game of games) {
        const scores = this.#scores[game]!;
        for (let i = 0; i < sum.length; i++) sum[i]! += scores[i]!;
      }
      return sum;
    };
    if (this.games === 0) return this.#agents.map(() => ({ value: 0, interval: [-Infinity, Infinity] }));
    const logs = bradleyTerry(over(this.#scores.keys()), n, PRIOR);
    const intervals = bootstrapIntervals(
      this.games,
      (draws) => bradleyTerry(over(draws), n, PRIOR, logs),
      random,
    );
    const rated = ratedPlayers(n, this.#pairResults(), "mean");
    return Array.from(logs, (log, i) => {
      const [low, high] = this.#alike(i) ? around(log, rated[i]) : intervals[i]!;
      return { value: ELO_PER_LOG_ODDS * log, interval: [ELO_PER_LOG_ODDS * low, ELO_PER_LOG_ODDS * high] };
    });
  }

  /** The results of every two agents that have played each other. */
  #pairResults(): PairResult[] {
    const n = this.#agents.length;
    return this.#pairs().map(({ agent, against, score: { games, value } }) => ({
      players: [this.#agents.indexOf(agent), this.#agents.indexOf(against)],
      score: pairWeight(Math.min(n, this.#players)) * games * value,
      games: pairWeight(Math.min(n, this.#players)) * games,
    }));
  }

  /** Whether all games of an agent against each other one ended alike. */
  #alike(agent: number): boolean {
    const n = this.#agents.length;
    return this.#agents.every((_, other) => {
      const scores = new Set(
        this.#scores.flatMap((each) => {
          const own = each[agent * n + other]!;
          const theirs = each[other * n + agent]!;
          return own + theirs > 0 ? [own / (own + theirs)] : [];
        }),
      );
      return scores.size <= 1;
    });
  }
}

/**
 * How many independent games a pair at a table of `participants` counts for. Pairs at one table depend on each other: among
 * equals, the sum of a participant's scores against the others has (participants + 1) / 3 times the variance that it would
 * have if they did not.
 */
export function pairWeight(participants: number): number {
  return 3 / (participants + 1);
}

/** An interval around a value that is as wide as that of an estimate. */
function around(value: number, estimate: Estimate | undefined): readonly [number, number] {
  if (estimate === undefined) return [-Infinity, Infinity];
  const half = (estimate.interval[1] - estimate.interval[0]) / 2;
  return [value - half, value + half];
}

/** Greater is better; equal ranks share. */
export function ranksOf({ returns, failure }: Pick<StoredGame, "returns" | "failure">): readonly number[] {
  return failure === undefined ? returns : returns.map((_, seat) => (seat === failure.seat ? 0 : 1));
}

/** The scores of each agent against each other agent: the mean over their pairs of seats. Two scores of a pair sum to 1. */
export function scoresOf(seats: readonly number[], ranks: readonly number[], agents: number): Float64Array {
  const scores = new Float64Array(agents * agents);
  const held = new Float64Array(agents);
  for (const agent of seats) held[agent]!++;
  for (const [i, a] of seats.entries())
    for (const [j, b] of seats.entries()) {
      if (a === b) continue;
      const score = ranks[i]! > ranks[j]! ? 1 : ranks[i] === ranks[j] ? 0.5 : 0;
      scores[a * agents + b]! += score / (held[a]! * held[b]!);
    }
  return scores;
}

function share(won: number, games: number): ShareOfGames {
  if (games === 0) return { games, value: 0, interval: [0, 1] };
  return { games, ...proportionEstimate(Math.min(tidySum(won), games), games) };
}
