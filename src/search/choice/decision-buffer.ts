import type { Game } from "../../games/game.ts";
import type { Decision, Sample } from "../search.ts";

/** The legal actions of one position, and beside each its visits and its value: views of the search's own buffers. */
export interface DecisionRows {
  readonly actions: Int32Array;
  readonly visits: Float64Array;
  readonly actionValues: Float64Array;
}

/** The buffers that hold a search's decisions, so that a decision allocates almost nothing. */
export class DecisionBuffer<S> {
  readonly #game: Game<S>;
  readonly #actions: Int32Array;
  readonly #visits: Float64Array;
  readonly #actionValues: Float64Array;
  /** Views by number of legal actions. Making a typed-array view costs more than a whole greedy move. */
  readonly #rows: (DecisionRows | undefined)[] = [];

  constructor(game: Game<S>) {
    this.#game = game;
    this.#actions = new Int32Array(game.maxLegal);
    this.#visits = new Float64Array(game.maxLegal);
    this.#actionValues = new Float64Array(game.maxLegal);
  }

  /** The legal actions of a state, with `visits` and `actionValues` set to zero. */
  open(state: S): DecisionRows {
    const count = this.#game.legal(state, this.#actions);
    let rows = this.#rows[count];
    if (rows === undefined) {
      rows = {
        actions: this.#actions.subarray(0, count),
        visits: this.#visits.subarray(0, count),
        actionValues: this.#actionValues.subarray(0, count),
      };
      this.#rows[count] = rows;
    }
    rows.visits.fill(0);
    rows.actionValues.fill(0);
    return rows;
  }

  /** The decision for the `index`-th of the opened actions. */
  close(
    rows: DecisionRows,
    index: number,
    values: readonly number[],
    samples: readonly Sample<S>[] = [],
  ): Decision<S> {
    return {
      action: rows.actions[index]!,
      values,
      actions: rows.actions,
      visits: rows.visits,
      actionValues: rows.actionValues,
      samples,
    };
  }
}

/** The index of the greatest number; of several equal ones the first. */
export function firstBest(numbers: Float64Array | Float32Array): number {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) if (numbers[i]! > numbers[best]!) best = i;
  return best;
}
