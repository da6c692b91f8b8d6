/**
 * Go by the words of its rules: the board as a list of colours, chains and regions by flood fill, and a list of all
 * earlier boards as text. It shares nothing with the game: no hashes, no chains that are kept, no liberties that are
 * counted on the way.
 */

/** No stone. Stones are 1 for Black, 2 for White. */
export const EMPTY = 0;

/** The rules that a game of the plain Go is played by. */
export interface PlainRules {
  readonly size: number;
  readonly superko: "positional" | "situational" | "simple";
  readonly suicide: boolean;
  readonly komi: number;
  /** 0: none. */
  readonly moveLimit: number;
}

export const plainRules: PlainRules = {
  size: 9,
  superko: "positional",
  suicide: false,
  komi: 7.5,
  moveLimit: 0,
};

/** Where a game begins: colours by point, row by row from the top left, and the seat to move (0 Black, 1 White). */
export interface PlainStart {
  readonly board: readonly number[];
  readonly mover: number;
}

/** What a move would do. */
interface Outcome {
  readonly board: number[];
  /** Points of the stones that it takes from the opponent. */
  readonly captured: number[];
  /** Points of the own stones that it takes from the board. */
  readonly suicides: number[];
}

/** The plain game. */
export class PlainGo {
  readonly rules: PlainRules;
  /** Colour of every point now. */
  board: number[];
  /** The seat to move next; also when the game is over. */
  mover: number;
  /** Every position so far, the present one included: board as text, and the seat that was to move. */
  readonly positions: { readonly board: string; readonly mover: number }[];
  readonly moves: number[] = [];
  /** By seat: the stones of the opponent that it has taken. */
  readonly captures = [0, 0];
  /** By seat: its own stones that it has taken from the board. */
  readonly suicides = [0, 0];

  constructor(rules: PlainRules, start?: PlainStart) {
    this.rules = rules;
    this.board = start === undefined ? this.points().map(() => EMPTY) : [...start.board];
    this.mover = start?.mover ?? 0;
    this.positions = [{ board: this.board.join(""), mover: this.mover }];
  }

  get pass(): number {
    return this.rules.size ** 2;
  }

  get over(): boolean {
    const { moveLimit } = this.rules;
    if (moveLimit > 0 && this.moves.length >= moveLimit) return true;
    return this.moves.length > 1 && this.moves.slice(-2).every((move) => move === this.pass);
  }

  points(): number[] {
    return Array.from({ length: this.rules.size ** 2 }, (_, point) => point);
  }

