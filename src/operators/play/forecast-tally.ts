import type { Forecasts } from "../../events/event.ts";
import type { Game } from "../../games/game.ts";

/** Number of bins of forecasts: as many as a figure can show. */
const BINS = 20;

/**
 * The least and the greatest return of a seat from the start of a game: the bounds of its returns less its score at the
 * start. (In Blokus a seat starts with -89 and gains the squares that it lays.)
 */
export function forecastBounds<S>(game: Game<S>): readonly [number, number] {
  const [least, most] = game.returnBounds;
  const begun = new Float64Array(game.players);
  game.returns(game.initial(), begun);
  return [least - Math.max(...begun), most - Math.min(...begun)];
}

/** The range of what a player expects, see `forecastBounds`; NaN if it has no bounds. */
export function forecastRange<S>(game: Game<S>): number {
  const [low, high] = forecastBounds(game);
  // A literal NaN: what is computed from it has the same bits on all processors, and joiners of a fleet compare them.
  return Number.isFinite(high - low) ? high - low : NaN;
}

/** Sums up expected and actual returns of players, in bins by the expected return. */
export class ForecastTally {
  readonly #bounds: readonly [number, number];
  readonly #decisions = new Float64Array(BINS);
  readonly #expected = new Float64Array(BINS);
  readonly #returns = new Float64Array(BINS);

  /** Forecasts outside `bounds` count in the first or last bin. */
  constructor(bounds: readonly [number, number]) {
    this.#bounds = bounds;
  }

  /** Adds pairs of numbers: the expected return and the actual return. */
  add(forecasts: Float32Array): void {
    const [low, high] = this.#bounds;
    for (let i = 0; i < forecasts.length; i += 2) {
      const expected = forecasts[i]!;
      const place = Math.floor((BINS * (expected - low)) / (high - low));
      const bin = Math.max(0, Math.min(BINS - 1, place));
      this.#decisions[bin]!++;
      this.#expected[bin]! += expected;
      this.#returns[bin]! += forecasts[i + 1]!;
    }
  }

  /** All sums, for `restore`. */
  sums(): number[] {
    return [this.#decisions, this.#expected, this.#returns].flatMap((sums) => [...sums]);
  }

  /** Continues with what `sums` returned. */
  restore(kept: Float64Array): void {
    for (const [i, sums] of [this.#decisions, this.#expected, this.#returns].entries())
      sums.set(kept.subarray(i * BINS, (i + 1) * BINS));
  }

  /** The sums since the last call; undefined if nothing was added. */
  take(): Forecasts | undefined {
    if (this.#decisions.every((count) => count === 0)) return undefined;
    const taken: Forecasts = {
      bounds: this.#bounds,
      decisions: [...this.#decisions],
      expected: [...this.#expected],
      earned: [...this.#returns],
    };
    for (const sums of [this.#decisions, this.#expected, this.#returns]) sums.fill(0);
    return taken;
  }
}
