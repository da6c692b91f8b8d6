import type { RatedParticipant, RatedVersion, VersionRatings } from "../../../events/event.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import { eloOfLogOdds } from "../../../stats/elo.ts";
import { type PairResult, ratedPlayers } from "../../../stats/rated-players.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import { participantName, participantNamed } from "../../experiment/participant.ts";
import { ranksOf, scoresOf } from "./contest.ts";
import type { EarlierSelves } from "./earlier-selves.ts";

/** The games of one round, as far as ratings need them. */
interface RoundResults {
  /** By block of games and two names, the smaller first: the score of the first one, and the number of games. */
  readonly pairs: Map<
    string,
    { readonly names: readonly [string, string]; readonly block: number; score: number; games: number }
  >;
  /** By name: the number of games. */
  readonly games: Map<string, number>;
  /** The amount of learning before the round. */
  readonly learned: number;
}

/**
 * Rates the versions of an agent that plays its earlier selves, by the games of all rounds together.
 *
 * Agents with the net that is learned are another player in every round; agents without it are the same player
 * throughout.
 */
export class RatingsOverVersions {
  readonly #earlier: EarlierSelves;
  readonly #agents: OpenExperiment["experiment"]["agents"];
  readonly #rounds = new Map<number, RoundResults>();

  constructor(earlier: EarlierSelves, { experiment }: OpenExperiment) {
    this.#earlier = earlier;
    this.#agents = experiment.agents;
  }

  /** Counts a game of a round; `block` has the number, within all rounds, of the games that depend on each other. */
  add(
    round: number,
    block: number,
    game: Pick<StoredGame, "seats" | "returns" | "failure" | "generation">,
  ): void {
    const names = [...new Set(game.seats)].toSorted();
    const n = names.length;
    const results = this.#rounds.get(round) ?? {
      pairs: new Map(),
      games: new Map(),
      learned: game.generation,
    };
    this.#rounds.set(round, results);
    const scores = scoresOf(
      game.seats.map((name) => names.indexOf(name)),
      ranksOf(game),
      n,
    );
    for (const [i, name] of names.entries()) {
      results.games.set(name, (results.games.get(name) ?? 0) + 1);
      for (let j = i + 1; j < n; j++) {
        const other = names[j]!;
        const key = `${block} ${name} ${other}`;
        const pair = results.pairs.get(key) ?? { names: [name, other] as const, block, score: 0, games: 0 };
        pair.score += scores[i * n + j]!;
        pair.games++;
        results.pairs.set(key, pair);
      }
    }
  }

  /**
   * The ratings by the games of the rounds up to this one, which measures `version`. A player that no games connect with
   * the oldest version is left out.
   */
  upTo(round: number, version: number): Pick<VersionRatings, "agent" | "versions" | "others"> {
    const { agent } = this.#earlier;
    const rounds = [...this.#rounds].filter(([number]) => number <= round).toSorted(([a], [b]) => a - b);
    const games = new Map<string, number>();
    const learned = new Map<number, number>();
    const versionOf = (number: number) => Math.min(this.#earlier.version(number), version);
    const playerOf = (name: string, number: number) => this.#player(name, versionOf(number));
    for (const [number, results] of rounds) {
      learned.set(versionOf(number), results.learned);
      for (const [name, count] of results.games) {
        const player = playerOf(name, number);
        games.set(player, (games.get(player) ?? 0) + count);
      }
    }
    const versions = [...games.keys()]
      .map((name) => participantNamed(name))
      .filter((each) => each.agent === agent)
      .map((each) => each.version!)
      .toSorted((a, b) => a - b);
    const ofVersions = versions.map((each) => participantName({ agent, version: each }));
    const others = [...games.keys()].filter((name) => !ofVersions.includes(name));
    const players = [...ofVersions, ...others];
    const results = rounds.flatMap(([number, { pairs }]) =>
      [...pairs.values()].map(({ names, ...result }): PairResult => ({
        ...result,
        players: [players.indexOf(playerOf(names[0], number)), players.indexOf(playerOf(names[1], number))],
      })),
    );
    const rated = ratedPlayers(players.length, results).map((estimate, i) => {
      if (estimate === undefined) return [];
      const { value: elo, interval } = eloOfLogOdds(estimate);
      return [{ games: games.get(players[i]!)!, elo, interval }];
    });
    return {
      agent,
      versions: versions.flatMap((each, i) =>
        rated[i]!.map((rating): RatedVersion => ({
          version: each,
          learned: learned.get(each) ?? 0,
          ...rating,
        })),
      ),
      others: others.flatMap((name, i) =>
        rated[versions.length + i]!.map((rating): RatedParticipant => ({ participant: name, ...rating })),
      ),
    };
  }

  /** The name of the player that a name in a round with this version denotes. */
  #player(name: string, version: number): string {
    const participant = participantNamed(name);
    if (participant.version !== undefined) return name;
    const net = this.#agents[this.#earlier.agent]!.net!;
    const plays = netNames(this.#agents[participant.agent]!).includes(net);
    return plays ? participantName({ ...participant, version }) : name;
  }
}
