import type { Random } from "../../random.ts";
import type { Decision } from "../../search/search.ts";
import type { WatchedMove } from "./analysis.ts";
import { type Decided, watchedMoves } from "./watched-moves.ts";

/** Most simulations of a search that is watched: its tree takes memory, and nobody may be there to end it. */
const MOST_SIMULATIONS = 1_000_000;

/** What a search that is watched is about. */
interface Watched extends Decided {
  readonly random: Random;
  /** Number of decisions before this one. */
  readonly decisions: number;
}

/** A search of one position that continues for as long as the controller watches it. */
export class WatchedSearch {
  readonly #of: Watched;
  #decision: Decision<unknown> | undefined;
  #simulations = 0;

  constructor(watched: Watched) {
    this.#of = watched;
  }

  /** Searches on for this time. Returns false if there is no more to find out: then it need not be called again. */
  continue(milliseconds: number): boolean {
    const { agent, decisions, random, state } = this.#of;
    const next =
      this.#decision === undefined
        ? agent.decide(state, random, decisions, milliseconds)
        : agent.resume(state, random, decisions, milliseconds);
    if (next === undefined) return false;
    this.#decision = next;
    const before = this.#simulations;
    this.#simulations = next.visits.reduce((sum, visits) => sum + visits, 0);
    return this.#simulations > before && this.#simulations < MOST_SIMULATIONS;
  }

  /** The moves found so far; see `watchedMoves`. */
  moves(): WatchedMove[] {
    return this.#decision === undefined ? [] : watchedMoves(this.#decision, this.#of);
  }
}
