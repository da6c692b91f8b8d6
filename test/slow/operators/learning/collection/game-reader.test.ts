import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSgf } from "../../../../../src/formats/sgf/reader.ts";
import { readSgfRecord } from "../../../../../src/games/sgf-games.ts";
import { GameSorter } from "../../../../../src/operators/learning/collection/kept-games.ts";
import type { LeftOut } from "../../../../../src/operators/learning/collection/left-out.ts";
import { Random } from "../../../../../src/random.ts";
import { scratchFolder } from "../../../../formats/scratch-folder.ts";
import {
  filters,
  movesOf,
  randomSgf,
  readBatch,
} from "../../../../operators/learning/collection/some-games.ts";

function read(text: string | Uint8Array, given: Readonly<Record<string, unknown>> = {}, texts = false) {
  const path = join(scratchFolder(), "some.sgf");
  writeFileSync(path, text);
  return readBatch(path, given, texts);
}

const reasons = (text: string, given: Readonly<Record<string, unknown>> = {}) =>
  read(text, given).leftOut.map(({ reason }) => reason);

describe("games of a file in SGF", () => {
  it("are those that the plain reader finds, and come back from the SGF that is written of them", () => {
    const random = Random.named("games of a file");
    const results = ["", "RE[B+R]", "RE[W+2.5]", "RE[0]", "RE[?]", "RE[W+T]"];
    const games = Array.from({ length: 60 }, (_, i) =>
      randomSgf(random, `${results[i % 6]}PB[a${i}]PW[b]BR[1d]WR[2k]`),
    );
    const batch = read(games.join(""), { duplicates: "keep" }, true);
    const plain = games.map((text) => readSgfRecord(readSgf(text).next().value!));
    expect(movesOf(batch)).toEqual(plain.map(({ actions }) => actions));
    for (const [game, { returns }] of plain.entries())
      if (returns !== undefined) expect([...batch.returns.subarray(2 * game, 2 * game + 2)]).toEqual(returns);
    expect(batch.leftOut).toEqual([]);
    const again = read(batch.texts.join(""), { duplicates: "keep" }, true);
    expect({ ...again, places: 0, sums: 0 }).toEqual({ ...batch, places: 0, sums: 0 });
    expect([...again.places]).toHaveLength(60);
  });

  it("have the returns of the result that the file tells, else of the rules, else none", () => {
    // White alone has stones: under a komi of .5 the rules give it the game.
    const over = "(;SZ[5]KM[0.5]PL[W];B[];W[])";
    expect([...read(over).returns]).toEqual([0, 1]);
    expect([...read(over.replace("KM", "RE[B+1.5]KM")).returns]).toEqual([1, 0]);
    expect([...read("(;SZ[5]RE[0];B[aa])").returns]).toEqual([0.5, 0.5]);
    expect([...read("(;SZ[5]RE[Void];B[aa])").returns]).toEqual([Number.NaN, Number.NaN]);
  });

  it("have the text of their start where it is another than that of the rules", () => {
    const batch = read("(;SZ[5]HA[2]AB[bb][dd];W[cc])(;SZ[5];B[cc])");
    expect(batch.starts).toEqual(new Map([[0, "5/1X3/5/3X1/5 O"]]));
    expect(batch.leftOut).toEqual([]);
    expect(reasons("(;SZ[5]HA[2]AB[bb][dd];W[cc])", { handicap: 1 })).toEqual(["handicap"]);
    expect(reasons("(;SZ[5]AB[bb]AW[dd];B[cc])")).toEqual([]);
    expect(reasons("(;SZ[5]AB[bb]AW[dd];B[cc])", { setUp: false })).toEqual(["set-up position"]);
  });

  it.each([
    ["hello", "not SGF"],
    ["(;GM[2];B[aa])", "another game"],
    ["(;SZ[9];B[aa])", "another board"],
    ["(;SZ[25];B[aa])", "another board"],
    ["(;SZ[5];B[aa];W[aa])", "illegal move"],
    ["(;SZ[5];B[zz])", "illegal move"],
    ["(;SZ[5];B[aa];W[bb];B[cc", "broken SGF"],
    ["(;SZ[5];B[aa];W[bb]", "broken SGF"],
    ["(;SZ[5];B[aa]) ;W[bb]", ""],
    ["(SZ[5];B[aa])", ""],
    ["(;SZ[5];B[aa];B[bb])", "not one game"],
    ["(;SZ[5];B[aa];W[];B[];W[bb])", "not one game"],
    ["(;SZ[5];B[aa];AE[aa];W[aa])", "not one game"],
    ["(;SZ[5])", "too few moves"],
  ])("are left out with a reason: %s", (text, reason) => {
    expect(reasons(text)).toEqual(reason === "" ? [] : [reason]);
  });

  it("are filtered by what the file tells", () => {
    const text = "(;SZ[5]KM[6.5]BR[3d]WR[1d]RE[B+T];B[aa];W[bb])";
    expect(reasons(text, { leastMoves: 3 })).toEqual(["too few moves"]);
    expect(reasons(text, { results: ["score", "resignation"] })).toEqual(["result"]);
    expect(reasons(text, { results: ["time"] })).toEqual([]);
    expect(reasons(text, { options: { komi: [7.5] } })).toEqual(["option"]);
    expect(reasons(text, { options: { komi: [7.5, 6.5] } })).toEqual([]);
    expect(reasons(text, { rating: { least: "2d" } })).toEqual(["rating"]);
    expect(reasons(text, { rating: { least: "5k", most: "3d" } })).toEqual([]);
    expect(reasons(text, { rating: { least: "1500" } })).toEqual(["rating"]);
    expect(read(text, { group: "rating" }).groups).toEqual(["1d"]);
  });

  it("lose no sound game to faults in another one, whatever these are", () => {
    const random = Random.named("faults");
    for (let round = 0; round < 60; round++) {
      const games = Array.from({ length: 3 }, () => randomSgf(random));
      const sound = movesOf(read(games.join(""), { duplicates: "keep" }));
      const faulty = Buffer.from(games[1]!);
      // Neither brackets nor parentheses: those may join games or divide them.
      const harmless = Buffer.from("aB;Z9 \n\0\xff", "latin1");
      for (let faults = 0; faults < 3; faults++) {
        const at = 1 + random.below(faulty.length - 3);
        if (!"[]()\\".includes(String.fromCharCode(faulty[at]!)))
          faulty[at] = harmless[random.below(harmless.length)]!;
      }
      const batch = read(Buffer.concat([Buffer.from(games[0]!), faulty, Buffer.from(games[2]!)]), {
        duplicates: "keep",
      });
      const found = movesOf(batch);
      expect(found[0]).toEqual(sound[0]);
      expect(found.at(-1)).toEqual(sound[2]);
      expect(found.length + batch.leftOut.length).toBe(3);
    }
  });

  it("are any bytes: nothing throws, and no action is out of range", () => {
    const random = Random.named("any bytes");
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(Array.from({ length: 3 }, () => randomSgf(random)).join(""));
      for (let faults = 0; faults < 4; faults++) bytes[random.below(bytes.length)] = random.below(256);
      const batch = read(bytes);
      expect(batch.lengths.length + batch.leftOut.length).toBeGreaterThan(0);
      expect(batch.moves.every((action) => action <= 25)).toBe(true);
    }
  });
});

