import { describe, expect, it } from "vitest";
import { actionAt, cellsOfAction, pieceOfAction } from "../../../src/games/blokus/board.ts";
import { isLegal } from "../../../src/games/blokus/legal.ts";
import { blokusOrientations, MONOMINO } from "../../../src/games/blokus/pieces.ts";
import { type BlokusState, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { OVER, type Planes } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { seatInTurnOrder } from "../../../src/games/turn-order.ts";
import { Random } from "../../../src/random.ts";
import { PlainBlokus } from "./reference.ts";
import { someOf } from "../../number-of-cases.ts";

const classic = openGame("blokus") as GameBlokus;
const duo = openGame("blokus-duo") as GameBlokus;

function written(planes: Planes<BlokusState>, state: BlokusState): Float32Array {
  const out = new Float32Array(planes.shape[0] * planes.shape[1] * planes.shape[2]).fill(Number.NaN);
  planes.write(state, out, 0);
  return out;
}

/** The first number in which two arrays differ, or -1: for arrays too long to be compared by the test's own means. */
function difference(found: Float32Array, wanted: Float32Array): number {
  expect(found.length).toBe(wanted.length);
  return found.findIndex((value, i) => !Object.is(value, wanted[i]));
}

/** By channel: the cells that are not 0, as the game writes them, and the values there. */
function channelsOf(game: GameBlokus, planes: Planes<BlokusState>, state: BlokusState) {
  const { size } = game.board;
  const channels = planes.shape[2];
  const out = written(planes, state);
  return Array.from({ length: channels }, (_, channel) => {
    const cells: string[] = [];
    const values = new Set<number>();
    for (let cell = 0; cell < size * size; cell++) {
      const value = out[cell * channels + channel]!;
      if (value === 0) continue;
      cells.push(`${String.fromCharCode(97 + (cell % size))}${size - Math.floor(cell / size)}`);
      values.add(value);
    }
    return { cells, values: [...values] };
  });
}

/** The cells of channels that hold nothing but 0 and 1. */
function ones(channels: ReturnType<typeof channelsOf>): string[] {
  return channels.map(({ cells, values }) => {
    expect(values).toEqual(cells.length === 0 ? [] : [1]);
    return cells.join(" ");
  });
}

/** A row of four, one for each seat, for everything that is shown of seats. */
function byFour(all: readonly string[]): string[][] {
  return Array.from({ length: all.length / 4 }, (_, row) => all.slice(4 * row, 4 * row + 4));
}

function after(game: GameBlokus, ...moves: readonly string[]): BlokusState {
  const state = game.initial();
  for (const move of moves) {
    const action = game.notation.parse(state, move);
    expect(action, move).toBeDefined();
    game.play(state, action!);
  }
  return state;
}

/** Plays one game at random; calls `visit` at every ply and at the end. */
function forEachPly(game: GameBlokus, random: Random, visit: (state: BlokusState) => void): void {
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  for (;;) {
    visit(state);
    if (game.toMove(state) === OVER) return;
    game.play(state, legal[random.below(game.legal(state, legal))]!);
  }
}

/** The opening of the tests by hand: five plies, the second seat to move. */
const opening = ["a20,b20", "t20,t19", "t1", "a1,b1,c1,d1,e1", "c19"] as const;

describe("the paper's planes", () => {
  it("have its shape: 33 channels, in Duo 17", () => {
    expect(classic.nets.planes.history.shape).toEqual([20, 20, 33]);
    expect(duo.nets.planes.history.shape).toEqual([14, 14, 17]);
    expect(Object.keys(classic.nets.planes)).toEqual(["history", "compact", "mobility"]);
  });

  it("are, after five plies, what table 1 says", () => {
    const channels = channelsOf(classic, classic.nets.planes.history, after(classic, ...opening));
    expect(byFour(ones(channels.slice(0, 32)))).toEqual([
      // Now: the mover, who is the second seat, the third, the fourth, the first.
      ["t20 t19", "t1", "a1 b1 c1 d1 e1", "a20 b20 c19"],
      ["t20 t19", "t1", "a1 b1 c1 d1 e1", "a20 b20"],
      ["t20 t19", "t1", "", "a20 b20"],
      ["t20 t19", "", "", "a20 b20"],
      ["", "", "", "a20 b20"],
      ["", "", "", ""],
      ["", "", "", ""],
      ["", "", "", ""],
    ]);
    expect(channels[32]!.cells.length).toBe(400);
    expect(channels[32]!.values).toEqual([Math.fround(5 / 84)]);
  });

  it("are, of Duo, two channels a position", () => {
    const channels = channelsOf(duo, duo.nets.planes.history, after(duo, "e10", "j5,k5", "f9,g9"));
    expect(ones(channels.slice(0, 6))).toEqual(["j5 k5", "e10 f9 g9", "j5 k5", "e10", "", "e10"]);
    expect(ones(channels.slice(6, 16)).join("")).toBe("");
    expect(channels[16]!.cells.length).toBe(196);
    expect(channels[16]!.values).toEqual([Math.fround(3 / 42)]);
  });

  it("are, of a smaller game, parts of its own pieces and squares", () => {
    const small = openGame("blokus", { size: 12, largestPiece: 4 }) as GameBlokus;
    const state = after(small, "a12,b12", "l12,l11,l10,l9");
    const { compact, history } = small.nets.planes;
    expect(channelsOf(small, history, state)[32]!.values).toEqual([Math.fround(2 / 36)]);
    // Squares in hand, and pieces of four squares, by turn order from the seat to move.
    const channels = channelsOf(small, compact, state);
    expect(channels.slice(12, 16).map(({ values }) => values)).toEqual(
      [29, 29, 27, 25].map((squares) => [Math.fround(squares / 29)]),
    );
    expect(channels.slice(16, 20).map(({ values }) => values)).toEqual(
      [5, 5, 5, 4].map((pieces) => [Math.fround(pieces / 5)]),
    );
    const { actionPlanes } = small.nets;
    const places = Array.from({ length: small.actions }, (_, action) => actionPlanes.index(action));
    expect(new Set(places).size).toBe(small.actions);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThan(28 * 144);
    expect(actionPlanes.planes).toBe(28);
  });

  it("show the seven positions before, of every position of a game", () => {
    for (const game of [classic, duo]) {
      const before: Int8Array[] = [];
      const { players } = game;
      forEachPly(game, Random.named("history", game.name), (state) => {
        const owners = new Int8Array(game.board.size ** 2);
        game.nets.ownership(state, owners);
        before.unshift(owners);
        const channels = game.nets.planes.history.shape[2];
        const wanted = new Float32Array(owners.length * channels);
        for (let k = 0; k < 8; k++)
          for (const [cell, owner] of (before[k] ?? []).entries())
            for (let place = 0; place < players; place++)
              if (owner === seatInTurnOrder(game, state, place))
                wanted[cell * channels + players * k + place] = 1;
        for (let cell = 0; cell < owners.length; cell++)
          wanted[(cell + 1) * channels - 1] = (before.length - 1) / (21 * players);
        expect(difference(written(game.nets.planes.history, state), wanted)).toBe(-1);
      });
    }
  });
});

describe("the compact planes", () => {
  it("are, after five plies, squares, free corners, free cells, hands", () => {
    const state = after(classic, ...opening);
    const channels = channelsOf(classic, classic.nets.planes.compact, state);
    expect(channels.length).toBe(21);
    expect(byFour(ones(channels.slice(0, 8)))).toEqual([
      ["t20 t19", "t1", "a1 b1 c1 d1 e1", "a20 b20 c19"],
      ["s18", "s2", "f2", "d20 b18 d18"],
    ]);
    const taken = ["t20", "t19", "t1", "a1", "b1", "c1", "d1", "e1", "a20", "b20", "c19"];
    const free = ones(channels.slice(8, 12)).map((cells) => new Set(cells.split(" ")));
    for (const [place, beside] of [
      ["s20", "s19", "t18"],
      ["s1", "t2"],
      ["a2", "b2", "c2", "d2", "e2", "f1"],
      ["a19", "b19", "c20", "d19", "c18"],
    ].entries()) {
      expect(free[place]!.size).toBe(400 - taken.length - beside.length);
      for (const cell of [...taken, ...beside]) expect(free[place]).not.toContain(cell);
    }
    expect(channels.slice(12).map(({ values }) => values)).toEqual(
      [87 / 89, 88 / 89, 84 / 89, 86 / 89, 1, 1, 11 / 12, 1, 5 / 84].map((value) => [Math.fround(value)]),
    );
    expect(channels.slice(12).every(({ cells }) => cells.length === 400)).toBe(true);
  });

  it.each([
    { game: classic, start: (g: GameBlokus) => new PlainBlokus(20, g.board.starts) },
    { game: duo, start: (g: GameBlokus) => new PlainBlokus(14, g.board.starts) },
  ])("are what the plain rules say, at every ply of a game of $game.name", ({ game, start }) => {
    const plain = start(game);
    const { players } = game;
    const { size } = game.board;
    const channels = game.nets.planes.compact.shape[2];
    const fives = (seat: number) => {
      const laid = blokusOrientations.filter(({ size: squares }) => squares === 5).map(({ piece }) => piece);
      return [...new Set(laid)].filter((piece) => (state.left[seat]! >> piece) & 1).length;
    };
    const at = (x: number, y: number) =>
      x < 0 || y < 0 || x >= size || y >= size ? undefined : plain.owner[y * size + x];
    const state = game.initial();
    const random = Random.named("compact", game.name);
    const legal = new Int32Array(game.maxLegal);
    for (;;) {
      const wanted = new Float32Array(size * size * channels);
      for (let place = 0; place < players; place++) {
        const seat = (Math.max(0, plain.mover) + place) % players;
        const begun = plain.owner.includes(seat);
        const inHand = (89 - plain.squares()[seat]!) / 89;
        const large = fives(seat) / 12;
        for (let y = 0; y < size; y++)
          for (let x = 0; x < size; x++) {
            const cell = (y * size + x) * channels;
            const beside = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)].includes(seat);
            const corner = begun
              ? [at(x - 1, y - 1), at(x + 1, y - 1), at(x - 1, y + 1), at(x + 1, y + 1)].includes(seat)
              : plain.starts[seat]![0] === x && plain.starts[seat]![1] === y;
            const free = at(x, y) === -1 && !beside && !plain.out[seat];
            wanted[cell + place] = at(x, y) === seat ? 1 : 0;
            wanted[cell + players + place] = free && corner ? 1 : 0;
            wanted[cell + 2 * players + place] = free ? 1 : 0;
            wanted[cell + 3 * players + place] = inHand;
            wanted[cell + 4 * players + place] = large;
            wanted[cell + 5 * players] = state.plies / (21 * players);
          }
      }
      expect(difference(written(game.nets.planes.compact, state), wanted)).toBe(-1);
      if (plain.mover < 0) return;
      const action = legal[random.below(game.legal(state, legal))]!;
      game.play(state, action);
      plain.play(cellsOfAction(game.board, action));
    }
  });
});

