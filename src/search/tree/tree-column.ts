import { widened } from "./nodes.ts";

/** The arrays that a column can have. More kinds would slow down the loops over a tree's columns. */
export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

/**
 * A quantity that a part of a search keeps for every node or every edge of a tree: `width` numbers for each, row-major.
 *
 * The tree makes it (`SearchTree.nodeColumn`, `edgeColumn`), gives new nodes and edges the number `initial`, and moves
 * the numbers along when it grows, moves edges or drops a part of itself.
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
    if (initial !== 0) this.data.fill(initial);
  }

  /** Sets the rows from `from` up to `to` to `initial`. */
  reset(from: number, to: number): void {
    this.data.fill(this.initial, from * this.width, to * this.width);
  }

  /** Makes room for this many rows, all new ones `initial`. */
  grow(rows: number): void {
    const { length } = this.data;
    this.data = widened(this.data, new this.#kind(rows * this.width));
    if (this.initial !== 0) this.data.fill(this.initial, length);
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
