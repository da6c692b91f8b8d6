import type { Contest } from "../../../events/event.ts";
import { eloEstimate, scoreOfElo } from "../../../stats/elo.ts";
import type { Estimate } from "../../../stats/intervals.ts";
import { sequentialEstimate } from "../../../stats/sequential-estimate.ts";
import {
  logLikelihoodRatio,
  sequentialBounds,
  type SequentialTest,
  sequentialVerdict,
} from "../../../stats/sequential-test.ts";
import type { ArenaSettings } from "./arena-settings.ts";

/**
 * The sequential test of a match of two agents.
 *
 * Its samples are whole blocks: the first agent's mean score over the games in which the two agents change seats. Games
 * of a block depend on each other if they share an opening. Games are counted in the order of their numbers, so a match
 * ends after the same game for any number of threads.
 */
export class SequentialMatch {
  readonly #settings: NonNullable<ArenaSettings["sequential"]>;
  readonly #test: SequentialTest;
  readonly #blockLength: number;
  readonly #outcomes = new Map<number, number>();
  #taken = 0;
  #scored = 0;
  #sum = 0;
  #ratio = 0;

  constructor(settings: NonNullable<ArenaSettings["sequential"]>, blockLength: number) {
    this.#settings = settings;
    this.#blockLength = blockLength;
    const { elo0, elo1, alpha, beta } = settings;
    this.#test = { score0: scoreOfElo(elo0), score1: scoreOfElo(elo1), alpha, beta };
  }

  /** Counts the next game: the first agent's score; undefined if the game does not count. */
  add(score: number | undefined): void {
    this.#taken++;
    if (score !== undefined) {
      this.#scored++;
      this.#sum += score;
    }
    if (this.#taken % this.#blockLength !== 0) return;
    if (this.#scored > 0) {
      const mean = this.#sum / this.#scored;
      this.#outcomes.set(mean, (this.#outcomes.get(mean) ?? 0) + 1);
      this.#ratio = logLikelihoodRatio(this.#outcomes, this.#test);
    }
    this.#sum = this.#scored = 0;
  }

  /** Whether the test has a verdict; it can have one only at the end of a block. */
  get decided(): boolean {
    return this.#taken % this.#blockLength === 0 && this.#verdict !== "undecided";
  }

  /** The present state of the test, for the result. */
  get result(): NonNullable<Contest["test"]> {
    return {
      ...this.#settings,
      ratio: this.#ratio,
      bounds: sequentialBounds(this.#test),
      verdict: this.#verdict,
    };
  }

  /** The result of a match that is over, with the Elo that allows for its end by the test. Ratings stay finite if all is won. */
  resultOf<T extends Pick<Contest, "pairs" | "standings">>(contest: T): T & Pick<Contest, "test"> {
    const { result: test } = this;
    const [pair] = contest.pairs;
    if (this.#outcomes.size === 0 || pair === undefined) return { ...contest, test };
    const score = sequentialEstimate(this.#outcomes, this.#test, this.#blockLength);
    const elo = eloEstimate(score);
    return {
      ...contest,
      pairs: [{ ...pair, elo }],
      standings: contest.standings.map(({ rating, ...standing }, i) => ({
        ...standing,
        rating: Number.isFinite(elo.value) ? halfOf(elo, i === 0 ? 1 : -1) : rating,
      })),
      test: { ...test, score },
    };
  }

  get #verdict(): NonNullable<Contest["test"]>["verdict"] {
    const verdict = sequentialVerdict(this.#ratio, this.#test);
    return verdict === "score0" ? "elo0" : verdict === "score1" ? "elo1" : "undecided";
  }
}

/** Half of the difference of two agents: the rating of one of them about the mean. */
function halfOf({ interval, value }: Estimate, sign: 1 | -1): Estimate {
  const [low, high] = interval.map((end) => (sign * end) / 2).toSorted((a, b) => a - b) as [number, number];
  return { value: (sign * value) / 2, interval: [low, high] };
}