describe("the planes of mobility", () => {
  it.each([classic, duo])("show what each seat of $name could lay, at the plies of a game", (game) => {
    const { players } = game;
    const { planes } = game.nets;
    const channels = planes.mobility.shape[2];
    const cells = game.board.size ** 2;
    const states: BlokusState[] = [];
    forEachPly(game, Random.named("mobility", game.name), (state) => states.push(structuredClone(state)));
    for (const state of someOf(states)) {
      const compact = written(planes.compact, state);
      const wanted = new Float32Array(cells * channels);
      for (let cell = 0; cell < cells; cell++) {
        for (let channel = 0; channel < 3 * players; channel++)
          wanted[cell * channels + channel] = compact[cell * (5 * players + 1) + channel]!;
        for (let place = 0; place < players; place++)
          wanted[cell * channels + 4 * players + place] =
            compact[cell * (5 * players + 1) + 3 * players + place]!;
        wanted[(cell + 1) * channels - 1] = state.plies / (21 * players);
      }
      for (let place = 0; place < players; place++) {
        const seat = seatInTurnOrder(game, state, place);
        const pieces = new Map<number, number>();
        let moves = 0;
        for (let action = 0; action < game.actions; action++) {
          if (!isLegal(state, game.board, seat, action)) continue;
          moves++;
          const covered = cellsOfAction(game.board, action);
          pieces.set(pieceOfAction(game.board, action), covered.length);
          for (const [x, y] of covered) {
            const at = (y * game.board.size + x) * channels + 3 * players + place;
            wanted[at] = Math.max(wanted[at]!, Math.fround(covered.length / 5));
          }
        }
        let squares = 0;
        for (const size of pieces.values()) squares += size;
        for (let cell = 0; cell < cells; cell++) {
          wanted[cell * channels + 5 * players + place] = squares / 89;
          wanted[cell * channels + 6 * players + place] = Math.log2(1 + moves) / 10;
        }
      }
      expect(difference(written(planes.mobility, state), wanted)).toBe(-1);
    }
  });
});

