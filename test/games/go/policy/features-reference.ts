import { PlainLadders } from "../ladder-reference.ts";
import { EMPTY, type PlainGo } from "../reference.ts";

/** What a move has: grids in their least image under the eight symmetries, and flags. */
export interface PlainFeatures {
  /** 3x3 points around the move. */
  readonly pattern: string;
  /** 5x5 points around the last move, of which the inner 3x3 are shown, and the move. */
  readonly responsePattern?: string;
  readonly nakade?: string;
  readonly flags: readonly string[];
}

/** The grid of a text of rows, as the names of features have them. */
export function gridOf(text: string): string[][] {
  return text.split(" / ").map((row) => row.split(" "));
}

/** The least of the eight images of a grid. */
export function leastImage(grid: readonly (readonly string[])[]): string {
  const images: string[] = [];
  let image = grid.map((row) => [...row]);
  for (let i = 0; i < 8; i++) {
    images.push(image.map((row) => row.join(" ")).join(" / "));
    image = image[0]!.map((_, column) => image.map((row) => row[column]!).toReversed());
    if (i === 3) image = image.map((row) => row.toReversed());
  }
  return images.toSorted()[0]!;
}

/** The moves that a policy chooses from: legal ones that fill no own eye and are no suicide, or the pass. */
export function plainMoves(go: PlainGo): number[] {
  const moves = go
    .legal()
    .filter((move) => move !== go.pass && !go.isEye(move, go.mover))
    .filter((move) => go.outcome(move, go.mover + 1).suicides.length === 0);
  return moves.length === 0 ? [go.pass] : moves;
}

/** The features of a move by their definitions. */
export function plainFeatures(go: PlainGo, move: number): PlainFeatures {
  const { size } = go.rules;
  const own = go.mover + 1;
  const last = go.moves.at(-1) ?? go.pass;
  const rowOf = (point: number) => Math.floor(point / size);
  const columnOf = (point: number) => point % size;
  const few = (point: number) => Math.min(3, go.liberties(point).length);
  const window = (
    centre: number,
    reach: number,
    show: (point: number, row: number, column: number) => string,
  ) => {
    const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
    return steps.map((down) =>
      steps.map((right) => {
        const row = rowOf(centre) + down;
        const column = columnOf(centre) + right;
        if (row < 0 || row >= size || column < 0 || column >= size) return "#";
        return show(row * size + column, down, right);
      }),
    );
  };
  const stone = (point: number) => (go.board[point] === EMPTY ? "." : go.board[point] === own ? "x" : "o");
  const pattern = window(move, 1, (point) => {
    if (point === move) return "*";
    return go.board[point] === EMPTY ? "." : `${stone(point)}${few(point)}`;
  });

  const flags: string[] = [];
  let responsePattern: string | undefined;
  let nakade: string | undefined;
  const after = go.outcome(move, own).board;
  const chains = (points: readonly number[]) => points.filter((point) => go.board[point] === own);
  const inAtari = (point: number) => go.liberties(point).length === 1;
  const rescued = (point: number) =>
    inAtari(point) && after[point] === own && go.liberties(point, after).length >= 2;
  if (chains(go.points()).some(rescued)) flags.push("save atari");

  if (last !== go.pass) {
    const rows = Math.abs(rowOf(last) - rowOf(move));
    const columns = Math.abs(columnOf(last) - columnOf(move));
    if (rows + columns <= 2) {
      flags.push("response");
      responsePattern = leastImage(
        window(last, 2, (point, down, right) => {
          if (point === move) return "*";
          if (point === last) return `o${few(point)}`;
          return Math.abs(down) === 2 || Math.abs(right) === 2 ? "?" : stone(point);
        }).map((row, i) => row.map((cell, j) => (isOuter(i, j) && cell === "#" ? "?" : cell))),
      );
      if (rows + columns === 1) flags.push("neighbour beside");
      else if (rows === 1) flags.push("neighbour at a corner");
    }
    const before = go.positions.at(-2)!.board;
    const taken = go.points().filter((point) => before[point] === `${own}` && go.board[point] === EMPTY);
    if (taken.includes(move)) {
      const space = go.points().map((point) => (taken.includes(point) ? 1 : 0));
      const shape = go.chain(move, space);
      if (shape.length <= 6) nakade = shapeText(shape, move, rowOf, columnOf);
    }
    const ladders = new PlainLadders(size);
    if (
      go.liberties(last).length === 2 &&
      go.liberties(last).includes(move) &&
      ladders.captures(go.board, last, move)
    )
      flags.push("ladder capture");
    const beside = chains(go.beside(last)).filter(rescued);
    if (beside.some((prey) => ladders.escapes(go.board, prey, move))) flags.push("ladder escape");
  }
  return {
    pattern: leastImage(pattern),
    ...(responsePattern === undefined ? {} : { responsePattern }),
    ...(nakade === undefined ? {} : { nakade }),
    flags: flags.toSorted(),
  };
}

