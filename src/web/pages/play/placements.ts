import type { GridBoard } from "../../../figures/boards/board.ts";
import type { MoveShown } from "../../views/play-views.ts";

/** Squares of a piece as it lies, from the top left of its bounding box, row by row. */
export type BlockShape = readonly (readonly [x: number, y: number])[];

/** A piece held over the board: how it lies, and where the top left corner of its bounding box is. */
export interface Ghost {
  readonly piece: string;
  readonly shape: BlockShape;
  readonly x: number;
  readonly y: number;
}

/** The size of a board. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The same squares from the top left, row by row. */
export function normalShape(shape: BlockShape): BlockShape {
  const left = Math.min(...shape.map(([x]) => x));
  const top = Math.min(...shape.map(([, y]) => y));
  return shape
    .map(([x, y]) => [x - left, y - top] as const)
    .toSorted(([ax, ay], [bx, by]) => ay - by || ax - bx);
}

/** Turned by 90 degrees, to the right or to the left. */
export function turned(shape: BlockShape, right: boolean): BlockShape {
  return normalShape(shape.map(([x, y]) => (right ? [-y, x] : [y, -x])));
}

/** Flipped over, left to right. */
export function flipped(shape: BlockShape): BlockShape {
  return normalShape(shape.map(([x, y]) => [-x, y]));
}

/** The ghost of a placement. */
export function ghostOf({ place }: MoveShown, { columns }: Size): Ghost | undefined {
  if (place?.cells === undefined || place.piece === undefined) return undefined;
  const squares = place.cells.map((cell) => [cell % columns, Math.floor(cell / columns)] as const);
  return {
    piece: place.piece,
    shape: normalShape(squares),
    x: Math.min(...squares.map(([x]) => x)),
    y: Math.min(...squares.map(([, y]) => y)),
  };
}

/** The cells under a ghost. */
export function cellsOf({ shape, x, y }: Ghost, { columns }: Size): number[] {
  return shape.map(([dx, dy]) => (y + dy) * columns + x + dx);
}

/** The ghost at another place, within the board. */
export function movedTo(ghost: Ghost, x: number, y: number, { columns, rows }: Size): Ghost {
  const right = Math.max(...ghost.shape.map(([dx]) => dx));
  const bottom = Math.max(...ghost.shape.map(([, dy]) => dy));
  return {
    ...ghost,
    x: Math.max(0, Math.min(columns - 1 - right, x)),
    y: Math.max(0, Math.min(rows - 1 - bottom, y)),
  };
}

/** The ghost turned or flipped about its middle. */
export function reshaped(ghost: Ghost, shape: BlockShape, size: Size): Ghost {
  const [before, after] = [middle(ghost.shape), middle(shape)];
  return movedTo(
    { ...ghost, shape },
    Math.round(ghost.x + before[0] - after[0]),
    Math.round(ghost.y + before[1] - after[1]),
    size,
  );
}

function middle(shape: BlockShape): readonly [number, number] {
  return [Math.max(...shape.map(([x]) => x)) / 2, Math.max(...shape.map(([, y]) => y)) / 2];
}

/** The legal move that lays the piece where the ghost is. */
export function moveUnder(ghost: Ghost, moves: readonly MoveShown[], size: Size): MoveShown | undefined {
  const cells = new Set(cellsOf(ghost, size));
  return moves.find(
    ({ place }) =>
      place?.piece === ghost.piece &&
      place.cells?.length === cells.size &&
      place.cells.every((cell) => cells.has(cell)),
  );
}

/** The moves of a piece in the order in which one goes through them: those that lie as the ghost does first. */
export function fittingPlaces(ghost: Ghost, moves: readonly MoveShown[], size: Size): readonly Ghost[] {
  const own = moves.flatMap((move) => {
    const each = ghostOf(move, size);
    return each?.piece === ghost.piece ? [each] : [];
  });
  const key = ({ shape }: Ghost) => shape.join(";");
  const keys = [...new Set([key(ghost), ...own.map(key)])];
  return own.toSorted((a, b) => keys.indexOf(key(a)) - keys.indexOf(key(b)) || a.y - b.y || a.x - b.x);
}

/** The nearest place to a cell where the piece fits: one that covers the cell and lies as now, if there is one. */
export function nearestFit(
  ghost: Ghost,
  cell: number,
  moves: readonly MoveShown[],
  size: Size,
): Ghost | undefined {
  const [cx, cy] = [cell % size.columns, Math.floor(cell / size.columns)];
  const far = (each: Ghost) =>
    Math.min(...each.shape.map(([dx, dy]) => Math.abs(each.x + dx - cx) + Math.abs(each.y + dy - cy)));
  const turns = (each: Ghost) => (each.shape.join(";") === ghost.shape.join(";") ? 0 : 1);
  const places = fittingPlaces(ghost, moves, size).map((each) => ({
    each,
    far: far(each),
    turns: turns(each),
  }));
  return places.toSorted((a, b) => a.far - b.far || a.turns - b.turns)[0]?.each;
}

/** Why a piece of a seat must not cover these cells of a board: what the rules of Blokus forbid first. */
export function misfit(
  cells: readonly number[],
  seat: number | undefined,
  board: GridBoard | undefined,
): string {
  if (seat === undefined || board === undefined) return "it is not legal";
  const { columns, dots = [], pieces, rows } = board;
  const owners = new Map(pieces.flatMap((piece) => piece.cells.map((cell) => [cell, piece.seat] as const)));
  if (cells.some((cell) => owners.has(cell))) return "it would cover another piece";
  const touches = (steps: readonly (readonly [number, number])[]) =>
    cells.some((cell) =>
      steps.some(([dx, dy]) => {
        const [x, y] = [(cell % columns) + dx, Math.floor(cell / columns) + dy];
        return x >= 0 && x < columns && y >= 0 && y < rows && owners.get(y * columns + x) === seat;
      }),
    );
  if (touches(EDGES)) return "it would touch a side of your own pieces";
  if (pieces.some((piece) => piece.seat === seat))
    return touches(CORNERS) ? "it is not legal" : "it touches no corner of your own pieces";
  return cells.some((cell) => dots.includes(cell))
    ? "that start cell is not yours"
    : "your first piece covers your start cell";
}

const EDGES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;
const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

/** Open corners of a seat: cells where one of its moves touches its own squares at a corner; before its first move all that it may cover from. */
export function openCorners(
  moves: readonly MoveShown[],
  own: readonly number[],
  starts: readonly number[],
  { columns, rows }: Size,
): number[] {
  const covered = new Set(moves.flatMap(({ place }) => place?.cells ?? []));
  if (own.length === 0) return starts.filter((cell) => covered.has(cell));
  const mine = new Set(own);
  const at = (x: number, y: number) =>
    x >= 0 && x < columns && y >= 0 && y < rows && mine.has(y * columns + x);
  return [...covered].filter((cell) => {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    const corner = at(x - 1, y - 1) || at(x + 1, y - 1) || at(x - 1, y + 1) || at(x + 1, y + 1);
    return corner && !at(x - 1, y) && !at(x + 1, y) && !at(x, y - 1) && !at(x, y + 1);
  });
}