  /** The points above, below, left and right. */
  beside(point: number): number[] {
    return this.#around(point, [
      [-1, 0],
      [1, 0],
      [0, -1],
      [0, 1],
    ]);
  }

  /** The points at the four corners of a point. */
  corners(point: number): number[] {
    return this.#around(point, [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ]);
  }

  #around(point: number, steps: readonly (readonly [number, number])[]): number[] {
    const { size } = this.rules;
    const row = Math.floor(point / size);
    const column = point % size;
    return steps
      .filter(([down, right]) => {
        const inside = (place: number) => place >= 0 && place < size;
        return inside(row + down) && inside(column + right);
      })
      .map(([down, right]) => (row + down) * size + column + right);
  }

  /** All points of the colour of this one that hang together with it. */
  chain(point: number, board: readonly number[] = this.board): number[] {
    const found = [point];
    const seen = new Set(found);
    for (const at of found)
      for (const next of this.beside(at))
        if (board[next] === board[point] && !seen.has(next)) {
          seen.add(next);
          found.push(next);
        }
    return found;
  }

  /** The empty points beside a chain. */
  liberties(point: number, board: readonly number[] = this.board): number[] {
    const all = this.chain(point, board).flatMap((at) => this.beside(at));
    return [...new Set(all)].filter((at) => board[at] === EMPTY);
  }

  /** The board after a stone of `colour` on an empty point, whatever ko and suicide say. */
  outcome(point: number, colour: number): Outcome {
    const board = [...this.board];
    board[point] = colour;
    const dead = (at: number) => this.liberties(at, board).length === 0;
    const opponents = this.beside(point).filter((at) => board[at] === 3 - colour && dead(at));
    const captured = [...new Set(opponents.flatMap((at) => this.chain(at, board)))];
    for (const at of captured) board[at] = EMPTY;
    const suicides = dead(point) ? this.chain(point, board) : [];
    for (const at of suicides) board[at] = EMPTY;
    return { board, captured, suicides };
  }

  /** Why the mover may not play on a point, or undefined if it may. */
  forbidden(point: number): "occupied" | "suicide" | "ko" | undefined {
    if (this.board[point] !== EMPTY) return "occupied";
    const { board, captured, suicides } = this.outcome(point, this.mover + 1);
    if (suicides.length > 0 && !this.rules.suicide) return "suicide";
    const after = board.join("");
    const repeats =
      this.rules.superko === "positional"
        ? this.positions.some((earlier) => earlier.board === after)
        : this.rules.superko === "situational"
          ? this.positions.some((earlier) => earlier.board === after && earlier.mover === 1 - this.mover)
          : // Simple ko: a capture may not bring back the board before the opponent's last move.
            captured.length > 0 && this.positions.at(-2)?.board === after;
    return repeats ? "ko" : undefined;
  }

  /** The legal moves in increasing order, the pass last; none when the game is over. */
  legal(): number[] {
    if (this.over) return [];
    return [...this.points().filter((point) => this.forbidden(point) === undefined), this.pass];
  }

  play(move: number): void {
    if (move !== this.pass) {
      const { board, captured, suicides } = this.outcome(move, this.mover + 1);
      this.board = board;
      this.captures[this.mover]! += captured.length;
      this.suicides[this.mover]! += suicides.length;
    }
    this.moves.push(move);
    this.mover = 1 - this.mover;
    this.positions.push({ board: this.board.join(""), mover: this.mover });
  }

  /** By seat: its stones, and the empty points of the regions that touch its stones alone. */
  score(): [black: number, white: number] {
    const owners = this.owners();
    return [owners.filter((seat) => seat === 0).length, owners.filter((seat) => seat === 1).length];
  }

  /** By point: the seat whose area it is, or -1. */
  owners(): number[] {
    return this.points().map((point) => {
      if (this.board[point] !== EMPTY) return this.board[point]! - 1;
      const touched = new Set(
        this.chain(point).flatMap((at) => this.beside(at).map((next) => this.board[next]!)),
      );
      touched.delete(EMPTY);
      return touched.size === 1 ? [...touched][0]! - 1 : -1;
    });
  }

  /** By seat: 1 for more area, komi counted; .5 for as much; 0 for less, and before the end. */
  returns(): number[] {
    if (!this.over) return [0, 0];
    const [black, white] = this.score();
    const margin = black - white - this.rules.komi;
    return margin > 0 ? [1, 0] : margin < 0 ? [0, 1] : [0.5, 0.5];
  }

  /**
   * Whether an empty point is an eye of a seat by shape: its four neighbours are stones of the seat, and the opponent has at
   * most one of the points at its corners, none if the point is at the edge of the board.
   */
  isEye(point: number, seat: number): boolean {
    if (!this.beside(point).every((at) => this.board[at] === seat + 1)) return false;
    const corners = this.corners(point);
    const taken = corners.filter((at) => this.board[at] === 2 - seat).length;
    return corners.length < 4 ? taken === 0 : taken <= 1;
  }

  copy(): PlainGo {
    const copy = new PlainGo(this.rules);
    copy.board = [...this.board];
    copy.mover = this.mover;
    copy.positions.splice(0, Infinity, ...this.positions);
    copy.moves.push(...this.moves);
    copy.captures.splice(0, Infinity, ...this.captures);
    copy.suicides.splice(0, Infinity, ...this.suicides);
    return copy;
  }

  /** The number of sequences of `depth` moves from here. */
  count(depth: number): number {
    if (depth === 0) return 1;
    const legal = this.legal();
    if (depth === 1) return legal.length;
    return legal.reduce((total, move) => {
      const next = this.copy();
      next.play(move);
      return total + next.count(depth - 1);
    }, 0);
  }
}

/** The board of rows of `.`, `X` and `O`, from the top; blanks are left out. */
export function boardOf(rows: string): number[] {
  return rows
    .replaceAll(/\s/g, "")
    .split("")
    .map((letter) => ".XO".indexOf(letter));
}

/** The number of sequences of `depth` moves from the text of a position, by these rules. */
export function countFrom(rules: PlainRules): (position: string, depth: number) => number {
  return (position, depth) => plainGameOf(rules, position).count(depth);
}

/** The plain game in the position of a text: set up as it began, then played. */
function plainGameOf(rules: PlainRules, position: string): PlainGo {
  const [board, mover, firstBoard = board, firstMover = mover, moves = ""] = position.split(" ");
  const rows = firstBoard!.replaceAll(/\d+/g, (number) => ".".repeat(Number(number))).replaceAll("/", "");
  const game = new PlainGo(rules, { board: boardOf(rows), mover: "XO".indexOf(firstMover!) });
  for (const move of moves === "" ? [] : moves.split(",")) game.play(plainMove(rules.size, move));
  return game;
}

/** The number of a move as GTP writes it. */
export function plainMove(size: number, text: string): number {
  if (text === "pass") return size * size;
  const column = "ABCDEFGHJKLMNOPQRST".indexOf(text[0]!);
  return (size - Number(text.slice(1))) * size + column;
}
