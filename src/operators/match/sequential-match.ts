import type { Contest } from "../../events/event.ts";
import { scoreOfElo } from "../../stats/elo.ts";
import {
  logLikelihoodRatio,
  sequentialBounds,
  type SequentialTest,
  sequentialVerdict,
} from "../../stats/sequential-test.ts";
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

  /** The test as it stands, for the result. */
  get result(): NonNullable<Contest["test"]> {
    return {
      ...this.#settings,
      ratio: this.#ratio,
      bounds: sequentialBounds(this.#test),
      verdict: this.#verdict,
    };
  }

  get #verdict(): NonNullable<Contest["test"]>["verdict"] {
    const verdict = sequentialVerdict(this.#ratio, this.#test);
    return verdict === "score0" ? "elo0" : verdict === "score1" ? "elo1" : "undecided";
  }
}
