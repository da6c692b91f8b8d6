import type { Random } from "../src/random.ts";

const TUPLES = [
  [0, 1, 2, 3, 4, 5],
  [4, 5, 6, 7, 8, 9],
  [0, 1, 2, 4, 5, 6],
  [4, 5, 6, 8, 9, 10],
];
const TABLE = 16 ** 6;
const LOOKUPS = 8 * TUPLES.length;

/**
 * The same learner as one would first write it: a byte a cell, an index built cell by cell, 4x6 tables of weights, E
 * and A apart, TC with the lambda-return at the end of the game. Makes a function that plays and learns one game and
 * returns its number of moves.
 */
export function plainLearner(random: Random, lambda: number): () => number {
  const cells = TUPLES.flatMap((tuple, table) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((symmetry) => ({
      table,
      cells: tuple.map((cell) => image(cell, symmetry)),
    })),
  );
  const weights = new Float32Array(TUPLES.length * TABLE);
  const errors = new Float32Array(weights.length);
  const absolutes = new Float32Array(weights.length);
  const indices = new Int32Array(LOOKUPS);
  const board = new Uint8Array(16);
  const after = [new Uint8Array(16), new Uint8Array(16), new Uint8Array(16), new Uint8Array(16)];
  const path: Uint8Array[] = [];

  const look = (tiles: Uint8Array): number => {
    let sum = 0;
    for (let i = 0; i < LOOKUPS; i++) {
      const { table, cells: places } = cells[i]!;
      let index = table;
      for (let j = 0; j < 6; j++) index = 16 * index + Math.min(15, tiles[places[j]!]!);
      indices[i] = index;
      sum += weights[index]!;
    }
    return sum;
  };

  const step = (tiles: Uint8Array, target: number): number => {
    const share = (target - look(tiles)) / LOOKUPS;
    let sum = 0;
    for (let i = 0; i < LOOKUPS; i++) {
      const index = indices[i]!;
      const absolute = absolutes[index]!;
      weights[index]! += absolute === 0 ? share : (share * Math.abs(errors[index]!)) / absolute;
      errors[index]! += share;
      absolutes[index] = absolute + Math.abs(share);
      sum += weights[index]!;
    }
    return sum;
  };

  return () => {
    board.fill(0);
    spawn(board, random);
    spawn(board, random);
    const rewards: number[] = [];
    for (;;) {
      let best = -Infinity;
      let chosen = -1;
      let bestReward = 0;
      for (let direction = 0; direction < 4; direction++) {
        const reward = slide(board, direction, after[direction]!);
        if (reward < 0) continue;
        const value = reward + look(after[direction]!);
        if (value > best) {
          best = value;
          chosen = direction;
          bestReward = reward;
        }
      }
      if (chosen < 0) break;
      const decision = rewards.push(bestReward) - 1;
      path[decision] ??= new Uint8Array(16);
      path[decision].set(after[chosen]!);
      board.set(after[chosen]!);
      spawn(board, random);
    }
    let target = 0;
    for (let decision = rewards.length - 1; decision >= 0; decision--)
      target = rewards[decision]! + (1 - lambda) * step(path[decision]!, target) + lambda * target;
    return rewards.length;
  };
}

function image(cell: number, symmetry: number): number {
  let row = cell >> 2;
  let column = cell & 3;
  if (symmetry & 1) column = 3 - column;
  if (symmetry & 2) row = 3 - row;
  return symmetry & 4 ? 4 * column + row : 4 * row + column;
}

function spawn(board: Uint8Array, random: Random): void {
  let empty = 0;
  for (let cell = 0; cell < 16; cell++) if (board[cell] === 0) empty++;
  let which = random.below(empty);
  for (let cell = 0; cell < 16; cell++)
    if (board[cell] === 0 && which-- === 0) {
      board[cell] = random.below(10) === 0 ? 2 : 1;
      return;
    }
}

/** Slides up, right, down or left into `out`; returns the reward, or -1 if nothing changes. */
function slide(board: Uint8Array, direction: number, out: Uint8Array): number {
  out.fill(0);
  let reward = 0;
  let changed = false;
  for (let line = 0; line < 4; line++) {
    let to = 0;
    let mergeable = 0;
    for (let i = 0; i < 4; i++) {
      const tile = board[place(direction, line, i)]!;
      if (tile === 0) continue;
      if (tile === mergeable) {
        out[place(direction, line, to - 1)] = tile + 1;
        reward += 2 << tile;
        mergeable = 0;
      } else {
        out[place(direction, line, to++)] = tile;
        mergeable = tile;
      }
      if (to - 1 !== i) changed = true;
    }
  }
  return changed ? reward : -1;
}

function place(direction: number, line: number, i: number): number {
  if (direction === 0) return 4 * i + line;
  if (direction === 1) return 4 * line + 3 - i;
  if (direction === 2) return 4 * (3 - i) + line;
  return 4 * line + i;
}
