import { describe, expect, it } from "vitest";
import { cellsOfAction } from "../../../src/games/blokus/board.ts";
import { type BlokusState, classicBoard, duoBoard, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { blokusPieces } from "../../../src/games/blokus/pieces.ts";
import { actionOfPly, seatOfPly } from "../../../src/games/blokus/state.ts";
import { OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { casesOf } from "../../number-of-cases.ts";

const SIZE = 14;
const game = new GameBlokus("blokus-duo", duoBoard(), { scoring: "advanced" });
const { names } = game.linear.features!;

type Side = { laid: Set<number>; pieces: number[] };

/** The features of one side by their definitions in words, on sets of cells, from the moves alone. */
function slowFeatures(state: BlokusState, seat: number): Record<string, number> {
  const sides: Side[] = [0, 1].map(() => ({
    laid: new Set(),
    pieces: blokusPieces.map((_, piece) => piece),
  }));
  for (let ply = 0; ply < state.plies; ply++) {
    const side = sides[seatOfPly(state, ply)]!;
    const action = actionOfPly(state, ply);
    for (const [x, y] of cellsOfAction(duoBoard(), action)) side.laid.add(y * SIZE + x);
    const size = game.search.preference(action);
    side.pieces = side.pieces.filter((piece) => piece !== pieceOf(action, size));
  }
  const all: Record<string, number> = { one: 1, "to move": game.toMove(state) === seat ? 1 : 0 };
  const cellsOf = (owner: number) => {
    const own = sides[owner]!;
    const taken = (cell: number) => sides.some(({ laid }) => laid.has(cell));
    const free = (cell: number) => !taken(cell) && !edges(cell).some((beside) => own.laid.has(beside));
    const [startX, startY] = duoBoard().starts[owner]!;
    const points = cells().filter(
      (cell) =>
        own.pieces.length > 0 &&
        free(cell) &&
        (own.laid.size === 0
          ? cell === startY * SIZE + startX
          : corners(cell).some((beside) => own.laid.has(beside))),
    );
    return { own, free, points };
  };
  /** Steps from the attach points to each cell that can be covered, by breadth-first search. */
  const distances = (owner: number, neighbours: (cell: number) => number[]) => {
    const { free, points } = cellsOf(owner);
    const steps = new Map(points.map((cell) => [cell, 0]));
    for (let front = points; front.length > 0;) {
      const next: number[] = [];
      for (const cell of front)
        for (const beside of neighbours(cell))
          if (free(beside) && !steps.has(beside)) {
            steps.set(beside, steps.get(cell)! + 1);
            next.push(beside);
          }
      front = next;
    }
    return steps;
  };
  for (const [name, owner] of [
    ["own", seat],
    ["their", 1 - seat],
  ] as const) {
    const { own, points } = cellsOf(owner);
    const largest = Math.max(0, ...own.pieces.map((piece) => blokusPieces[piece]!.size));
    const edgeSteps = distances(owner, edges);
    const mine = distances(owner, (cell) => [...edges(cell), ...corners(cell)]);
    const other = distances(1 - owner, (cell) => [...edges(cell), ...corners(cell)]);
    const moves = legalMoves(state, owner).map((action) => game.search.preference(action));
    const count = (least: number, most: number) =>
      Math.log(1 + moves.filter((size) => size >= least && size <= most).length) / Math.log(1025);
    all[`${name} placed`] = own.laid.size / 89;
    all[`${name} largest`] = largest / 5;
    all[`${name} points`] = points.length / 32;
    all[`${name} reach`] =
      cells().filter((cell) => (edgeSteps.get(cell) ?? 99) < Math.max(1, largest)).length / 196;
    all[`${name} nearer`] =
      cells().filter((cell) => mine.has(cell) && mine.get(cell)! < (other.get(cell) ?? Infinity)).length /
      196;
    all[`${name} sole`] = cells().filter((cell) => mine.has(cell) && !other.has(cell)).length / 196;
    all[`${name} moves of 5`] = count(5, 5);
    all[`${name} moves of 4`] = count(4, 4);
    all[`${name} moves of 1-3`] = count(1, 3);
  }
  return all;
}

const cells = () => Array.from({ length: SIZE * SIZE }, (_, cell) => cell);

function around(cell: number, steps: readonly (readonly [number, number])[]): number[] {
  const [x, y] = [cell % SIZE, Math.floor(cell / SIZE)];
  return steps
    .map(([dx, dy]) => [x + dx, y + dy] as const)
    .filter(([column, row]) => column >= 0 && column < SIZE && row >= 0 && row < SIZE)
    .map(([column, row]) => row * SIZE + column);
}

const edges = (cell: number) =>
  around(cell, [
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ]);
const corners = (cell: number) =>
  around(cell, [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ]);

/** The piece that an action lays, known from its cells: the one whose orientations have that shape. */
function pieceOf(action: number, size: number): number {
  const text = shape(cellsOfAction(duoBoard(), action));
  const found = pieceOfShape.get(text);
  expect(blokusPieces[found!]!.size).toBe(size);
  return found!;
}

const shape = (squares: readonly (readonly [number, number])[]) => {
  const left = Math.min(...squares.map(([x]) => x));
  const top = Math.min(...squares.map(([, y]) => y));
  return squares
    .map(([x, y]) => `${x - left},${y - top}`)
    .toSorted()
    .join(" ");
};

const pieceOfShape = new Map<string, number>();
for (let action = 0; action < duoBoard().actions; action++)
  pieceOfShape.set(shape(cellsOfAction(duoBoard(), action)), duoPiece(action));

function duoPiece(action: number): number {
  const state = game.initial();
  // A piece in hand is gone when it has been laid: the bit that changes names it.
  const before = state.left[0]!;
  game.play(state, action);
  return 31 - Math.clz32(before & ~state.left[0]!);
}

/** The legal moves of a seat, to move or not, found by asking the rules with the turn given to it. */
function legalMoves(state: BlokusState, seat: number): number[] {
  const asMover = game.initial();
  game.copy(state, asMover);
  asMover.toMove = seat;
  const legal = new Int32Array(game.maxLegal);
  return [...legal.subarray(0, game.legal(asMover, legal))];
}

/** Compares the features of a position from both sides with their definitions. */
function expectDefined(state: BlokusState): void {
  for (const seat of [0, 1]) {
    const row = new Float64Array(names.length).fill(NaN);
    game.linear.features!.write(state, seat, row);
    const expected = slowFeatures(state, seat);
    expect(Object.keys(expected).toSorted()).toEqual([...names].toSorted());
    for (const [i, name] of names.entries())
      expect(row[i], `${name}, ply ${state.plies}, seat ${seat}`).toBeCloseTo(expected[name]!, 12);
  }
}

describe("the features of Blokus Duo", () => {
  it("are what their definitions say, from both sides, at every ply of games played at random", () => {
    for (let number = 0; number < casesOf(2, 1); number++) {
      const random = Random.named("features", number);
      const state = game.initial();
      const legal = new Int32Array(game.maxLegal);
      for (;;) {
        expectDefined(state);
        if (game.toMove(state) === OVER) break;
        game.play(state, legal[random.below(game.legal(state, legal))]!);
      }
    }
  });

  it("are what their definitions say if a seat has laid all its pieces", () => {
    const random = Random.named("features of a seat without pieces");
    let found: BlokusState | undefined;
    for (let attempt = 0; found === undefined && attempt < 500; attempt++) {
      const state = game.initial();
      while (game.search.passTo(state, 0)) game.play(state, game.playouts.preferred(state, random));
      if (state.left[0] === 0) found = state;
    }
    expect(found?.placed[0]).toBe(89);
    expectDefined(found!);
    game.search.passTo(found!, 1);
    game.play(found!, game.playouts.preferred(found!, random));
    expectDefined(found!);
  });

  it("lie between 0 and 1, and are the same from either side with the sides changed", () => {
    const random = Random.named("sides");
    const state = game.initial();
    const legal = new Int32Array(game.maxLegal);
    const rows = [new Float64Array(names.length), new Float64Array(names.length)];
    while (game.toMove(state) !== OVER) {
      for (const seat of [0, 1]) game.linear.features!.write(state, seat, rows[seat]!);
      for (const [i, name] of names.entries()) {
        expect(rows[0]![i]).toBeGreaterThanOrEqual(0);
        expect(rows[0]![i]).toBeLessThanOrEqual(1);
        if (name.startsWith("own "))
          expect(rows[1]![names.indexOf(name.replace("own", "their"))]).toBe(rows[0]![i]);
      }
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    }
  });

  it("are for two seats", () => {
    expect(names).toHaveLength(20);
    expect(
      new GameBlokus("blokus", classicBoard(), { scoring: "advanced" }).linear?.features,
    ).toBeUndefined();
  });
});
