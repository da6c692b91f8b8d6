import type { Forecasts } from "../../events/event.ts";
import type { Game } from "../../games/game.ts";

/** Bins of forecasts: as many as a figure can show. */
const BINS = 20;

/**
 * The least and the most that a seat can still earn at the start of a game: its bounds where returns come at the end, and
 * in a game that counts as it goes (Blokus: a minus of 89 squares that grows smaller) what lies between start and bounds.
 */
export function forecastBounds<S>(game: Game<S>): readonly [number, number] {
  const [least, most] = game.returnBounds;
  const begun = new Float64Array(game.players);
  game.returns(game.initial(), begun);
  return [least - Math.max(...begun), most - Math.min(...begun)];
}

/** Gathers what players expected to earn and what they earned, by what they expected. */
export class ForecastTally {
  readonly #bounds: readonly [number, number];
  readonly #decisions = new Float64Array(BINS);
  readonly #expected = new Float64Array(BINS);
  readonly #earned = new Float64Array(BINS);

  /** Forecasts beyond `bounds` count in the outer bins. */
  constructor(bounds: readonly [number, number]) {
    this.#bounds = bounds;
  }

  /** Takes in pairs of numbers: what was expected, and what was earned. */
  add(forecasts: Float32Array): void {
    const [low, high] = this.#bounds;
    for (let i = 0; i < forecasts.length; i += 2) {
      const expected = forecasts[i]!;
      const place = Math.floor((BINS * (expected - low)) / (high - low));
      const bin = Math.max(0, Math.min(BINS - 1, place));
      this.#decisions[bin]!++;
      this.#expected[bin]! += expected;
      this.#earned[bin]! += forecasts[i + 1]!;
    }
  }

  /** What was gathered since the last time; undefined where that is nothing. */
  take(): Forecasts | undefined {
    if (this.#decisions.every((count) => count === 0)) return undefined;
    const taken: Forecasts = {
      bounds: this.#bounds,
      decisions: [...this.#decisions],
      expected: [...this.#expected],
      earned: [...this.#earned],
    };
    for (const sums of [this.#decisions, this.#expected, this.#earned]) sums.fill(0);
    return taken;
  }
}
