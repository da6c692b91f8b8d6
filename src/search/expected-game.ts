/** A recorded game. An episode is compared with it while it is played. */
export interface Expected {
  readonly actions: ArrayLike<number>;
  /** By decision: one value per seat, compared bit by bit. Absent if the record kept no values. */
  readonly values?: readonly (readonly number[])[];
  /**
   * Plays the expected actions, whatever the players decide: for a record that was computed by another arithmetic. Other
   * decisions, and values that are farther apart than `VALUE_TOLERANCE`, are then departures and end nothing.
   */
  readonly follow?: boolean;
}

/** A difference of a game from the expected game. */
export interface Difference {
  readonly ply: number;
  readonly kind: "decision" | "chance" | "value" | "length";
  /** The action or value in the expected game, and in this game; for `length` their numbers of plies. */
  readonly expected: number;
  readonly actual: number;
}

/**
 * How far a value may be from the recorded one in a game that is followed: times the recorded size if that is above 1.
 * About a hundred times the rounding of float32.
 */
export const VALUE_TOLERANCE = 1e-5;

/** Compares a game with an expected one while it is played. */
export class GameComparison {
  readonly #expected: Expected;
  #plies = 0;
  #decisions = 0;
  #difference: Difference | undefined;
  /** The decisions at which the players would have departed from the game that is followed, in order of the plies. */
  readonly departures: Difference[] = [];

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /**
   * Compares the next ply; returns the action that is to be played, or undefined if the game ends. `values` are those
   * of the decision, one per seat; absent at plies of chance and of a given opening.
   */
  ply(action: number, chance: boolean, values: ArrayLike<number> | undefined): number | undefined {
    const { actions, follow = false } = this.#expected;
    const ply = this.#plies++;
    const wanted = actions[ply];
    if (wanted === undefined) return this.#end({ ply, kind: "length", expected: ply, actual: ply + 1 });
    const recorded = values && this.#expected.values?.[this.#decisions++];
    if (wanted !== action) {
      const kind = chance ? "chance" : "decision";
      const difference = { ply, kind, expected: wanted, actual: action } as const;
      if (!follow || values === undefined) return this.#end(difference);
      // The values of another action say nothing.
      this.departures.push(difference);
      return wanted;
    }
    const seat = recorded?.findIndex((value, each) => !Object.is(value, values![each])) ?? -1;
    if (seat < 0) return action;
    if (!follow) return this.#end(valueOf(ply, seat, recorded!, values!));
    const farthest = farthestOf(recorded!, values!);
    if (farthest >= 0) this.departures.push(valueOf(ply, farthest, recorded!, values!));
    return action;
  }

  /** Whether the game that is followed continues at this ply, whatever the players decide. */
  continues(ply: number): boolean {
    const { actions, follow = false } = this.#expected;
    return follow && ply < actions.length;
  }

  /** The difference that ended the game, or its end before that of the expected game; undefined if there is none. */
  atEnd(): Difference | undefined {
    const { length } = this.#expected.actions;
    if (this.#difference === undefined && length > this.#plies)
      this.#difference = { ply: this.#plies, kind: "length", expected: length, actual: this.#plies };
    return this.#difference;
  }

  #end(difference: Difference): undefined {
    this.#difference = difference;
  }
}

function valueOf(
  ply: number,
  seat: number,
  expected: readonly number[],
  found: ArrayLike<number>,
): Difference {
  return { ply, kind: "value", expected: expected[seat]!, actual: found[seat]! };
}

/** The seat whose value is farthest from the recorded one; -1 if all are within `VALUE_TOLERANCE`. */
function farthestOf(expected: readonly number[], found: ArrayLike<number>): number {
  const distances = expected.map((value, seat) =>
    Object.is(value, found[seat]) ? 0 : Math.abs(value - found[seat]!) / Math.max(1, Math.abs(value)),
  );
  const nowhere = distances.findIndex(Number.isNaN);
  const most = Math.max(...distances);
  return nowhere >= 0 ? nowhere : most > VALUE_TOLERANCE ? distances.indexOf(most) : -1;
}
