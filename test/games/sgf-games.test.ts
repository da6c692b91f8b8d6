import { describe, expect, it } from "vitest";
import { readSgf } from "../../src/formats/sgf-reader.ts";
import { writeSgf } from "../../src/formats/sgf.ts";
import { writeBlokusSgf } from "../../src/games/blokus/sgf.ts";
import { openGame } from "../../src/games/registry.ts";
import { readSgfRecord, SgfGameInvalid } from "../../src/games/sgf-games.ts";
import { Random } from "../../src/random.ts";

const read = (text: string) => readSgfRecord(readSgf(text).next().value!);

describe("a game of a file in SGF", () => {
  it("is of Go where GM is 1 or absent, with its position, moves, players and result", () => {
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

  it("is refused where stones that are set up have no liberty", () => {
    expect(() => read("(;SZ[3]KM[0]AB[aa]AW[ab][ba];B[cc])")).toThrow(SgfGameInvalid);
    expect(() => read("(;SZ[3]KM[0]AB[aa]AW[ab][ba])")).toThrow("stones that are set up have no liberty");
  });

  it("is of Blokus where GM says so", () => {
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

  it("is refused where it is of another game", () => {
    const text = (gm: string) => writeSgf([{ nodes: [[{ name: "GM", values: [gm] }]], variations: [] }]);
    for (const gm of ["2", "Trigon"]) {
      expect(() => read(text(gm))).toThrow(SgfGameInvalid);
      expect(() => read(text(gm))).toThrow(`GM[${gm}]`);
    }
  });
});
