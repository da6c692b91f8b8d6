/**
 * The rules of 2048 in the plainest words, to test the fast ones against: boards are arrays of rows of tile values.
 */
export type Board = readonly (readonly number[])[];

/** Slides one line towards its beginning. */
function slideLine(line: readonly number[]): { line: number[]; reward: number } {
  const tiles = line.filter((tile) => tile !== 0);
  const slid: number[] = [];
  let reward = 0;
  while (tiles.length > 0) {
    const tile = tiles.shift()!;
    if (tiles[0] === tile) {
      tiles.shift();
      slid.push(2 * tile);
      reward += 2 * tile;
    } else slid.push(tile);
  }
  return { line: [...slid, ...line.map(() => 0)].slice(0, line.length), reward };
}

/** Slides a board in direction `up`, `right`, `down` or `left`. */
export function slideBoard(
  board: Board,
  direction: string,
): { board: Board; reward: number; legal: boolean } {
  const vertical = direction === "up" || direction === "down";
  const backwards = direction === "right" || direction === "down";
  const turn = (from: Board) => (vertical ? transposed(from) : from);
  const flip = (from: Board) => (backwards ? from.map((line) => line.toReversed()) : from);
  const slid = flip(turn(board)).map(slideLine);
  const after = turn(flip(slid.map(({ line }) => line)));
  return {
    board: after,
    reward: slid.reduce((sum, { reward }) => sum + reward, 0),
    legal: JSON.stringify(after) !== JSON.stringify(board),
  };
}

/** The number of sequences of `depth` plies from the empty board, on which chance moves twice. */
export function countGames(rows: number, columns: number, depth: number): number {
  const empty = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
  return count(empty, depth, 2);
}

/** The number of sequences of `depth` plies from the text of a position. */
export function countFrom(position: string, depth: number): number {
  const [text, mover] = position.split(" ");
  const board = text!
    .split("/")
    .map((row) => row.split(",").map((tile) => (tile === "." ? 0 : Number(tile))));
  const empty = board.flat().every((tile) => tile === 0);
  return count(board, depth, mover === "c" ? (empty ? 2 : 1) : 0);
}

function count(board: Board, depth: number, spawns: number): number {
  if (depth === 0) return 1;
  let total = 0;
  if (spawns === 0) {
    for (const direction of ["up", "right", "down", "left"]) {
      const after = slideBoard(board, direction);
      if (after.legal) total += count(after.board, depth - 1, 1);
    }
    return total;
  }
  for (const [r, row] of board.entries())
    for (const [c, held] of row.entries())
      if (held === 0)
        for (const tile of [2, 4]) total += count(board.with(r, row.with(c, tile)), depth - 1, spawns - 1);
  return total;
}

function transposed(board: Board): number[][] {
  return board[0]!.map((_, c) => board.map((row) => row[c]!));
}
