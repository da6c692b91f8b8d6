import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * What a perfect player of 2048 on a small board expects to earn from its start, exactly, without any code of the game.
 *
 * A slide leaves the sum of the tiles as it is and a new tile adds 2 or 4, so positions come in layers: all that can be
 * reached is gone through layer by layer, then valued from the last layer to the first. Of symmetric positions one stands
 * for all. As a program, `node bin/node.js test/models/optimum-2048.ts ROWS COLUMNS`, it prints the number; for 3x3
 * that takes more than six minutes.
 */
export function optimum2048(rows: number, columns: number): { value: number; positions: number } {
  const board = new Board(rows, columns);
  const layers: Set<number>[] = [];
  const layer = (sum: number) => (layers[sum] ??= new Set());
  // Sums are counted in twos: the two tiles of the start are 2, 3 or 4.
  for (let first = 0; first < rows * columns; first++)
    for (let second = 0; second < first; second++)
      for (const a of [1, 2]) for (const b of [1, 2]) layer(a + b).add(board.with([first, a], [second, b]));
  let positions = 0;
  for (let sum = 2; sum < layers.length; sum++)
    for (const position of layer(sum)) {
      positions++;
      for (const { after } of board.slides(position))
        for (const { tile, next } of board.newTiles(after)) layer(sum + tile).add(next);
    }
  const values: Map<number, number>[] = [];
  const mean = (after: number, sum: number) => {
    let total = 0;
    let count = 0;
    for (const { tile, next } of board.newTiles(after)) {
      total += (tile === 1 ? 0.9 : 0.1) * values[sum + tile]!.get(next)!;
      if (tile === 1) count++;
    }
    return total / count;
  };
  for (let sum = layers.length - 1; sum >= 2; sum--) {
    const known = (values[sum] = new Map<number, number>());
    for (const position of layer(sum)) {
      let best = 0;
      for (const { after, reward } of board.slides(position))
        best = Math.max(best, reward + mean(after, sum));
      known.set(position, best);
    }
    values[sum + 3] = new Map();
    layers[sum + 3] = new Set();
  }
  let value = 0;
  for (const { tile, next } of board.newTiles(0)) {
    value += ((tile === 1 ? 0.9 : 0.1) / (rows * columns)) * mean(next, tile);
  }
  return { value, positions };
}

interface Slide {
  readonly after: number;
  readonly reward: number;
}
interface NewTile {
  /** 1 or 2: the exponent, and what it adds to the sum in twos. */
  readonly tile: number;
  readonly next: number;
}

/** Boards as numbers: the exponents of the cells as digits, the least of the symmetric images. */
class Board {
  readonly #size: number;
  readonly #base: number;
  /** The lines as cells, in each of the four directions. */
  readonly #directions: readonly (readonly (readonly number[])[])[];
  /** For each symmetry and each half of the cells: the image's number by the half's number. */
  readonly #images: readonly (readonly [low: Float64Array, high: Float64Array])[];
  readonly #split: number;
  readonly #powers: readonly number[];

  constructor(rows: number, columns: number) {
    const size = rows * columns;
    this.#size = size;
    // The greatest tile is 2^(cells + 1).
    this.#base = size + 2;
    this.#powers = Array.from({ length: size }, (_, cell) => this.#base ** cell);
    const at = (row: number, column: number) => row * columns + column;
    const range = (count: number) => Array.from({ length: count }, (_, i) => i);
    const across = range(rows).map((row) => range(columns).map((column) => at(row, column)));
    const down = range(columns).map((column) => range(rows).map((row) => at(row, column)));
    const turned = (lines: number[][]) => lines.map((line) => line.toReversed());
    this.#directions = [across, turned(across), down, turned(down)];
    const cells = Math.ceil(size / 2);
    this.#split = this.#base ** cells;
    const symmetries = (rows === columns ? [false, true] : [false]).flatMap((transposed) =>
      [false, true].flatMap((flipped) =>
        [false, true].map((mirrored) =>
          range(size).map((cell) => {
            const row = Math.floor(cell / columns);
            const column = cell % columns;
            const [to, along] = [flipped ? rows - 1 - row : row, mirrored ? columns - 1 - column : column];
            return transposed ? at(along, to) : at(to, along);
          }),
        ),
      ),
    );
    const half = (count: number, first: number, symmetry: readonly number[]) =>
      Float64Array.from({ length: this.#base ** count }, (_, number) => {
        let image = 0;
        for (let i = 0, rest = number; i < count; i++, rest = Math.floor(rest / this.#base))
          image += (rest % this.#base) * this.#powers[symmetry[first + i]!]!;
        return image;
      });
    this.#images = symmetries.map(
      (symmetry) => [half(cells, 0, symmetry), half(size - cells, cells, symmetry)] as const,
    );
  }

  /** The empty board with tiles. */
  with(...tiles: readonly (readonly [cell: number, exponent: number])[]): number {
    return this.#least(tiles.reduce((sum, [cell, exponent]) => sum + exponent * this.#powers[cell]!, 0));
  }

  /** The slides that change something; of several that lead to one position all. */
  slides(position: number): Slide[] {
    const cells = this.#cells(position);
    const found: Slide[] = [];
    for (const lines of this.#directions) {
      let after = 0;
      let reward = 0;
      for (const line of lines) {
        let to = 0;
        let waiting = 0;
        const put = (exponent: number) => (after += exponent * this.#powers[line[to++]!]!);
        for (const cell of line) {
          const exponent = cells[cell]!;
          if (exponent === 0) continue;
          if (exponent === waiting) {
            put(exponent + 1);
            reward += 2 ** (exponent + 1);
            waiting = 0;
          } else {
            if (waiting !== 0) put(waiting);
            waiting = exponent;
          }
        }
        if (waiting !== 0) put(waiting);
      }
      if (after !== position) found.push({ after: this.#least(after), reward });
    }
    return found;
  }

  newTiles(after: number): NewTile[] {
    const cells = this.#cells(after);
    const found: NewTile[] = [];
    for (let cell = 0; cell < this.#size; cell++)
      if (cells[cell] === 0)
        for (const tile of [1, 2])
          found.push({ tile, next: this.#least(after + tile * this.#powers[cell]!) });
    return found;
  }

  #cells(position: number): number[] {
    const cells: number[] = [];
    for (let cell = 0, rest = position; cell < this.#size; cell++, rest = Math.floor(rest / this.#base))
      cells.push(rest % this.#base);
    return cells;
  }

  #least(position: number): number {
    const high = Math.floor(position / this.#split);
    const low = position - high * this.#split;
    let least = Infinity;
    for (const [lows, highs] of this.#images) least = Math.min(least, lows[low]! + highs[high]!);
    return least;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [rows, columns] = process.argv.slice(2).map(Number) as [number, number];
  const { value, positions } = optimum2048(rows, columns);
  console.log(`${rows}x${columns}: ${value.toFixed(10)}, ${positions.toLocaleString("en")} positions`);
}
