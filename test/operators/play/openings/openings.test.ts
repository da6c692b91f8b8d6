import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LARGEST_LIST } from "../../../../src/formats/files/bounded-file.ts";
import type { Game } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { BookUnusable, playOpening, readBook } from "../../../../src/operators/play/openings/openings.ts";
import { RunFiles } from "../../../../src/operators/run/run-files.ts";
import { writeOpenings } from "../../../../src/operators/play/openings/opening-database.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { bareExperiment } from "../../bare-experiment.ts";

const game = openGame("tic-tac-toe", {}) as Game<unknown>;
const book = (text: string) => {
  const path = join(scratchFolder(), "book");
  writeFileSync(path, text);
  return readBook(game, path);
};

/** A database of openings, as a stage writes it. */
function database(): string {
  const files = new RunFiles(scratchFolder());
  const experiment = bareExperiment({ agents: { opener: { use: "uct", simulations: 2 } } });
  const of = { agent: "opener", plies: 2, openings: 2 };
  const stage = { files, opened: { experiment, game, nets: new Map() }, stage: "book" };
  writeOpenings(stage, of, [Int32Array.of(0, 8), Int32Array.of(4, 1)]);
  return readFileSync(files.openings("book"), "utf8");
}

describe("a book of openings", () => {
  it("has an opening a line, with comments and empty lines between", () => {
    expect(book("# corners\na3 b2 # the middle\n\n  c1\n")).toEqual([[0, 4], [8]]);
  });

  it("may be a database that a stage of openings has built", () => {
    const whole = database();
    expect(book(whole)).toEqual([
      [0, 8],
      [4, 1],
    ]);
    expect(() => book(whole.replace("a3 c1", "a3 c2"))).toThrow(/book: does not match its checksum/);
    expect(() => book('{"openings": ["a3"]}')).toThrow(/book: is of the format "unknown"/);
    expect(() => book(whole.slice(0, -9))).toThrow(/book: is no JSON \(/);
  });

  it("is refused with the place where it is wrong", () => {
    expect(() => book("a3\na3 a3\n")).toThrow(/line 2: "a3" is not a legal move there/);
    expect(() => book("a3 a2 b3 b2 c3")).toThrow(/line 1: the game is over/);
    expect(() => book("# nothing\n")).toThrow(/holds no opening/);
    expect(() => readBook(game, "no/such/book")).toThrow(BookUnusable);
    const large = join(scratchFolder(), "large");
    writeFileSync(large, "");
    truncateSync(large, LARGEST_LIST + 1);
    expect(() => readBook(game, large)).toThrow(/large: cannot be read: it has more than 256 MiB$/);
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
