import { describe, expect, it } from "vitest";
import { goMoveText } from "../../../src/games/go/notation/coordinates.ts";
import { handicapPoints, mostHandicapStones, starPoints } from "../../../src/games/go/handicap.ts";
import { openGame } from "../../../src/games/registry.ts";

const texts = (size: number, points: number[]) => points.map((point) => goMoveText(size, point)).join(" ");

describe("fixed handicap stones", () => {
  it("stand where the Go Text Protocol puts them", () => {
    const on = (size: number, stones: number) => texts(size, handicapPoints(size, stones));
    expect(Array.from({ length: 8 }, (_, i) => on(19, i + 2))).toEqual([
      "Q16 D4",
      "D16 Q16 D4",
      "D16 Q16 D4 Q4",
      "D16 Q16 K10 D4 Q4",
      "D16 Q16 D10 Q10 D4 Q4",
      "D16 Q16 D10 K10 Q10 D4 Q4",
      "D16 K16 Q16 D10 Q10 D4 K4 Q4",
      "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4",
    ]);
    expect(on(9, 5)).toBe("C7 G7 E5 C3 G3");
    expect(on(13, 7)).toBe("D10 K10 D7 G7 K7 D4 K4");
    expect(on(7, 3)).toBe("C5 E5 C3");
    expect(on(8, 4)).toBe("C6 F6 C3 F3");
    expect(on(11, 2)).toBe("J9 C3");
  });

  it("are 4 at most on 7x7 and even boards, and none on smaller ones", () => {
    expect([6, 7, 8, 9, 18, 19].map(mostHandicapStones)).toEqual([0, 4, 4, 9, 4, 9]);
    expect(() => handicapPoints(8, 5)).toThrow(/no fixed places for 5 handicap stones on 8x8/);
    expect(() => openGame("go", { size: 8, handicap: 5 })).toThrow(
      /go: handicap: a board of 8x8 has fixed places for 4 handicap stones, found 5/,
    );
    expect(() => openGame("go", { size: 5, handicap: 2 })).toThrow(
      /no fixed places for handicap stones, found 2/,
    );
    expect(() => openGame("go", { handicap: 1 })).toThrow(/expected 0 or 2 to 9 stones, found 1/);
  });

  it("are on the board before White's first move", () => {
    const game = openGame("go", { size: 9, handicap: 3 });
    expect(game.notation.position(game.initial())).toBe("9/9/2X3X2/9/9/9/2X6/9/9 O");
  });

  it("share their places with the dots of boards", () => {
    const on = (size: number) => texts(size, starPoints(size));
    expect([3, 5, 7, 8, 9].map(on)).toEqual(["", "C3", "C5 E5 D4 C3 E3", "C6 F6 C3 F3", "C7 G7 E5 C3 G3"]);
    expect([13, 15, 19].map((size) => starPoints(size).length)).toEqual([5, 9, 9]);
  });
});
