import { widened } from "./nodes.ts";

/** The arrays that a column can have. More kinds would slow down the loops over a tree's columns. */
export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

/**
 * A quantity that a part of a search keeps for every node or every edge of a tree: `width` numbers for each, row-major.
 *
 * The tree makes it (`SearchTree.nodeColumn`, `edgeColumn`), sets the numbers of a new node or edge to `initial`, and
 * moves them along when it grows, moves edges or drops a part of itself.
 */
export class TreeColumn<A extends Numbers = Numbers> {
  /** Shape [nodes or edges, width]. Growth replaces the array: read `data` anew in every call. */
  data: A;
  readonly width: number;
  readonly initial: number;
  readonly #kind: new (length: number) => A;

  constructor(kind: new (length: number) => A, width: number, initial: number, rows: number) {
    this.data = new kind(rows * width);
    this.width = width;
    this.initial = initial;
    this.#kind = kind;
  }

  /** Sets one row to `initial`. */
  reset(row: number): void {
    const { data, width, initial } = this;
    // A loop: `fill` on a handful of numbers costs more than all else that a new node takes.
    for (let at = row * width, end = at + width; at < end; at++) data[at] = initial;
  }

  /** Sets `count` rows from `first` on to `initial`. */
  resetAll(first: number, count: number): void {
    this.data.fill(this.initial, first * this.width, (first + count) * this.width);
  }

  /** Makes room for this many rows. */
  grow(rows: number): void {
    this.data = widened(this.data, new this.#kind(rows * this.width));
  }

  /** Copies `count` rows to another place, which may overlap with theirs. */
  move(to: number, from: number, count: number): void {
    const { data, width } = this;
    if (width === 1 && count === 1) data[to] = data[from]!;
    else data.copyWithin(to * width, from * width, (from + count) * width);
  }

  /** Exchanges two rows. */
  swap(one: number, other: number): void {
    const { data, width } = this;
    for (let i = 0, a = one * width, b = other * width; i < width; i++, a++, b++) {
      const number = data[a]!;
      data[a] = data[b]!;
      data[b] = number;
    }
  }

  /** Takes the first `rows` rows of the same column of another tree. There must be room for them. */
  copy(from: TreeColumn, rows: number): void {
    const count = rows * this.width;
    for (let i = 0; i < count; i++) this.data[i] = from.data[i]!;
  }
}
