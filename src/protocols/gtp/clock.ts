/** The time that each seat has for a game: a main time and then an overtime, if there is one. */
export interface TimeSettings {
  /** Seconds. */
  readonly main: number;
  readonly overtime?: Overtime;
}

/** `seconds` for each `moves` moves, over and over. */
interface Overtime {
  readonly seconds: number;
  readonly moves: number;
  /**
   * Whether this is Japanese overtime: a period is of one move, and the controller counts periods, while it counts moves
   * in Canadian overtime. Periods in reserve are not planned with.
   */
  readonly japanese?: true;
}

/** What a seat has left. */
interface TimeLeft {
  seconds: number;
  /** Moves left in the overtime period under way; 0 in main time. */
  moves: number;
}

/** Share of the time of a move that is kept for what the search does not measure: the way of commands and responses. */
const KEPT = 0.1;
/** Milliseconds of each move that are kept besides. */
const LAG_MS = 20;

/** The clocks of all seats, and the time that a move may take by them. */
export class GameClock {
  #settings: TimeSettings | undefined;
  readonly #left = new Map<number, TimeLeft>();

  /** Sets every clock; without settings there is no limit. */
  set(settings: TimeSettings | undefined): void {
    this.#settings = settings;
    this.#left.clear();
  }

  /** Sets all clocks back to the start of a game. */
  reset(): void {
    this.#left.clear();
  }

  /** Sets the clock of a seat: seconds, and for how many moves (in Japanese overtime: periods), 0 in main time. */
  setLeft(seat: number, seconds: number, count: number): void {
    const japanese = this.#settings?.overtime?.japanese === true;
    this.#left.set(seat, { seconds, moves: japanese ? Math.min(1, count) : count });
  }

  /**
   * The milliseconds, 1 or more, that a seat may take for its move if it has about `movesLeft` moves to make in the
   * game; undefined if there is no limit.
   */
  budget(seat: number, movesLeft: number): number | undefined {
    const left = this.#of(seat);
    if (left === undefined) return undefined;
    const { overtime } = this.#settings ?? {};
    const seconds =
      left.moves > 0
        ? left.seconds / left.moves
        : // The time of an overtime move comes on top of a share of the main time, for overtime follows the main time.
          left.seconds / Math.max(1, movesLeft) +
          (overtime === undefined ? 0 : overtime.seconds / overtime.moves);
    return Math.max(1, Math.floor(1000 * seconds * (1 - KEPT) - LAG_MS));
  }

  /** Takes the time of a move from the clock of a seat, for controllers that never send the time left. */
  spend(seat: number, milliseconds: number): void {
    const left = this.#of(seat);
    if (left === undefined) return;
    const { overtime } = this.#settings ?? {};
    left.seconds -= milliseconds / 1000;
    if (left.moves > 0) {
      left.moves--;
      if (left.moves === 0 && overtime !== undefined) this.#left.set(seat, inOvertime(overtime));
    } else if (left.seconds <= 0 && overtime !== undefined) this.#left.set(seat, inOvertime(overtime));
    else left.seconds = Math.max(0, left.seconds);
  }

  #of(seat: number): TimeLeft | undefined {
    const known = this.#left.get(seat);
    if (known !== undefined || this.#settings === undefined) return known;
    const { main, overtime } = this.#settings;
    const left = main > 0 || overtime === undefined ? { seconds: main, moves: 0 } : inOvertime(overtime);
    this.#left.set(seat, left);
    return left;
  }
}

function inOvertime({ seconds, moves }: Overtime): TimeLeft {
  return { seconds, moves };
}

/**
 * The settings of `time_settings` (GTP 2, section 6.3.5): seconds of main time, seconds of a period of Canadian
 * overtime, and its moves. A time for no moves means no limit, and so does no time at all. undefined: no limit.
 */
export function canadianTime(main: number, seconds: number, moves: number): TimeSettings | undefined {
  if (seconds > 0) return moves > 0 ? { main, overtime: { seconds, moves } } : undefined;
  return main > 0 ? { main } : undefined;
}
