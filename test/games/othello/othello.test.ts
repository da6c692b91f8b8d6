import { describe, expect, it } from "vitest";
import { OVER } from "../../../src/games/game.ts";
import { GameOthello } from "../../../src/games/othello/othello.ts";
import type { OthelloState } from "../../../src/games/othello/state.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { plainMoves, readOthello } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const sizes = [4, 6, 8] as const;

/** Visits the positions of random games, the last ones included. */
function visitGames(
  game: GameOthello,
  games: number,
  visit: (state: OthelloState, random: Random) => void,
): void {
  const legal = new Int32Array(game.maxLegal);
  for (let number = 0; number < casesOf(games, 6); number++) {
    const random = Random.named("othello", game.actions, number);
    const state = game.initial();
    for (;;) {
      visit(state, random);
      const count = game.legal(state, legal);
      if (count === 0) break;
      game.play(state, legal[random.below(count)]!);
    }
  }
}

function positionOf(game: GameOthello, text: string): OthelloState {
  const reading = game.notation.parsePosition(text);
  if ("error" in reading) throw new Error(reading.error.message);
  return reading.state;
}

describe("Othello", () => {
  it.each(sizes)("lists the moves that the plain rules list on a board of %i squares a side", (size) => {
    const game = new GameOthello({ size });
    const legal = new Int32Array(game.maxLegal);
    let passes = 0;
    visitGames(game, 6, (state) => {
      const listed = [...legal.subarray(0, game.legal(state, legal))];
      const [board, mover] = game.notation.position(state).split(" ") as [string, string];
      const moves = (seat: string) =>
        plainMoves(readOthello(`${board} ${seat}`), seat).map(([row, column]) => row * size + column);
      if (mover === "-") {
        expect([moves("X"), moves("O"), listed]).toEqual([[], [], []]);
        return;
      }
      if (moves(mover).length === 0) passes++;
      expect(listed).toEqual(moves(mover).length === 0 ? [size * size] : moves(mover));
      for (let action = 0; action < game.actions; action++)
        expect(game.depthFirst.isLegal!(state, action)).toBe(listed.includes(action));
    });
    expect(passes).toBeGreaterThan(0);
  });

  it("begins as the rules say: Black moves d3, c4, f5 or e6", () => {
    const game = new GameOthello({ size: 8 });
    const state = game.initial();
    const legal = new Int32Array(game.maxLegal);
    const count = game.legal(state, legal);
    const moves = [...legal.subarray(0, count)].map((action) => game.notation.format(state, action));
    expect(moves).toEqual(["d3", "c4", "f5", "e6"]);
    game.play(state, game.notation.parse(state, "d3")!);
    expect(game.notation.position(state)).toBe("8/8/3X4/3XX3/3XO3/8/8/8 O");
  });

  it("passes if the mover has no move, and ends if nobody has", () => {
    const game = new GameOthello({ size: 4 });
    const state = positionOf(game, "OXX1/4/4/4 X");
    expect(game.toMove(state)).toBe(0);
    expect(game.notation.parse(state, "pass")).toBe(16);
    game.play(state, 16);
    game.play(state, game.notation.parse(state, "d1")!);
    expect(game.notation.position(state)).toBe("OOOO/4/4/4 -");
    expect(game.notation.parse(state, "pass")).toBe(undefined);
    const returns = new Float64Array(2);
    game.returns(state, returns);
    expect([...returns]).toEqual([0, 1]);
    expect(game.figures.facts!(state)).toEqual({ blackDiscs: 0, whiteDiscs: 4 });
  });

  it("says why a move is not legal", () => {
    const game = new GameOthello({ size: 6 });
    const state = game.initial();
    expect(
      ["c2", "a1", "c3", "g1", "z9", "pass"].map((text) => game.notation.whyIllegal!(state, text)),
    ).toEqual([
      undefined,
      "it would turn over no disc",
      "the square is occupied",
      "not a square from a1 to f6, and not pass",
      "not a square from a1 to f6, and not pass",
      "there is another move: the pass is legal only if there is none",
    ]);
  });

  it.each(sizes)("plays out on a board of %i squares a side as move by move, with the same draws", (size) => {
    const game = new GameOthello({ size });
    const byMoves = game.initial();
    const toEnd = game.initial();
    for (const [draw, finish] of [
      ["uniform", "finish"],
      ["preferred", "finishPreferred"],
    ] as const)
      for (let number = 0; number < 3; number++) {
        const played: number[][] = [];
        game.copy(game.initial(), byMoves);
        const draws = Random.named("playout", number);
        while (byMoves.toMove !== OVER) {
          const action = game.playouts[draw](byMoves, draws);
          played.push([byMoves.toMove, action]);
          game.play(byMoves, action);
        }
        const recorded: number[][] = [];
        game.copy(game.initial(), toEnd);
        game.playouts[finish]!(toEnd, Random.named("playout", number), {
          add: (seat, action) => recorded.push([seat, action]),
        });
        expect(toEnd).toEqual(byMoves);
        expect(recorded).toEqual(played);
      }
  });

  it("prefers the squares that its preference names", () => {
    const game = new GameOthello({ size: 8 });
    const legal = new Int32Array(game.maxLegal);
    const { preference } = game.search;
    visitGames(game, 4, (state, random) => {
      const count = game.legal(state, legal);
      if (count === 0) return;
      const most = Math.max(...Array.from(legal.subarray(0, count), preference!));
      expect(preference!(game.playouts.preferred(state, random))).toBe(most);
    });
  });

  it.each(sizes)("bounds the discs at the end on a board of %i squares a side", (size) => {
    const game = new GameOthello({ size });
    const bounds = [0, 1].map(() => [0, 1].map(() => 0));
    const [least, most, discs] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    const end = game.initial();
    let known = 0;
    visitGames(game, 12, (state, random) => {
      if (state.toMove === OVER) return;
      game.depthFirst.finalBounds!["discs"]!(state, least, most);
      known += least[0]! + least[1]!;
      game.copy(state, end);
      game.playouts.finish!(end, random);
      game.depthFirst.staticEvaluations!["discs"]!(end, discs);
      for (const seat of bounds.keys()) {
        expect(discs[seat]).toBeGreaterThanOrEqual(least[seat]!);
        expect(discs[seat]).toBeLessThanOrEqual(most[seat]!);
      }
    });
    expect(known).toBeGreaterThan(20);
  });

  it("finds stable discs from a corner on", () => {
    const game = new GameOthello({ size: 8 });
    const [least, most] = [new Float64Array(2), new Float64Array(2)];
    const bound = (text: string) => {
      game.depthFirst.finalBounds!["discs"]!(positionOf(game, text), least, most);
      return [...least, ...most];
    };
    expect(bound("XXX5/XX6/X7/3XO3/8/8/8/8 X")).toEqual([6, 0, 64, 58]);
    expect(bound("8/8/8/3OX3/3XO3/8/8/8 X")).toEqual([0, 0, 64, 64]);
    expect(bound("8/8/8/8/8/4X3/3X2O1/2O3OO X")).toEqual([0, 2, 62, 64]);
  });

  it("is won by White with 11 to 3 on 4x4, by exact search", () => {
    const game = new GameOthello({ size: 4 });
    const search = openSearch("minimax", game, { value: "discs", table: 65_536 });
    const silent = { evaluate: () => undefined };
    const { values } = drive(search.search(game.initial(), Random.named("exact"), 0), silent);
    expect([...values]).toEqual([-8, 8]);
  });

  it("writes the planes that its page describes", () => {
    const game = new GameOthello({ size: 4 });
    const planes = game.nets.planes["compact"]!;
    const out = new Float32Array(planes.shape[0] * planes.shape[1] * planes.shape[2]);
    const state = game.initial();
    game.play(state, game.notation.parse(state, "b1")!);
    planes.write(state, out, 0);
    const channel = (number: number) =>
      [0, 1, 2, 3]
        .map((row) => [0, 1, 2, 3].map((column) => out[4 * (4 * row + column) + number]).join(""))
        .join("/");
    expect([0, 1, 2, 3].map(channel)).toEqual([
      "0000/0000/0010/0000",
      "0100/0110/0100/0000",
      "1010/0000/1000/0000",
      "1111/1111/1111/1111",
    ]);
  });

  it("values a position by places and moves of both seats, and by discs alone when it is over", () => {
    const game = new GameOthello({ size: 8 });
    const [places, value] = [new Float64Array(2), new Float64Array(2)];
    // By hand: corners 20, beside them -4 on the edge and -8 on the diagonal, other edges 3, all others 1.
    const worth = (row: number, column: number) => {
      const [near, far] = [row, column].map((at) => Math.min(at, 7 - at)).toSorted((a, b) => a - b);
      if (near === 0) return far === 0 ? 20 : far === 1 ? -4 : 3;
      return near === 1 && far === 1 ? -8 : 1;
    };
    visitGames(game, 6, (state) => {
      const board = readOthello(game.notation.position(state));
      game.depthFirst.staticEvaluations!["mobility"]!(state, value);
      for (const [seat, disc] of ["X", "O"].entries()) {
        const own = board.rows.flatMap((row, y) =>
          row.split("").flatMap((each, x) => (each === disc ? [worth(y, x)] : [])),
        );
        places[seat] =
          board.mover === "-"
            ? 100 * own.length
            : own.reduce((sum, each) => sum + each, 0) + 2 * plainMoves(board, disc).length;
      }
      expect([...value]).toEqual([...places]);
    });
  });
});
