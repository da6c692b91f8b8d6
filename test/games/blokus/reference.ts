/**
 * Blokus by the words of its rules: cells with owners, and every legal move looked for anew by trying every piece in
 * every place. It shares nothing with the game: pieces are found by growing squares.
 */

type Cell = readonly [x: number, y: number];

/** A placement as its cells, sorted, as text. */
function keyOf(cells: readonly Cell[]): string {
  return cells
    .map(([x, y]) => `${x},${y}`)
    .toSorted()
    .join(" ");
}

function atOrigin(cells: readonly Cell[]): Cell[] {
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  return cells.map(([x, y]) => [x - left, y - top]);
}

/** Every way to lay a polyomino of up to 5 squares, at the origin, with the name of the piece it is one of. */
const allShapes: readonly { readonly piece: string; readonly cells: readonly Cell[] }[] = (() => {
  const found = new Map<string, Cell[]>();
  let grown: Cell[][] = [[[0, 0]]];
  for (let size = 1; size <= 5; size++) {
    const next: Cell[][] = [];
    for (const cells of grown) {
      const key = keyOf(atOrigin(cells));
      if (found.has(key)) continue;
      found.set(key, atOrigin(cells));
      for (const [x, y] of cells)
        for (const [nx, ny] of [
          [x + 1, y],
          [x - 1, y],
          [x, y + 1],
          [x, y - 1],
        ] as const)
          if (!cells.some(([cx, cy]) => cx === nx && cy === ny)) next.push([...cells, [nx, ny]]);
    }
    grown = next;
  }
  const pieceOf = (cells: readonly Cell[]) => {
    let all: Cell[][] = [[...cells]];
    for (let i = 0; i < 3; i++) all.push(all.at(-1)!.map(([x, y]) => [-y, x]));
    all = [...all, ...all.map((each) => each.map(([x, y]) => [-x, y] as const))];
    return all.map((each) => keyOf(atOrigin(each))).toSorted()[0]!;
  };
  return [...found.values()].map((cells) => ({ piece: pieceOf(cells), cells }));
})();

/** The plain game. */
export class PlainBlokus {
  readonly size: number;
  readonly starts: readonly Cell[];
  /** The most squares of a piece. */
  readonly largest: number;
  /** By cell: the seat that covers it, or -1. */
  readonly owner: number[];
  /** By seat: the names of its pieces in hand. */
  readonly hands: Set<string>[];
  /** By seat: the squares of the piece it laid last. */
  readonly last: number[];
  readonly out: boolean[];
  /** The seat to move, or -1. */
  mover = 0;
  /** The mover's legal moves. */
  moves: Cell[][];