/** The outer ring of a grid of 5x5. */
function isOuter(row: number, column: number): boolean {
  return row % 4 === 0 || column % 4 === 0;
}

function shapeText(
  shape: readonly number[],
  move: number,
  rowOf: (point: number) => number,
  columnOf: (point: number) => number,
): string {
  const rows = shape.map(rowOf);
  const columns = shape.map(columnOf);
  const range = (values: readonly number[]) => {
    const least = Math.min(...values);
    return Array.from({ length: Math.max(...values) - least + 1 }, (_, i) => least + i);
  };
  return leastImage(
    range(rows).map((row) =>
      range(columns).map((column) => {
        const point = shape.find((each) => rowOf(each) === row && columnOf(each) === column);
        return point === undefined ? "." : point === move ? "*" : "o";
      }),
    ),
  );
}

const PLACES: Readonly<Record<string, readonly [row: number, column: number]>> = {
  "above left": [1, 1],
  above: [1, 2],
  "above right": [1, 3],
  right: [2, 3],
  "below right": [3, 3],
  below: [3, 2],
  "below left": [3, 1],
  left: [2, 1],
  "two above": [0, 2],
  "two right": [2, 4],
  "two below": [4, 2],
  "two left": [2, 0],
};

/** What the names of the features of a move say, in the form of `PlainFeatures`. */
export function featuresOfNames(names: readonly string[]): PlainFeatures {
  const flags: string[] = [];
  let pattern = "";
  let responsePattern: string | undefined;
  let nakade: string | undefined;
  for (const name of names) {
    if (name.startsWith("pattern ")) pattern = leastImage(gridOf(name.slice("pattern ".length)));
    else if (name.startsWith("nakade ")) nakade = leastImage(paddedGrid(name.slice("nakade ".length)));
    else if (name.startsWith("response pattern "))
      responsePattern = responseImage(name.slice("response pattern ".length));
    else if (name !== "nothing") flags.push(name);
  }
  return {
    pattern,
    ...(responsePattern === undefined ? {} : { responsePattern }),
    ...(nakade === undefined ? {} : { nakade }),
    flags: flags.toSorted(),
  };
}

/** The least image of the response pattern in a name. */
export function responseImage(text: string): string {
  const [, rows, place] = /^(\S+ \S+ \S+ \/ \S+ \S+ \S+ \/ \S+ \S+ \S+) (.*)$/.exec(text)!;
  const inner = gridOf(rows!);
  const grid = Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: 5 }, (__, column) => (isOuter(row, column) ? "?" : inner[row - 1]![column - 1]!)),
  );
  const [row, column] = PLACES[place!]!;
  grid[row]![column] = "*";
  return leastImage(grid);
}

/** Rows of a shape, which end with their last point, filled up to one width. */
export function paddedGrid(text: string): string[][] {
  const rows = gridOf(text);
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => ".")]);
}
