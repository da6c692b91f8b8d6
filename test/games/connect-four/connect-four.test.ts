import { describe, expect, it } from "vitest";
import { GameConnectFour } from "../../../src/games/connect-four/connect-four.ts";
import type { ConnectFourState } from "../../../src/games/connect-four/state.ts";
import { OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { hasFourOf, isOver, movesOf, openLinesOf, readBoard } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const sizes = [
  { columns: 7, rows: 6 },
  { columns: 8, rows: 7 },
  { columns: 4, rows: 4 },
  { columns: 5, rows: 7 },
];

/** Visits the positions of random games, the last ones included. */
function visitGames(
  game: GameConnectFour,
  games: number,
  visit: (state: ConnectFourState, random: Random) => void,
): void {
  const legal = new Int32Array(game.maxLegal);
  for (let number = 0; number < casesOf(games); number++) {
    const random = Random.named("connect four", game.actions, number);
    const state = game.initial();
    for (;;) {
      visit(state, random);
      const count = game.legal(state, legal);
      if (count === 0) break;
      game.play(state, legal[random.below(count)]!);
    }
  }
}

function positionOf(game: GameConnectFour, text: string): ConnectFourState {
  const reading = game.notation.parsePosition(text);
  if ("error" in reading) throw new Error(reading.error.message);
  return reading.state;
}

describe("Connect Four", () => {
  it.each(sizes)("ends and moves as the plain rules do on $columns x $rows", (size) => {
    const game = new GameConnectFour(size);
    const legal = new Int32Array(game.maxLegal);
    visitGames(game, 25, (state) => {
      const board = readBoard(game.notation.position(state));
      expect(state.toMove === OVER).toBe(isOver(board));
      expect(state.winner).toBe(hasFourOf(board, "x") ? 0 : hasFourOf(board, "o") ? 1 : -1);
      const columns = isOver(board)
        ? []
        : movesOf(board).flatMap((after, column) => (after === undefined ? [] : [column]));
      expect([...legal.subarray(0, game.legal(state, legal))]).toEqual(columns);
      for (let column = 0; column < size.columns && state.toMove !== OVER; column++)
        expect(game.depthFirst.isLegal!(state, column)).toBe(columns.includes(column));
    });
  });

  it("has as many positions after so many plies as are known (J. Tromp, OEIS A212693)", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const legal = new Int32Array(7);
    let positions = new Map([["", game.initial()]]);
    const counts = Array.from({ length: 6 }, () => {
      const { size } = positions;
      const next = new Map<string, ConnectFourState>();
      for (const state of positions.values())
        for (let i = game.legal(state, legal) - 1; i >= 0; i--) {
          const after = game.initial();
          game.copy(state, after);
          game.play(after, legal[i]!);
          next.set([after.low0, after.high0, after.low1, after.high1].join(), after);
        }
      positions = next;
      return size;
    });
    expect(counts).toEqual([1, 7, 49, 238, 1_120, 4_263]);
  });

  it("says why a move is not legal", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const state = positionOf(game, "o6/x6/o6/x6/o6/x6 x");
    const why = (text: string) => game.notation.whyIllegal!(state, text);
    expect([why("1"), why("2"), why("8"), why("a")]).toEqual([
      "the column is full",
      undefined,
      "not a column from 1 to 7",
      "not a column from 1 to 7",
    ]);
    expect(game.notation.whyIllegal!(positionOf(game, "7/7/x6/xo5/xo5/xo5 -"), "1")).toBe("the game is over");
  });

  it("pays 1, 0 and halves for a draw", () => {
    const game = new GameConnectFour({ columns: 4, rows: 4 });
    const returns = new Float64Array(2);
    const paid = (text: string) => {
      game.returns(positionOf(game, text), returns);
      return [...returns];
    };
    expect(paid("x3/xo2/xo2/xo2 -")).toEqual([1, 0]);
    expect(paid("o3/ox2/ox2/oxx1 -")).toEqual([0, 1]);
    expect(paid("ooxx/xxoo/ooxx/xxoo -")).toEqual([0.5, 0.5]);
    expect(paid("4/4/4/x3 o")).toEqual([0, 0]);
  });

  it.each(sizes)("plays out on $columns x $rows as move by move, with the same draws", (size) => {
    const game = new GameConnectFour(size);
    const byMoves = game.initial();
    const toEnd = game.initial();
    for (const [draw, finish] of [
      ["uniform", "finish"],
      ["preferred", "finishPreferred"],
    ] as const)
      visitGames(game, 3, (state, random) => {
        const seed = random.state();
        const played: number[][] = [];
        game.copy(state, byMoves);
        const draws = Random.resume(seed);
        while (byMoves.toMove !== OVER) {
          const column = game.playouts[draw](byMoves, draws);
          played.push([byMoves.toMove, column]);
          game.play(byMoves, column);
        }
        const recorded: number[][] = [];
        game.copy(state, toEnd);
        game.playouts[finish]!(toEnd, Random.resume(seed), {
          add: (seat, action) => recorded.push([seat, action]),
        });
        expect(toEnd).toEqual(byMoves);
        expect(recorded).toEqual(played);
      });
  });

  it("prefers in playouts to win, then to stop a win, then any move", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const drawn = (text: string) => {
      const state = positionOf(game, text);
      const random = Random.named("preferred");
      return new Set(
        Array.from({ length: 100 }, () =>
          game.notation.format(state, game.playouts.preferred(state, random)),
        ),
      );
    };
    expect(drawn("7/7/7/7/1o4o/xxx3o x")).toEqual(new Set(["4"]));
    expect(drawn("7/7/7/1o5/xo5/xo4x x")).toEqual(new Set(["2"]));
    expect(drawn("7/7/7/7/3o3/3x3 x").size).toBe(7);
  });

  it("gives priors to wins, to stops, and against gifts", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const priors = (text: string) => {
      const state = positionOf(game, text);
      const legal = new Int32Array(7);
      const count = game.legal(state, legal);
      const out = new Float64Array(7);
      game.search.movePriors!["threats"]!(state, legal, count, out);
      return Object.fromEntries(Array.from({ length: count }, (_, i) => [legal[i]! + 1, out[i]!]));
    };
    const winning = priors("7/7/7/7/1o4o/xxx3o x");
    expect(winning[4]).toBe(1);
    expect(priors("7/7/7/1o5/xo5/xo4x x")[2]).toBe(0.9);
    // o wins in column 4 on the second row, as soon as there is a stone below.
    expect(priors("7/7/7/7/ooo4/xxo1x1x x")[4]).toBe(0.05);
    const empty = priors("7/7/7/7/7/7 x");
    expect(empty[4]).toBeCloseTo(0.35 + (0.25 * 7) / 13, 12);
    expect(empty[4]).toBeGreaterThan(empty[1]!);
  });

  it("bounds returns by what the rest of the game can still give", () => {
    const game = new GameConnectFour({ columns: 4, rows: 4 });
    const [least, most] = [new Float64Array(2), new Float64Array(2)];
    const { returns } = game.depthFirst.finalBounds!;
    const values = new Float64Array(2);
    const end = game.initial();
    let narrowed = 0;
    visitGames(game, 40, (state, random) => {
      if (state.toMove === OVER) return;
      returns!(state, least, most);
      if (least[0]! > 0 || most[0]! < 1) narrowed++;
      // Every way on keeps the bounds of the seat that is not asked to play well, unless a win at once is missed.
      game.copy(state, end);
      game.playouts.finishPreferred!(end, random);
      game.returns(end, values);
      for (const seat of [0, 1]) {
        expect(values[seat]).toBeGreaterThanOrEqual(least[seat]!);
        expect(values[seat]).toBeLessThanOrEqual(most[seat]!);
      }
    });
    expect(narrowed).toBeGreaterThan(20);
  });

  it("counts lines that only one seat can still fill", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const values = new Float64Array(2);
    const { lines } = game.depthFirst.staticEvaluations!;
    lines!(positionOf(game, "7/7/7/7/7/3x3 o"), values);
    // Through d1: four rows, a column and two diagonals.
    expect([...values]).toEqual([7, 0]);
    lines!(positionOf(game, "7/7/7/7/7/o2x3 x"), values);
    expect([...values]).toEqual([6, 2]);
  });

  it("writes the planes that its page describes", () => {
    const game = new GameConnectFour({ columns: 4, rows: 4 });
    const planes = game.nets.planes["compact"]!;
    const out = new Float32Array(planes.shape[0] * planes.shape[1] * planes.shape[2]);
    const channel = (number: number) =>
      [0, 1, 2, 3]
        .map((row) => [0, 1, 2, 3].map((column) => out[4 * (4 * row + column) + number]).join(""))
        .join("/");
    planes.write(positionOf(game, "o3/x3/o3/x1x1 o"), out, 0);
    expect([0, 1, 2, 3].map(channel)).toEqual([
      "1000/0000/1000/0000",
      "0000/1000/0000/1010",
      "0000/0000/0010/0101",
      "1111/1111/1111/1111",
    ]);
  });

  it.each(sizes)(
    "has the lines of the plain rules as features, evaluation and bounds, on $columns x $rows",
    (size) => {
      const game = new GameConnectFour(size);
      const { finalBounds, staticEvaluations } = game.depthFirst;
      const [value, least, most] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
      visitGames(game, 10, (state) => {
        const lines = openLinesOf(readBoard(game.notation.position(state)));
        staticEvaluations!["lines"]!(state, value);
        expect([...value]).toEqual(
          lines.map(([, one, two, three, four]) => one! + 4 * two! + 16 * three! + 1000 * four!),
        );
        for (const seat of [0, 1]) {
          const out = new Float64Array(10);
          game.linear.features!.write(state, seat, out);
          const sides = [lines[seat]!, lines[1 - seat]!].flatMap(([, one, two, three, four]) => [
            one! / 20,
            two! / 12,
            three! / 6,
            four!,
          ]);
          expect([...out]).toEqual([1, state.toMove === seat ? 1 : 0, ...sides]);
        }
        if (state.toMove === OVER) return;
        finalBounds!["returns"]!(state, least, most);
        // A seat that can still fill a line may win; one that cannot has at most a draw.
        for (const seat of [0, 1]) {
          expect([0, 0.5, 1]).toContain(most[seat]);
          expect(least[seat]).toBe(1 - most[1 - seat]!);
          if (lines[seat]!.slice(0, 4).every((count) => count === 0)) expect(most[seat]).toBeLessThan(1);
        }
      });
    },
  );
});
