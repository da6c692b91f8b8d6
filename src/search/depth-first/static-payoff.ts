import type { Game, MoveBounds } from "../../games/game.ts";

/** What a seat maximises: its own value, or the margin (players - 1) x own - sum of the others. */
export type StaticPayoffKind = "own" | "margin";

/** The value that a name in `value` selects: `auto` is the game's first static evaluation, else its returns. */
export function valueName<S>(game: Game<S>, name: string): string {
  return name === "auto" ? (Object.keys(game.depthFirst?.staticEvaluations ?? {})[0] ?? "returns") : name;
}

/** The reason, in words, why a game has no value of this name; undefined if it has one. */
export function unknownValue<S>(game: Game<S>, name: string): string | undefined {
  const known = [...Object.keys(game.depthFirst?.staticEvaluations ?? {}), "returns"];
  if (name === "auto" || known.includes(name)) return undefined;
  return `${game.name} has no value "${name}" (known: auto, ${known.join(", ")})`;
}

/** The least and the greatest payoff in a game, if returns are valued; undefined for a static evaluation. */
export function staticPayoffBounds<S>(
  game: Game<S>,
  value: string,
  kind: StaticPayoffKind,
): readonly [number, number] | undefined {
  const [least, most] = game.returnBounds;
  if (valueName(game, value) !== "returns" || !Number.isFinite(most - least)) return undefined;
  const range = (game.players - 1) * (most - least);
  return kind === "own" ? [least, most] : [-range, range];
}

/**
 * The payoff of each seat at a position of a depth-first search, and the bounds of its later payoffs.
 *
 * The value v of a seat is one of the game's static evaluations (or its returns); its payoff u is v itself (`own`) or
 * (n - 1) v - sum of the others' v (`margin`), n the number of seats. Margins sum to 0.
 *
 * Bounds follow from the abilities of the game. With `growth` for the evaluation: no v falls, and the seats together
 * make at most `plies` moves, so v is at most v now + growth(the most moves of the seat, by `moveBounds` if the game
 * has them). For returns: the game's `returnBounds`. Otherwise there are none. They are exact if values are whole
 * numbers; for fractions the rounding of a sum can decide between payoffs that differ in the last bit.
 */
export class StaticPayoff<S> {
  readonly players: number;
  /** Whether payoffs have finite bounds. */
  readonly bounded: boolean;
  /** Whether the sum of payoffs has a bound that is tighter than the sum of their bounds. */
  readonly sumBounded: boolean;
  /** Whether `writeBest` can be called. */
  readonly foresees: boolean;
  /** Whether the least payoff stays a bound when more moves are made; and the greatest payoff. */
  readonly leastLasts: boolean;
  readonly mostLasts: boolean;
  readonly #margin: boolean;
  readonly #values: (state: S, out: Float64Array) => void;
  readonly #growth: ((state: S, seat: number, moves: number) => number) | undefined;
  readonly #gain: ((state: S, seat: number) => number) | undefined;
  readonly #moveBounds: MoveBounds<S> | undefined;
  readonly #least: number;
  readonly #most: number;
  /** The values of the position given to `look`, and their sum. */
  readonly #now: Float64Array;
  #sum = 0;
  /** By number of moves: the greatest total growth of the seats considered so far. */
  #together = new Float64Array(8);
  /** Row-major [seat, moves]: the growth of each seat at the position given to `look`. */
  #growths = new Float64Array(8);
  #plies = 0;
  /** By seat: the greatest number of moves that it can make. */
  readonly #moves: Int32Array;

