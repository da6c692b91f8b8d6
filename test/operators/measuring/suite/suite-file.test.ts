import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGame } from "../../../../src/games/registry.ts";
import { readSuite, SuiteUnusable } from "../../../../src/operators/measuring/suite/suite-file.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

const read = (text: string, rules = "tic-tac-toe", options = {}) => {
  const path = join(scratchFolder(), "suite.csv");
  writeFileSync(path, text);
  return readSuite(openGame(rules, options), path);
};

describe("the file of a test suite", () => {
  it("gives positions with their right actions, whatever the order of columns", () => {
    expect(read("moves,plies,position\nc1 a1 a1,1,x2/3/3 o\nb2,2,xo1/3/3 x\n")).toEqual([
      { position: "x2/3/3 o", right: [6, 8], legal: 8 },
      { position: "xo1/3/3 x", right: [4], legal: 7 },
    ]);
  });

  it("reads positions with commas in quotes", () => {
    const position = "5/5/2X2/3O1/5 X 5/5/5/5/5 X C3,D2";
    expect(read(`position,moves\r\n"${position}",pass C4\r\n`, "go", { size: 5 })).toEqual([
      { position, right: [7, 25], legal: 24 },
    ]);
  });

  it.each([
    ["board,moves\nx2/3/3 o,a1\n", /the first line names no column "position"/],
    ["position\nx2/3/3 o\n", /the first line names no column "moves"/],
    ["", /names no column/],
    ["position,moves\n", /holds no position/],
    ["position,moves\nx2/3/3 o,b2\nx2/3 o,b2\n", /line 3: "x2\/3 o" is not a position: the board has 2 rows/],
    ["position,moves\nxxx/oo1/3 -,a1\n", /line 2: the game is over/],
    ["position,moves\n\nx2/3/3 o,a3\n", /line 3: "a3" is not a legal move there/],
    ["position,moves\nx2/3/3 o,\n", /line 2: no right move is named/],
    ["position,moves\nx2/3/3 o\n", /line 2: no right move is named/],
    ["position,moves\nxxo/oox/xo1 x,c1\n", /line 2: every legal move is right/],
  ])("is refused: %j", (text, message) => {
    expect(() => read(text)).toThrow(SuiteUnusable);
    expect(() => read(text)).toThrow(message);
  });

  it("is refused where chance moves, and where there is no file", () => {
    const chance = 'position,moves\n"2,./.,. c 0",a\n';
    expect(() => read(chance, "2048", { rows: 2, columns: 2 })).toThrow(/chance is to move/);
    expect(() => readSuite(openGame("tic-tac-toe"), "/nowhere/suite.csv")).toThrow(/cannot be read: ENOENT/);
  });
});