describe.each([classic, duo])("what nets see of $name", (game) => {
  /** Where a symmetry puts a cell: where it puts the single square. */
  const imageOf = (cell: number, symmetry: number) => {
    const { size } = game.board;
    const monomino = blokusOrientations.findIndex(({ piece }) => piece === MONOMINO);
    const action = actionAt(game.board, monomino, cell % size, Math.floor(cell / size));
    const [x, y] = cellsOfAction(game.board, game.symmetry.action(action, symmetry))[0]!;
    return y * size + x;
  };

  it("commute with symmetries, the seats in turn order whichever way they go round", () => {
    const image = game.initial();
    for (const planes of Object.values(game.nets.planes)) {
      const channels = planes.shape[2];
      forEachPly(game, Random.named("turned", game.name), (state) => {
        // A finished game is shown from the first seat, in its image too.
        if (state.plies % 7 !== 4 || state.toMove === OVER) return;
        const plain = written(planes, state);
        for (let symmetry = 1; symmetry < game.symmetry.count; symmetry++) {
          game.symmetry.transform(state, symmetry, image);
          const wanted = new Float32Array(plain.length);
          for (let cell = 0; cell < plain.length / channels; cell++)
            wanted.set(
              plain.subarray(cell * channels, (cell + 1) * channels),
              imageOf(cell, symmetry) * channels,
            );
          expect(difference(written(planes, image), wanted)).toBe(-1);
          for (let place = 0; place < game.players; place++)
            expect(seatInTurnOrder(game, image, place)).toBe(
              game.symmetry.seat(seatInTurnOrder(game, state, place), symmetry),
            );
        }
      });
    }
  });

  it("has a plane for each orientation, and a cell of the piece for each placement", () => {
    const { index, planes } = game.nets.actionPlanes;
    expect(planes).toBe(91);
    const cells = game.board.size ** 2;
    const misplaced = Array.from({ length: game.actions }, (_, action) => action).filter((action) => {
      const plane = Math.floor(index(action) / cells);
      const cell = index(action) % cells;
      const covers = cellsOfAction(game.board, action).some(([x, y]) => y * game.board.size + x === cell);
      return plane !== game.board.placements[action]! >> 16 || !covers;
    });
    expect(misplaced).toEqual([]);
  });

  it("shows each placement at the first of the squares that lie nearest to all its squares", () => {
    const cells = game.board.size ** 2;
    const misplaced = Array.from({ length: game.actions }, (_, action) => action).filter((action) => {
      const squares = cellsOfAction(game.board, action);
      // The sum of squared distances to all squares is least where the distance to their mean is (Huygens and Steiner).
      const sums = squares.map(([x, y]) =>
        squares.reduce((sum, [otherX, otherY]) => sum + (x - otherX) ** 2 + (y - otherY) ** 2, 0),
      );
      const [x, y] = squares[sums.indexOf(Math.min(...sums))]!;
      return game.nets.actionPlanes.index(action) % cells !== y * game.board.size + x;
    });
    expect(misplaced).toEqual([]);
  });

  it("puts placements at the middle of their piece", () => {
    const { size } = game.board;
    const at = (text: string) => {
      const cells = text
        .split(",")
        .map((cell) => cell.charCodeAt(0) - 97 + size * (size - Number(cell.slice(1))));
      return (middle: number) => {
        const action = Array.from({ length: game.actions }, (_, i) => i).find(
          (each) =>
            cellsOfAction(game.board, each)
              .map(([x, y]) => y * size + x)
              .toSorted((a, b) => a - b)
              .join() === cells.toSorted((a, b) => a - b).join(),
        )!;
        expect(game.nets.actionPlanes.index(action) % size ** 2).toBe(cells[middle]);
      };
    };
    at("c5,c4,c3,c2,c1")(2);
    at("f8,e7,f7,g7,f6")(2);
    // The two cells in the middle are as near: the left one comes first.
    at("a1,b1,c1,d1")(1);
  });
});
