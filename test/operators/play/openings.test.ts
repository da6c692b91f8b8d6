import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { BookUnusable, playOpening, readBook } from "../../../src/operators/play/openings.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const game = openGame("tic-tac-toe", {}) as Game<unknown>;
const book = (text: string) => {
  const path = join(scratchFolder(), "book");
  writeFileSync(path, text);
  return readBook(game, path);
};

describe("a book of openings", () => {
  it("has an opening a line, with comments and empty lines between", () => {
    expect(book("# corners\na3 b2 # the middle\n\n  c1\n")).toEqual([[0, 4], [8]]);
  });

  it("may be a database that a stage of openings has built", () => {
    expect(book('{"format": "any", "openings": ["a3 c1", "b2"]}')).toEqual([[0, 8], [4]]);
  });

  it("is refused with the place where it is wrong", () => {
    expect(() => book("a3\na3 a3\n")).toThrow(/line 2: "a3" is no legal move there/);
    expect(() => book("a3 a2 b3 b2 c3")).toThrow(/line 1: the game is over/);
    expect(() => book("# nothing\n")).toThrow(/holds no opening/);
    expect(() => book('{"openings": [1]}')).toThrow(/list of texts/);
    expect(() => readBook(game, "no/such/book")).toThrow(BookUnusable);
    const endless = join(scratchFolder(), "endless");
    symlinkSync("/dev/zero", endless);
    expect(() => readBook(game, endless)).toThrow(/endless: cannot be read: it has more than 256 MiB$/);
  });
});

describe("a random opening", () => {
  const played = (name: string) => {
    const opening = playOpening(game, 7, { plies: 3, name: [name] });
    const state = game.initial();
    const actions: number[] = [];
    for (let action = opening(state, 0); action !== undefined; action = opening(state, actions.length)) {
      actions.push(action);
      game.play(state, action);
    }
    return actions;
  };

  it("has so many plies, the same for the same name", () => {
    expect(played("a")).toHaveLength(3);
    expect(played("a")).toEqual(played("a"));
    expect(new Set(Array.from({ length: 10 }, (_, i) => played(`${i}`).join())).size).toBeGreaterThan(5);
  });
});