  constructor(size: number, starts: readonly Cell[], largest = 5) {
    this.size = size;
    this.starts = starts;
    this.largest = largest;
    this.owner = Array.from({ length: size * size }, () => -1);
    this.hands = starts.map(() => new Set(this.#shapes().map(({ piece }) => piece)));
    this.last = starts.map(() => 0);
    this.out = starts.map(() => false);
    this.moves = this.legal(0);
  }

  #shapes() {
    return allShapes.filter(({ cells }) => cells.length <= this.largest);
  }

  /** Every placement that a seat could make, as its cells. */
  legal(seat: number): Cell[][] {
    const moves: Cell[][] = [];
    for (const { piece, cells } of this.#shapes()) {
      if (!this.hands[seat]!.has(piece)) continue;
      for (let y = 0; y < this.size; y++)
        for (let x = 0; x < this.size; x++) {
          if (!cells.every(([cx, cy]) => this.#at(cx + x, cy + y) === -1)) continue;
          const laid = cells.map(([cx, cy]) => [cx + x, cy + y] as const);
          if (this.#allowed(seat, laid)) moves.push(laid);
        }
    }
    return moves;
  }

  #at(x: number, y: number): number | undefined {
    return x < 0 || y < 0 || x >= this.size || y >= this.size ? undefined : this.owner[y * this.size + x];
  }

  /** Whether a seat may lay a piece on these cells, which are free. */
  #allowed(seat: number, cells: readonly Cell[]): boolean {
    for (const [x, y] of cells) {
      const beside = [this.#at(x - 1, y), this.#at(x + 1, y), this.#at(x, y - 1), this.#at(x, y + 1)];
      if (beside.includes(seat)) return false;
    }
    if (!this.owner.includes(seat)) {
      const [startX, startY] = this.starts[seat]!;
      return cells.some(([x, y]) => x === startX && y === startY);
    }
    return cells.some(([x, y]) =>
      [
        this.#at(x - 1, y - 1),
        this.#at(x + 1, y - 1),
        this.#at(x - 1, y + 1),
        this.#at(x + 1, y + 1),
      ].includes(seat),
    );
  }

  play(cells: readonly Cell[]): void {
    const seat = this.mover;
    for (const [x, y] of cells) this.owner[y * this.size + x] = seat;
    const key = keyOf(atOrigin(cells));
    this.hands[seat]!.delete(allShapes.find((shape) => keyOf(shape.cells) === key)!.piece);
    this.last[seat] = cells.length;
    this.mover = -1;
    for (let i = 1; i <= this.starts.length; i++) {
      const next = (seat + i) % this.starts.length;
      if (this.out[next]!) continue;
      this.moves = this.legal(next);
      if (this.moves.length > 0) {
        this.mover = next;
        return;
      }
      this.out[next] = true;
    }
  }

  /** By seat: the squares laid. */
  squares(): number[] {
    return this.starts.map((_, seat) => this.owner.filter((owner) => owner === seat).length);
  }

  /** By seat: the advanced score. */
  scores(): number[] {
    return this.squares().map((squares, seat) => {
      // The squares of all pieces: 9, 29 or 89.
      const all = [...new Map(this.#shapes().map(({ piece, cells }) => [piece, cells.length])).values()];
      if (this.hands[seat]!.size > 0) return squares - all.reduce((sum, size) => sum + size, 0);
      return this.last[seat] === 1 ? 20 : 15;
    });
  }
}

/** The number of sequences of `depth` moves from the text of a position of the game of four or of two. */
export function countFrom(position: string, depth: number, largest = 5): number {
  const game = plainGameOf(position, largest);
  return game.mover < 0 && depth > 0 ? 0 : count(game, depth);
}

function count(game: PlainBlokus, depth: number): number {
  if (depth === 0) return 1;
  if (game.mover < 0) return 0;
  if (depth === 1) return game.moves.length;
  return game.moves.reduce((total, cells) => {
    const next = copyOf(game);
    next.play(cells);
    return total + count(next, depth - 1);
  }, 0);
}

function copyOf(game: PlainBlokus): PlainBlokus {
  const copy = new PlainBlokus(game.size, game.starts, game.largest);
  copy.owner.splice(0, Infinity, ...game.owner);
  copy.hands.splice(0, Infinity, ...game.hands.map((hand) => new Set(hand)));
  copy.out.splice(0, Infinity, ...game.out);
  copy.mover = game.mover;
  copy.moves = game.moves;
  return copy;
}

const LETTERS = "BOVG";

function plainGameOf(position: string, largest: number): PlainBlokus {
  const [text, , mover, out] = position.split(" ");
  const owners = text!.split("/").map((row) =>
    row
      .replaceAll(/\d+/g, (number) => ".".repeat(Number(number)))
      .split("")
      .map((letter) => LETTERS.indexOf(letter)),
  );
  const starts: readonly Cell[] =
    owners.length === 14
      ? [
          [4, 4],
          [9, 9],
        ]
      : [
          [0, 0],
          [owners.length - 1, 0],
          [owners.length - 1, owners.length - 1],
          [0, owners.length - 1],
        ];
  const game = new PlainBlokus(owners.length, starts, largest);
  game.owner.splice(0, Infinity, ...owners.flat());
  const seen = new Set<number>();
  for (const [first, seat] of game.owner.entries()) {
    if (seat < 0 || seen.has(first)) continue;
    // The cells of one seat that hang together by their edges are one piece.
    const piece = [first];
    seen.add(first);
    for (const cell of piece)
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const [x, y] = [(cell % game.size) + dx, Math.floor(cell / game.size) + dy];
        const beside = y * game.size + x;
        if (x < 0 || x >= game.size || game.owner[beside] !== seat || seen.has(beside)) continue;
        seen.add(beside);
        piece.push(beside);
      }
    const key = keyOf(atOrigin(piece.map((cell) => [cell % game.size, Math.floor(cell / game.size)])));
    game.hands[seat]!.delete(allShapes.find((shape) => keyOf(shape.cells) === key)!.piece);
  }
  for (const seat of game.out.keys()) game.out[seat] = out!.includes(LETTERS[seat]!);
  game.mover = mover === "-" ? -1 : LETTERS.indexOf(mover!);
  if (game.mover >= 0) game.moves = game.legal(game.mover);
  return game;
}
