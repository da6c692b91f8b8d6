import type { Contest, ShareOfGames, Standing } from "../../../events/event.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import { eloEstimate, eloOfLogOdds } from "../../../stats/elo.ts";
import type { Estimate } from "../../../stats/intervals.ts";
import { type PairResult, ratedPlayers } from "../../../stats/rated-players.ts";
import { ShareTally } from "../../../stats/share-tally.ts";

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
  /** By agent: its win shares. */
  readonly #wins: readonly ShareTally[];
  readonly #fair: Float64Array;
  /** By agent, by seat. */
  readonly #bySeat: readonly (readonly ShareTally[])[];
  readonly #seats: readonly ShareTally[];
  /** By two agents, in the order of the agents. */
  readonly #pairs = new Map<
    string,
    { readonly agents: readonly [number, number]; readonly score: ShareTally }
  >();
  /** By block of games and two agents. */
  readonly #results = new Map<string, PairResult>();
  /** The scores of every two agents in the last game, row-major [agents, agents]; NaN if they were not opponents. */
  #last: Float64Array = new Float64Array(0);
  readonly #sequences = new Set<string>();
  /** By the number of seats of each agent: games, and shares won by each agent. */
  readonly #lineups = new Map<
    string,
    { readonly held: readonly number[]; readonly wins: readonly ShareTally[] }
  >();
  #games = 0;

  constructor(agents: readonly string[], players: number) {
    this.#agents = agents;
    this.#players = players;
    this.#wins = agents.map(() => new ShareTally());
    this.#fair = new Float64Array(agents.length);
    this.#bySeat = agents.map(() => tallies(players));
    this.#seats = tallies(players);
  }

  /** Games counted so far. */
  get games(): number {
    return this.#games;
  }

  /** Counts one game; `block` has the number of the games that depend on each other, such as those of one opening. */
  add(game: Pick<StoredGame, "seats" | "returns" | "actions" | "failure">, block: number): void {
    const seats = game.seats.map((agent) => this.#agents.indexOf(agent));
    const ranks = ranksOf(game);
    const best = Math.max(...ranks);
    const winners = ranks.filter((rank) => rank === best).length;
    const { held, wins } = this.#lineup(seats);
    for (const agent of new Set(seats)) {
      let won = 0;
      for (const [seat, other] of seats.entries())
        if (other === agent && ranks[seat] === best) won += 1 / winners;
      this.#wins[agent]!.add(block, won);
      wins[agent]!.add(block, won);
      this.#fair[agent]! += held[agent]! / this.#players;
    }
    for (const [seat, agent] of seats.entries()) {
      const won = ranks[seat] === best ? 1 / winners : 0;
      this.#bySeat[agent]![seat]!.add(block, won);
      this.#seats[seat]!.add(block, won);
    }
    this.#addPairs(scoresOf(seats, ranks, this.#agents.length), block);
    this.#sequences.add(game.actions.join(" "));
    this.#games++;
  }

  /** The score of agent a against agent b in the last counted game; NaN if they were not opponents. */
  lastScore(a: number, b: number): number {
    const n = this.#agents.length;
    const own = this.#last[a * n + b]!;
    const theirs = this.#last[b * n + a]!;
    return own / (own + theirs);
  }

  /** The win share of an agent so far. */
  wins(agent: number): ShareOfGames {
    return shareOf(this.#wins[agent]!);
  }

  /** The whole result. The caller adds failures, disputes, resignations and a sequential test. */
  get contest(): Omit<Contest, "failures" | "disputes" | "resignations" | "test"> {
    const ratings = this.#ratings();
    return {
      players: this.#players,
      games: this.games,
      distinct: this.#sequences.size,
      standings: this.#agents.map((agent, i): Standing => ({
        agent,
        wins: this.wins(i),
        fair: this.#wins[i]!.games > 0 ? this.#fair[i]! / this.#wins[i]!.games : 0,
        rating: ratings[i]!,
        bySeat: this.#bySeat[i]!.map(shareOf),
      })),
      pairs: [...this.#pairs.values()]
        .toSorted(({ agents: [a, b] }, { agents: [c, d] }) => a - c || b - d)
        .map(({ agents: [a, b], score }) => {
          const share = shareOf(score);
          return {
            agent: this.#agents[a]!,
            against: this.#agents[b]!,
            score: share,
            elo: eloEstimate(share),
          };
        }),
      seats: this.#seats.map(shareOf),
      lineups: [...this.#lineups.values()].map(({ held, wins }) => ({
        games: Math.max(...wins.map(({ games }) => games)),
        agents: this.#agents.flatMap((agent, i) =>
          held[i] === 0 ? [] : [{ agent, seats: held[i]!, wins: shareOf(wins[i]!) }],
        ),
      })),
    };
  }

  #lineup(seats: readonly number[]) {
    const held = this.#agents.map((_, agent) => seats.filter((other) => other === agent).length);
    const key = held.join(" ");
    let lineup = this.#lineups.get(key);
    if (lineup === undefined)
      this.#lineups.set(key, (lineup = { held, wins: this.#agents.map(() => new ShareTally()) }));
    return lineup;
  }

  #addPairs(scores: Float64Array, block: number): void {
    this.#last = scores;
    const n = this.#agents.length;
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++) {
        const own = scores[a * n + b]!;
        const theirs = scores[b * n + a]!;
        if (own + theirs === 0) continue;
        const pair = this.#pairs.get(`${a} ${b}`) ?? { agents: [a, b] as const, score: new ShareTally() };
        this.#pairs.set(`${a} ${b}`, pair);
        pair.score.add(block, own);
        const key = `${block} ${a} ${b}`;
        const before = this.#results.get(key) ?? { players: pair.agents, score: 0, games: 0, block };
        this.#results.set(key, { ...before, score: before.score + own, games: before.games + 1 });
      }
  }

  /** Ratings relative to their mean. */
  #ratings(): Estimate[] {
    return ratedPlayers(this.#agents.length, [...this.#results.values()], "mean").map((rated) =>
      rated === undefined ? { value: 0, interval: [-Infinity, Infinity] } : eloOfLogOdds(rated),
    );
  }
}

function tallies(count: number): ShareTally[] {
  return Array.from({ length: count }, () => new ShareTally());
}

function shareOf(tally: ShareTally): ShareOfGames {
  const { games } = tally;
  return games === 0 ? { games, value: 0, interval: [0, 1] } : { games, ...tally.estimate };
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
