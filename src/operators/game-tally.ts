import type { RunEvent } from "../events/event.ts";
import type { GameReport } from "./game-task.ts";

/** Tells of a stage's games: progress after each, a summary after every hundredth part of them (at least every 100th game). */
export class GameTally {
  readonly #stage: string;
  readonly #total: number;
  readonly #every: number;
  readonly #emit: (event: RunEvent) => void;
  #done = 0;
  #count = 0;
  #sum = 0;
  #plies = 0;
  #min = Infinity;
  #max = -Infinity;

  constructor(stage: string, total: number, emit: (event: RunEvent) => void) {
    this.#stage = stage;
    this.#total = total;
    this.#every = Math.max(1, Math.min(100, Math.floor(total / 100)));
    this.#emit = emit;
  }

  /** Begins at a number of games that are done already. */
  resume(done: number): void {
    this.#done = done;
  }

  /** Counts one finished game. */
  add({ returns, plies }: Pick<GameReport, "returns" | "plies">): void {
    const score = returns[0]!;
    this.#done++;
    this.#count++;
    this.#sum += score;
    this.#plies += plies;
    this.#min = Math.min(this.#min, score);
    this.#max = Math.max(this.#max, score);
    const stage = this.#stage;
    if (this.#count >= this.#every || this.#done === this.#total) {
      this.#emit({
        type: "games",
        stage,
        done: this.#done,
        count: this.#count,
        mean: this.#sum / this.#count,
        min: this.#min,
        max: this.#max,
        plies: this.#plies / this.#count,
      });
      this.#count = this.#sum = this.#plies = 0;
      this.#min = Infinity;
      this.#max = -Infinity;
    }
    this.#emit({
      type: "progress",
      stage,
      done: this.#done,
      total: this.#total,
      unit: "games",
      latest: `score ${format(score)}`,
    });
  }
}

function format(score: number): string {
  return score.toLocaleString("en-US", { maximumFractionDigits: 2 });
}
