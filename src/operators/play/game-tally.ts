import type { RunEvent } from "../../events/event.ts";
import { ForecastTally } from "./forecast-tally.ts";
import type { GameReport } from "./game-task.ts";

/** The parts of a report that are counted: returns and length always, the others if known. */
export type CountedGame = Pick<GameReport, "returns" | "plies"> &
  Partial<Pick<GameReport, "cacheHits" | "entropy" | "evaluations" | "forecasts">>;

/**
 * Emits the events of a stage's games: progress after each game, a summary after each hundredth of the games (at least every
 * 100th game). Which games a summary is of depends on their numbers alone: {@link sums} carry the games since the last
 * summary over a resumption.
 */
export class GameTally {
  readonly #stage: string;
  readonly #total: number;
  readonly #every: number;
  readonly #emit: (event: RunEvent) => void;
  readonly #forecasts: ForecastTally | undefined;
  #done = 0;
  readonly #winnerOnly: boolean;
  /** The returns of the last game. */
  #returns: CountedGame["returns"] = [];
  #count = 0;
  #sum = 0;
  #plies = 0;
  #min = Infinity;
  #max = -Infinity;
  #shortest = Infinity;
  #longest = 0;
  #evaluations = 0;
  #cacheHits: number | undefined;
  #entropy = 0;
  #entropies = 0;

  /**
   * `bounds` are the bounds of forecasts, see `forecastBounds`; without them forecasts are not counted. With `winnerOnly` the
   * progress line names the winner of the last game, in place of the score of seat 1.
   */
  constructor(
    stage: string,
    total: number,
    emit: (event: RunEvent) => void,
    bounds?: readonly [number, number],
    winnerOnly = false,
  ) {
    this.#stage = stage;
    this.#total = total;
    this.#every = Math.max(1, Math.min(100, Math.floor(total / 100)));
    this.#emit = emit;
    this.#winnerOnly = winnerOnly;
    this.#forecasts = bounds?.every(Number.isFinite) ? new ForecastTally(bounds) : undefined;
  }

  /**
   * Sets the number of games that are finished already; to be called before the first game. `kept` are the sums after these
   * games, if an earlier part of the run has kept it.
   */
  begin(done: number, kept?: ArrayLike<number>): void {
    this.#done = done;
    if (kept !== undefined) this.#restore(Float64Array.from(kept));
    // The earlier part may have ended before it reported the last game.
    if (this.#due) this.#summarise();
    this.#emit({ type: "progress", stage: this.#stage, done, total: this.#total, unit: "games" });
  }

  /** Counts one finished game, and emits its events. */
  add(game: CountedGame): void {
    this.count(game);
    this.report();
  }

  /** Counts one finished game; `report` must follow. */
  count({ cacheHits, entropy, evaluations, forecasts, plies, returns }: CountedGame): void {
    const score = returns[0]!;
    this.#returns = returns;
    this.#done++;
    this.#count++;
    this.#sum += score;
    this.#plies += plies;
    this.#min = Math.min(this.#min, score);
    this.#max = Math.max(this.#max, score);
    this.#shortest = Math.min(this.#shortest, plies);
    this.#longest = Math.max(this.#longest, plies);
    this.#evaluations += evaluations ?? 0;
    if (cacheHits !== undefined) this.#cacheHits = (this.#cacheHits ?? 0) + cacheHits;
    if (entropy !== undefined) {
      this.#entropy += entropy;
      this.#entropies++;
    }
    if (forecasts !== undefined) this.#forecasts?.add(forecasts);
  }

  /** Emits the events of the game that was counted last. */
  report(): void {
    if (this.#due) this.#summarise();
    this.#emit({
      type: "progress",
      stage: this.#stage,
      done: this.#done,
      total: this.#total,
      unit: "games",
      latest: this.#latest(),
    });
  }

  /** The number of games finished so far. */
  get done(): number {
    return this.#done;
  }

  /** The sums over the games since the last summary. */
  sums(): Float64Array {
    return Float64Array.of(
      this.#count,
      this.#sum,
      this.#plies,
      this.#min,
      this.#max,
      this.#shortest,
      this.#longest,
      this.#evaluations,
      this.#cacheHits ?? NaN,
      this.#entropy,
      this.#entropies,
      ...(this.#forecasts?.sums() ?? []),
    );
  }

  #restore(sums: Float64Array): void {
    const [count, sum, plies, min, max, shortest, longest, evaluations, cacheHits, entropy, entropies] = sums;
    this.#count = count!;
    this.#sum = sum!;
    this.#plies = plies!;
    this.#min = min!;
    this.#max = max!;
    this.#shortest = shortest!;
    this.#longest = longest!;
    this.#evaluations = evaluations!;
    this.#cacheHits = Number.isNaN(cacheHits) ? undefined : cacheHits;
    this.#entropy = entropy!;
    this.#entropies = entropies!;
    this.#forecasts?.restore(sums.subarray(11));
  }

  /** The result of the last game. */
  #latest(): string {
    const [first, second] = this.#returns;
    if (!this.#winnerOnly) return `score ${format(first!)}`;
    return first === second ? "a draw" : `seat ${first! > second! ? 1 : 2} won`;
  }

  /** Whether games were counted since the last summary. */
  get between(): boolean {
    return this.#count > 0;
  }

  /** Whether the games so far end with one that a summary follows. */
  get #due(): boolean {
    return this.#count > 0 && (this.#done % this.#every === 0 || this.#done === this.#total);
  }

  #summarise(): void {
    const forecasts = this.#forecasts?.take();
    this.#emit({
      type: "games",
      stage: this.#stage,
      done: this.#done,
      count: this.#count,
      mean: this.#sum / this.#count,
      min: this.#min,
      max: this.#max,
      plies: this.#plies / this.#count,
      shortest: this.#shortest,
      longest: this.#longest,
      ...(this.#evaluations === 0 ? {} : { evaluations: this.#evaluations }),
      ...(this.#cacheHits === undefined ? {} : { cacheHits: this.#cacheHits }),
      ...(this.#entropies === 0 ? {} : { entropy: this.#entropy / this.#entropies }),
      ...(forecasts === undefined ? {} : { forecasts }),
    });
    this.#count = this.#sum = this.#plies = 0;
    this.#cacheHits = undefined;
    this.#evaluations = this.#entropy = this.#entropies = this.#longest = 0;
    this.#min = this.#shortest = Infinity;
    this.#max = -Infinity;
  }
}

function format(score: number): string {
  return score.toLocaleString("en-US", { maximumFractionDigits: 2 });
}
