import { describe, expect, it } from "vitest";
import { blokusOrientations, blokusPieces } from "../../../src/games/blokus/pieces.ts";

/** The orientations of a piece as rows of text, in order. */
function drawings(piece: number): string[] {
  return blokusOrientations
    .filter((orientation) => orientation.piece === piece)
    .map(({ width, height, cells }) => {
      const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => "."));
      for (const [x, y] of cells) rows[y]![x] = "#";
      return rows.map((row) => row.join("")).join("/");
    });
}

const leftToRight = (text: string) => text.split("").toReversed().join("").split("/").toReversed().join("/");
const topToBottom = (text: string) => text.split("/").toReversed().join("/");
function acrossTheDiagonal(text: string): string {
  const rows = text.split("/");
  return Array.from(rows[0]!, (_, x) => rows.map((row) => row[x]).join("")).join("/");
}

// Actions are numbered by orientation, and stored games and nets name actions by their numbers.
describe("the orientations of a piece", () => {
  it("are of F, in this order", () => {
    expect(drawings(0)).toEqual([
      ".##/##./.#.",
      "##./.##/.#.",
      ".#./##./.##",
      ".#./.##/##.",
      ".#./###/#..",
      ".#./###/..#",
      "#../###/.#.",
      "..#/###/.#.",
    ]);
  });

  it.each(blokusPieces.map(({ name }, piece) => ({ name, piece })))(
    "are of $name its mirror images in order, then those across the diagonal, each once",
    ({ piece }) => {
      const found = drawings(piece);
      const mirrored = (text: string) => [
        text,
        leftToRight(text),
        topToBottom(text),
        leftToRight(topToBottom(text)),
      ];
      const images = [...mirrored(found[0]!), ...mirrored(acrossTheDiagonal(found[0]!))];
      expect(found).toEqual([...new Set(images)]);
    },
  );
});
