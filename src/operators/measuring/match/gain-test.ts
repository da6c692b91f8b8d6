import type { GainTested } from "../../../events/event.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import { scoreOfElo } from "../../../stats/elo.ts";
import {
  logLikelihoodRatio,
  sequentialBounds,
  type SequentialTest,
  sequentialVerdict,
} from "../../../stats/sequential-test.ts";
import { participantName } from "../../experiment/participant.ts";
import type { ArenaSchedule } from "./arena-schedule.ts";
import { ranksOf, scoresOf } from "./contest.ts";
import type { UntilSettings } from "./until-settings.ts";

/** The games of the newest version against the earlier one in a block of games: the sum of its scores, and their number. */
interface BlockScore {
  sum: number;
  games: number;
}

/**
 * The sequential test whether an agent still gains: the newest version in each round against its self of some rounds before.
 *
 * Its samples are whole blocks of a round, as in a sequential match: the newest version's mean score against the earlier one. The
 * samples of all rounds follow each other. When the test decides for a gain, it starts again. It is judged after whole rounds only,
 * from all games in the order of their numbers, so a resumed run decides as the run would have.
 */
export class GainTest {
  readonly #settings: UntilSettings;
  readonly #schedule: ArenaSchedule;
  readonly #test: SequentialTest;
  /** By round, by number of the block in it. */
  readonly #rounds = new Map<number, Map<number, BlockScore>>();

  constructor(settings: UntilSettings, schedule: ArenaSchedule) {
    this.#settings = settings;
    this.#schedule = schedule;
    const { gain, alpha, beta } = settings;
    this.#test = { score0: 0.5, score1: scoreOfElo(gain), alpha, beta };
  }

  /** Counts a game whose result counts. */
  add({ game, ...played }: Pick<StoredGame, "game" | "seats" | "returns" | "failure">): void {
    const { perRound } = this.#schedule;
    const round = Math.floor(game / perRound);
    const earlier = this.#schedule.earlier!;
    const before = round - this.#settings.versions;
    if (before < 0) return;
    const names = [...new Set(played.seats)];
    const newest = names.indexOf(earlier.agent);
    const old = names.indexOf(participantName({ agent: earlier.agent, version: earlier.version(before) }));
    if (newest < 0 || old < 0) return;
    const n = names.length;
    const seats = played.seats.map((name) => names.indexOf(name));
    const scores = scoresOf(seats, ranksOf(played), n);
    const own = scores[newest * n + old]!;
    const theirs = scores[old * n + newest]!;
    const length = this.#schedule.blockLength(round);
    const block = Math.floor((game % perRound) / length);
    // In the rest of a round the seats are not balanced.
    if ((block + 1) * length > perRound) return;
    const blocks = this.#rounds.get(round) ?? new Map<number, BlockScore>();
    this.#rounds.set(round, blocks);
    const score = blocks.get(block) ?? { sum: 0, games: 0 };
    blocks.set(block, score);
    score.sum += own / (own + theirs);
    score.games++;
  }

  /** The test after a round, all of whose games are counted. It stays as it is once it has decided that nothing is gained. */
  after(round: number): GainTested {
    let outcomes = new Map<number, number>();
    let games = 0;
    let tested: GainTested = this.#tested(0, 0);
    for (let each = 0; each <= round && tested.verdict !== "no gain"; each++) {
      if (tested.verdict === "gain") [outcomes, games] = [new Map(), 0];
      for (const [, score] of [...(this.#rounds.get(each) ?? [])].toSorted(([a], [b]) => a - b)) {
        const mean = score.sum / score.games;
        outcomes.set(mean, (outcomes.get(mean) ?? 0) + 1);
        games += score.games;
      }
      tested = this.#tested(games, logLikelihoodRatio(outcomes, this.#test));
    }
    return tested;
  }

  #tested(games: number, ratio: number): GainTested {
    const verdict = sequentialVerdict(ratio, this.#test);
    return {
      ...this.#settings,
      games,
      ratio,
      bounds: sequentialBounds(this.#test),
      verdict: verdict === "score0" ? "no gain" : verdict === "score1" ? "gain" : "undecided",
    };
  }
}