  constructor(game: Game<S>, value: string, kind: StaticPayoffKind) {
    const name = valueName(game, value);
    const evaluation = game.depthFirst?.staticEvaluations?.[name];
    this.players = game.players;
    this.#margin = kind === "margin";
    this.#values = evaluation ?? ((state, out) => game.returns(state, out));
    this.#growth = game.depthFirst?.growth?.[name];
    this.#gain = game.depthFirst?.gains?.[name];
    this.#moveBounds = game.depthFirst?.moveBounds;
    this.#moves = new Int32Array(game.players);
    this.foresees = this.#gain !== undefined;
    [this.#least, this.#most] = evaluation === undefined ? game.returnBounds : [-Infinity, Infinity];
    this.#now = new Float64Array(game.players);
    this.bounded =
      this.#growth !== undefined || (Number.isFinite(this.#least) && Number.isFinite(this.#most));
    this.leastLasts = this.#growth === undefined || !this.#margin;
    this.mostLasts = this.#growth === undefined;
    this.sumBounded = this.bounded && (this.#margin || this.#growth !== undefined);
  }

  /** Writes each seat's payoff at a position. */
  write(state: S, out: Float64Array): void {
    this.#values(state, out);
    if (this.#margin) this.#toMargins(out);
  }

  /**
   * Writes each seat's payoff after the move of `seat` that is best for it. For `margin` this move is also the worst
   * for every other seat. Returns false, and writes nothing, if the seat has no move. Needs `foresees`.
   */
  writeBest(state: S, seat: number, out: Float64Array): boolean {
    const gain = this.#gain!(state, seat);
    if (gain < 0) return false;
    this.#values(state, out);
    out[seat]! += gain;
    if (this.#margin) this.#toMargins(out);
    return true;
  }

  #toMargins(out: Float64Array): void {
    const { players } = this;
    let sum = 0;
    for (let seat = 0; seat < players; seat++) sum += out[seat]!;
    for (let seat = 0; seat < players; seat++) out[seat] = players * out[seat]! - sum;
  }

  /**
   * Computes the bounds of a position for the methods below. At most `plies` more moves are made; one of `movers` (one
   * bit for each seat) makes the first. `turns`: the seats follow the game's turn order; otherwise the search chooses
   * them.
   */
  look(state: S, plies: number, movers: number, turns: boolean): void {
    if (this.#growth === undefined) return;
    const { players } = this;
    const known = turns && this.#moveBounds !== undefined;
    if (known) this.#moveBounds(state, plies, this.#moves);
    this.#values(state, this.#now);
    this.#plies = plies;
    if (this.#together.length <= plies) this.#together = new Float64Array(2 * plies);
    if (this.#growths.length < players * (plies + 1))
      this.#growths = new Float64Array(2 * players * (plies + 1));
    let sum = 0;
    for (let seat = 0; seat < players; seat++) {
      sum += this.#now[seat]!;
      // A seat that does not make the first move has one move less.
      const moves = known ? this.#moves[seat]! : movers & (1 << seat) ? plies : plies - 1;
      for (let m = 0; m <= plies; m++)
        this.#growths[seat * (plies + 1) + m] = this.#growth(state, seat, Math.min(m, moves));
    }
    this.#sum = sum;
  }

  /** The least payoff that the seat can end with. */
  least(seat: number): number {
    if (this.#growth === undefined)
      return this.#margin ? (1 - this.players) * (this.#most - this.#least) + 0 : this.#least;
    if (!this.#margin) return this.#now[seat]!;
    return this.players * this.#now[seat]! - this.#sum - this.#growTogether(seat);
  }

  /** The greatest payoff that the seat can end with. */
  most(seat: number): number {
    if (this.#growth === undefined)
      return this.#margin ? (this.players - 1) * (this.#most - this.#least) : this.#most;
    const growth = this.#growths[seat * (this.#plies + 1) + this.#plies]!;
    if (!this.#margin) return this.#now[seat]! + growth;
    return this.players * this.#now[seat]! - this.#sum + (this.players - 1) * growth;
  }

  /** The greatest possible sum of all payoffs. */
  mostSum(): number {
    if (this.#margin) return 0;
    if (this.#growth === undefined) return this.players * this.#most;
    return this.#sum + this.#growTogether(-1);
  }

  /** The greatest total growth of all seats but `except`, over all ways to share the moves among them. */
  #growTogether(except: number): number {
    const together = this.#together;
    const plies = this.#plies;
    together.fill(0, 0, plies + 1);
    for (let seat = 0; seat < this.players; seat++) {
      if (seat === except) continue;
      const row = seat * (plies + 1);
      for (let moves = plies; moves > 0; moves--) {
        let best = 0;
        for (let own = 0; own <= moves; own++) {
          const growth = together[moves - own]! + this.#growths[row + own]!;
          if (growth > best) best = growth;
        }
        together[moves] = best;
      }
    }
    return together[plies]!;
  }
}
