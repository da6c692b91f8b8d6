import { describe, expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import { goScore } from "../../../src/games/go/score.ts";
import { setUpGo, stoneWithoutLiberty } from "../../../src/games/go/set-up.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { openGame } from "../../../src/games/registry.ts";
import { boardOf, PlainGo, plainMove, plainRules, type PlainRules } from "./reference.ts";

const kinds = ["positional", "situational", "simple"] as const;

/** A position by both rules: rows of `.XO` from the top, the seat to move, and moves played from there. */
class Both {
  readonly game: GameGo;
  readonly state: GoState;
  readonly plain: PlainGo;

  constructor(rules: Partial<PlainRules>, rows: string, mover = 0) {
    const board = boardOf(rows);
    const all = { ...plainRules, ...rules, size: Math.sqrt(board.length) };
    this.game = openGame("go", all) as GameGo;
    const state = setUpGo(this.game.rules, board, mover);
    if (state === undefined) throw new Error("a chain without liberties");
    this.state = state;
    this.plain = new PlainGo(all, { board, mover });
  }

  /** Whether the mover may play there; both rules agree. */
  allows(move: string): boolean {
    const legal = this.game.notation.parse(this.state, move) !== undefined;
    expect(this.plain.legal().includes(plainMove(this.plain.rules.size, move))).toBe(legal);
    return legal;
  }

  play(...moves: string[]): this {
    for (const move of moves) {
      expect(this.allows(move), move).toBe(true);
      const action = plainMove(this.plain.rules.size, move);
      this.game.play(this.state, action);
      this.plain.play(action);
      expect(this.stones()).toEqual(this.plain.board);
    }
    return this;
  }

  stones(): number[] {
    const { cellOf, points } = this.game.rules.board;
    return Array.from({ length: points }, (_, point) => this.state.colour[cellOf[point]!]!);
  }

  score(): number[] {
    const score = new Float64Array(2);
    goScore(this.state, this.game.rules.board, score);
    expect([...score]).toEqual(this.plain.score());
    return [...score];
  }

  returns(): number[] {
    const returns = new Float64Array(2);
    this.game.returns(this.state, returns);
    expect([...returns]).toEqual(this.plain.returns());
    return [...returns];
  }
}

describe("legal positions of Go", () => {
  it.each([
    [2, 57],
    [3, 12_675],
  ])("on %ix%i are %i of the ways to place stones (Tromp and Farneback 2007)", (size, legal) => {
    const { rules } = openGame("go", { size }) as GameGo;
    const { points } = rules.board;
    const colours = new Uint8Array(points);
    let count = 0;
    for (let code = 0; code < 3 ** points; code++) {
      for (let point = 0, rest = code; point < points; point++, rest = Math.floor(rest / 3))
        colours[point] = rest % 3;
      if (setUpGo(rules, colours, 0) !== undefined) count++;
    }
    expect(count).toBe(legal);
  });

  it("name a stone of a chain without liberties if there is one", () => {
    const { rules } = openGame("go", { size: 3 }) as GameGo;
    const rows = boardOf("OX. XX. ...");
    expect([setUpGo(rules, rows, 0), stoneWithoutLiberty(rules, rows)]).toEqual([undefined, 0]);
    expect(stoneWithoutLiberty(rules, boardOf("XX. XX. ..O"))).toBe(undefined);
  });
});

describe("ko and superko in Go", () => {
  const ko = `
    .XO.
    X.XO
    .XO.
    ....`;

  it.each(kinds)("forbid to take back a single stone at once, superko %s", (superko) => {
    const both = new Both({ superko }, ko, 1).play("B3");
    expect(both.allows("C3")).toBe(false);
    // After an exchange elsewhere the ko may be taken, and then the other seat has to wait.
    both.play("A1", "D1", "C3");
    expect(both.allows("B3")).toBe(false);
  });

  /** Moves that lead from a board back to it; only the last is in question. */
  const cycles = [
    {
      name: "sending two, returning one: three moves, so the other seat is to move",
      rows: "XXO.X X.XXO XXXOO XXOO. XXOOO",
      mover: 1,
      moves: ["D5", "E5"],
      last: "C5",
      allowed: { positional: false, situational: true, simple: true },
    },
    {
      name: "eternal life: both seats take two stones in turn",
      rows: "XOOOO XOOO. .XXXO OXO.O XXXXX",
      mover: 1,
      moves: ["A3", "A4", "A2"],
      last: "A5",
      allowed: { positional: false, situational: false, simple: true },
    },
    {
      name: "a cycle of five moves",
      rows: ".OXX. OXXXX .OXXX OOXXX XX.XX",
      mover: 0,
      moves: ["A5", "C1", "A1", "B5"],
      last: "B1",
      allowed: { positional: false, situational: true, simple: true },
    },
    {
      name: "triple ko",
      rows: `
        XO.O.X.XO
        .XO...XO.
        .........
        .........
        .........
        .........
        .........
        .XO......
        XO.O.....`,
      mover: 0,
      moves: ["C9", "G9", "C1", "B9", "H9"],
      last: "B1",
      allowed: { positional: false, situational: false, simple: true },
    },
  ] as const;

  it.each(cycles.flatMap((cycle) => kinds.map((superko) => ({ ...cycle, superko }))))(
    "$name, superko $superko",
    ({ rows, mover, moves, last, allowed, superko }) => {
      const both = new Both({ superko }, rows, mover);
      const before = both.stones();
      both.play(...moves);
      expect(both.allows(last)).toBe(allowed[superko]);
      if (allowed[superko]) expect(both.play(last).stones()).toEqual(before);
    },
  );

  it.each(kinds)("the suicide of one stone is a pass that repeats the board, superko %s", (superko) => {
    const rows = "... X.. .X.";
    expect(new Both({ superko, suicide: false }, rows, 1).allows("A1")).toBe(false);
    const both = new Both({ superko, suicide: true }, rows, 1);
    expect(both.allows("A1")).toBe(superko !== "positional");
  });

  it.each(kinds)("the suicide of several stones takes them from the board, superko %s", (superko) => {
    const rows = ".... X... OXX. .OX.";
    expect(new Both({ superko, suicide: false }, rows, 1).allows("A1")).toBe(false);
    const both = new Both({ superko, suicide: true }, rows, 1).play("A1");
    expect(both.stones().filter((colour) => colour === 2)).toEqual([]);
    expect([...both.state.prisoners]).toEqual([0, 3]);
  });
});

describe("the score of Go", () => {
  it.each([
    ["an empty board is nobody's", "... ... ...", [0, 0]],
    ["a single stone has the whole board", "... .X. ...", [9, 0]],
    ["points between two seats are nobody's", "XX.OO XX.OO XX.OO .X.O. XX.OO", [10, 10]],
    ["no stone counts as dead", "..X.. ..X.. O.X.. ..X.. ..X..", [15, 1]],
    ["eyes of both seats", "X.XO. .XXOO XXOO. XOOOO XO.O.", [10, 15]],
  ])("%s", (_, rows, score) => {
    expect(new Both({}, rows).score()).toEqual(score);
  });

  it("with a whole komi can be level", () => {
    const rows = Array.from({ length: 81 }, (_, point) =>
      point === 0 || point === 80 ? "." : point < 44 ? "X" : "O",
    ).join("");
    const returns = (komi: number) => {
      const both = new Both({ komi }, rows).play("pass");
      expect(both.returns()).toEqual([0, 0]);
      return both.play("pass").returns();
    };
    expect(new Both({}, rows).score()).toEqual([44, 37]);
    expect(returns(7)).toEqual([0.5, 0.5]);
    expect(returns(6.5)).toEqual([1, 0]);
    expect(returns(7.5)).toEqual([0, 1]);
    expect(returns(-7)).toEqual([1, 0]);
  });
});
