import type { Contest, PairScore, ShareOfGames, Standing } from "../../events/event.ts";
import type { StoredGame } from "../../formats/game-records.ts";
import type { Random } from "../../random.ts";
import { bootstrapIntervals } from "../../stats/bootstrap.ts";
import { bradleyTerry } from "../../stats/bradley-terry.ts";
import { eloEstimate } from "../../stats/elo.ts";
import { proportionEstimate } from "../../stats/intervals.ts";

/** Draws of each agent against an average one, so that a clean sweep has a finite rating. */
const PRIOR = 1;
/** Elo points in a unit of a natural logarithm of odds. */
const ELO = 400 / Math.LN10;

/**
 * Counts a match in a game of several players, game by game.
 *
 * A game is won by the seats with the greatest return, in equal shares. A game that a player could not go on with is
 * counted as a forfeit: the seat that failed is last, and all others share the win. Returns of such games are of
 * unfinished positions and count nowhere.
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
  /** By game, row-major [agents, agents]: what the row scored against the column; nothing where they did not meet. */
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

  /** What agent a scored against agent b in the game counted last; NaN where they did not meet. */
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

  /** Everything. `random` is for the bootstrap; failures and a test are told by whoever plays. */
  contest(random: Random): Omit<Contest, "failures" | "test"> {
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

  /** Ratings about their mean, with the percentile interval over games drawn with replacement. */
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
    return Array.from(logs, (log, i) => ({
      value: ELO * log,
      interval: [ELO * intervals[i]![0], ELO * intervals[i]![1]],
    }));
  }
}

/** Greater is better; equal ranks share. */
function ranksOf({ returns, failure }: Pick<StoredGame, "returns" | "failure">): readonly number[] {
  return failure === undefined ? returns : returns.map((_, seat) => (seat === failure.seat ? 0 : 1));
}

/** What each agent scored against each other, 1 in sum for each two that met: the mean over their pairs of seats. */
function scoresOf(seats: readonly number[], ranks: readonly number[], agents: number): Float64Array {
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
  // Sums of thirds and quarters carry rounding errors, which would make an even score an odd one.
  const half = Math.round(2 * won) / 2;
  const tidy = Math.abs(won - half) < 1e-9 ? half : won;
  return { games, ...proportionEstimate(Math.min(tidy, games), games) };
}
