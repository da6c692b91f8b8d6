import { storedState, storeState } from "../../formats/last-states.ts";
import type { CountedGame, GameTally } from "./game-tally.ts";

/**
 * A tally of the games of a stage whose games are recorded. The sums since its last summary are stored before each game is, so
 * that a resumed run sums up the same games together as an unbroken one.
 */
export class StoredTally {
  readonly #tally: GameTally;
  readonly #path: string;

  /** The sums are stored at `path`. */
  constructor(tally: GameTally, path: string) {
    this.#tally = tally;
    this.#path = path;
  }

  /** Goes on after games that are recorded already. */
  begin(done: number): void {
    this.#tally.begin(done, storedState(this.#path, done, this.#tally.sums().length));
  }

  /** Counts a game, and stores the sums. To be called before the game is recorded. Throws FileNotWritten. */
  count(game: CountedGame): void {
    this.#tally.count(game);
    storeState(this.#path, this.#tally.done, this.#tally.sums());
  }

  /** Emits the events of the game. To be called after it is recorded. */
  tell(): void {
    this.#tally.tell();
  }
}
