import { describe, expect, it } from "vitest";
import { readSgf } from "../../src/formats/sgf/reader.ts";
import { writeSgf } from "../../src/formats/sgf/sgf.ts";
import { writeBlokusSgf } from "../../src/games/blokus/sgf.ts";
import { OVER } from "../../src/games/game.ts";
import { openConfiguredGame, openGame } from "../../src/games/registry.ts";
import { readSgfRecord, sgfFormatOf, SgfGameInvalid } from "../../src/games/sgf-games.ts";
import { Random } from "../../src/random.ts";

const read = (text: string) => readSgfRecord(readSgf(text).next().value!);

describe("a game of a file in SGF", () => {
  it("is of Go if GM is 1 or absent, with its position, moves, players and result", () => {
    for (const gm of ["GM[1]", ""]) {
      const { actions, config, game, notes, players, result, returns, start } = read(
        `(;${gm}SZ[3]KM[0.5]RU[Chinese]PB[a]PW[b]RE[W+R]AB[aa]PL[W];W[bb](;B[cc])(;B[ca]))`,
      );
      expect(config).toMatchObject({ rules: "go", size: 3, komi: 0.5, superko: "positional" });
      expect({ actions, notes, players, result, returns }).toEqual({
        actions: [4, 8],
        notes: [],
        players: ["a", "b"],
        result: "W+R",
        returns: [0, 1],
      });
      expect(game.toMove(start)).toBe(1);
      expect(game.drawing.text(start)).not.toBe(game.drawing.text(game.initial()));
    }
  });

  it("is the longest part of a line that sets up stones in between, and ends before an illegal move", () => {
    const { actions, notes } = read("(;SZ[3]KM[0]RU[Chinese];B[aa];AB[ba];W[bb];B[cc];W[cc])");
    expect(actions).toEqual([4, 8]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/W\[cc\] is not legal: the point is occupied; the game is read up to there/);
    expect(notes[1]).toMatch(/^1 moves? .* left out/);
  });

  it("is not written for smaller Blokus, which game files do not have", () => {
    const blokus = { rules: "blokus", scoring: "advanced", size: 20, largestPiece: 5 };
    expect(sgfFormatOf(blokus)).toBeDefined();
    expect(sgfFormatOf({ ...blokus, size: 19 })).toBe(undefined);
    expect(sgfFormatOf({ ...blokus, largestPiece: 4 })).toBe(undefined);
  });

  it("is refused if stones that are set up have no liberty", () => {
    expect(() => read("(;SZ[3]KM[0]AB[aa]AW[ab][ba];B[cc])")).toThrow(SgfGameInvalid);
    expect(() => read("(;SZ[3]KM[0]AB[aa]AW[ab][ba])")).toThrow("stones that are set up have no liberty");
  });

  it("is of Blokus if GM says so", () => {
    const blokus = openGame("blokus-duo");
    const random = Random.named("sgf games");
    const state: unknown = blokus.initial();
    const actions = Array.from({ length: 6 }, () => {
      const action = blokus.playouts!.uniform(state, random);
      blokus.play(state, action);
      return action;
    });
    const found = read(writeBlokusSgf("blokus-duo", actions, ["x", "y"]));
    expect(found).toMatchObject({ actions, players: ["x", "y"], notes: [], result: "" });
    expect(found.config.rules).toBe("blokus-duo");
    expect(found.start).toEqual(blokus.initial());
  });

  it("is refused if it is of another game", () => {
    const text = (gm: string) => writeSgf([{ nodes: [[{ name: "GM", values: [gm] }]], variations: [] }]);
    for (const gm of ["2", "Trigon"]) {
      expect(() => read(text(gm))).toThrow(SgfGameInvalid);
      expect(() => read(text(gm))).toThrow(`GM[${gm}]`);
    }
  });
});

describe("games of given rules in SGF", () => {
  it("are written and read again in Blokus Duo, with returns if they are over", () => {
    const { config, game } = openConfiguredGame("blokus-duo", {});
    const format = sgfFormatOf(config)!;
    const state: unknown = game.initial();
    const moves: number[] = [];
    const random = Random.named("format");
    while (game.toMove(state) !== OVER) {
      moves.push(game.playouts!.uniform(state, random));
      game.play(state, moves.at(-1)!);
    }
    const returns = new Float64Array(2);
    game.returns(state, returns);
    const tree = (text: string) => readSgf(text).next().value!;
    const about = {
      ending: "score",
      result: "",
      handicap: 0,
      players: ["a", "b"],
      ratings: ["", ""],
      options: {},
    } as const;
    const whole = { ...about, moves, returns: [...returns] };
    expect(format.read(tree(format.write(whole)))).toEqual(whole);
    const part = {
      ...about,
      moves: moves.slice(0, 5),
      returns: [Number.NaN, Number.NaN],
      ending: "unknown",
    } as const;
    expect(format.read(tree(format.write(part)))).toEqual(part);
    expect(format.read(tree("(;GM[Blokus])"))).toMatchObject({ refused: "another game" });
    expect(format.read(tree("(;GM[Blokus Duo];B[a1])"))).toMatchObject({ refused: "illegal move" });
  });

  it("are none if a game has no SGF", () => {
    expect(sgfFormatOf(openConfiguredGame("tic-tac-toe", {}).config)).toBeUndefined();
  });

  it("begin in Go as the given options say, with a handicap of their own, or with a position", () => {
    const format = sgfFormatOf(openConfiguredGame("go", { size: 9, komi: 0.5, handicap: 2 }).config)!;
    const read = (text: string) => format.read(readSgf(text).next().value!);
    const usual = read("(;SZ[9]HA[2]KM[0.5];W[aa])");
    expect(usual).toMatchObject({ handicap: 2, moves: [0], options: { komi: 0.5 } });
    expect(usual).not.toHaveProperty("start");
    const even = read("(;SZ[9]KM[6.5];B[aa])");
    expect(even).toMatchObject({ handicap: 0, options: { komi: 6.5 } });
    expect(even).toHaveProperty("start", "9/9/9/9/9/9/9/9/9 X");
    for (const game of [usual, even]) {
      if ("refused" in game) throw new Error(game.why);
      expect(read(format.write(game))).toEqual(game);
    }
  });
});