describe("the games that are kept", () => {
  const sorted = (texts: readonly string[], given: Readonly<Record<string, unknown>> = {}) => {
    const leftOut: LeftOut[] = [];
    const sorter = new GameSorter(filters(given), 2);
    const kept = texts.map((text) => sorter.take(read(text, given), (each) => void leftOut.push(each)));
    return { kept, leftOut };
  };

  it("are the first ones of duplicates, under symmetries or without", () => {
    const [one, image] = ["(;SZ[5];B[aa];W[cb])", "(;SZ[5];B[ea];W[cb])"];
    const count = (duplicates: string) =>
      sorted([one, image, one], { duplicates }).kept.map(({ lengths }) => lengths.length);
    expect([count("symmetric"), count("exact"), count("keep")]).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
    expect(sorted([one, image]).leftOut).toMatchObject([{ where: "some.sgf:1", reason: "duplicate" }]);
  });

  it("have parts in the shares that are asked for, the same in any order and for all images", () => {
    const random = Random.named("parts");
    const texts = Array.from({ length: 400 }, () => randomSgf(random));
    const given = { validation: 0.2, test: 0.1, duplicates: "keep" };
    const { kept } = sorted([texts.join("")], given);
    const parts = [...kept[0]!.parts];
    // Binomial with 400 draws: beyond 4.5 standard deviations with a probability below 1e-5.
    expect(Math.abs(parts.filter((part) => part === 1).length - 80)).toBeLessThan(36);
    expect(Math.abs(parts.filter((part) => part === 2).length - 40)).toBeLessThan(27);
    const reversed = sorted([texts.toReversed().join("")], given).kept[0]!;
    expect([...reversed.parts].toReversed()).toEqual(parts);
    expect([...sorted([texts.join("")], { ...given, seed: 2 }).kept[0]!.parts]).not.toEqual(parts);
  });
});
