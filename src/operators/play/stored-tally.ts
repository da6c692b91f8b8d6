import { storedState, storeState } from "../../formats/last-states.ts";
import type { CountedGame, GameTally } from "./game-tally.ts";
import type { CountedMoves, GenerationTally } from "./generation-tally.ts";

/**
 * A tally of the games of a stage whose games are recorded. The sums since its last summary are stored before each game is, so
 * that a resumed run sums up the same games together as an unbroken one.
 */
export class StoredTally {
  readonly #tally: GameTally;
  readonly #path: string;
  readonly #generation: GenerationTally | undefined;

  /** The sums are stored at `path`, with those of the present generation if there is a tally of it. */
  constructor(tally: GameTally, path: string, generation?: GenerationTally) {
    this.#tally = tally;
    this.#path = path;
    this.#generation = generation;
  }

  /** Continues after games that are recorded already; `present` are those of the last generation among them. */
  begin(done: number, present: readonly CountedMoves[] = []): void {
    const own = this.#tally.sums().length;
    const kept = storedState(this.#path, done, this.#sums().length);
    this.#generation?.restore(present, kept?.subarray(own));
    // Earlier versions have stored no sums of a generation.
    this.#tally.begin(done, kept?.subarray(0, own) ?? storedState(this.#path, done, own));
  }

  /** Counts a game, and stores the sums. To be called before the game is recorded. Throws FileNotWritten. */
  count(game: CountedGame): void {
    this.#tally.count(game);
    storeState(this.#path, this.#tally.done, this.#sums());
  }

  #sums(): Float64Array {
    const own = this.#tally.sums();
    return this.#generation === undefined ? own : Float64Array.of(...own, ...this.#generation.sums);
  }

  /** Emits the events of the game. To be called after it is recorded. */
  report(): void {
    this.#tally.report();
  }
}
