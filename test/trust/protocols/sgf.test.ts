import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSgfCollection } from "../../../src/formats/sgf/collection.ts";
import { SgfInvalid, type SgfWarning } from "../../../src/formats/sgf/faults.ts";
import { readSgf, readSgfLeniently } from "../../../src/formats/sgf/reader.ts";
import { sgfLines, sgfMainLine, writeSgf } from "../../../src/formats/sgf/sgf.ts";
import { GoSgfInvalid, readGoSgf } from "../../../src/games/go/sgf/read-game.ts";
import { Random } from "../../../src/random.ts";

/** Processor time of a function in seconds. */
function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1e6;
}

/** Whether an error is one that readers announce. */
function isAnnounced(error: unknown): boolean {
  return error instanceof SgfInvalid || error instanceof GoSgfInvalid;
}

describe("SGF of five megabytes", () => {
  const repeated = (part: string): string => part.repeat(Math.ceil(5_000_000 / part.length));
  const texts: Readonly<Record<string, string>> = {
    "(": repeated("("),
    "[": repeated("["),
    "(;": repeated("(;"),
    "(;B[aa](": `(;B[aa]${repeated("(")}`,
    "(;C[ [": `(;C[${repeated("[")}`,
    "(;C[ ]": `(;C[a${repeated("]")}`,
    "(;C[ ] x": `(;C[a${repeated("] x")}`,
    "(;C[ ] and [": `(;C[a${repeated("] and [")}`,
    "(;B ]": `(;B[aa]${repeated("]")}`,
    "(;)": repeated("(;)"),
    "(B[]": repeated("(B[]) x "),
    "( ": repeated("( "),
    spaces: `(;C[a]${repeated(" ")}]`,
    backslashes: `(;C[${repeated("\\")}`,
    letters: `(;${repeated("a")}`,
    moves: `(;SZ[9]${repeated(";B[aa];W[bb]")})`,
    "moves in brackets": `(;SZ[9]${repeated("(;B[aa]")}`,
    forks: `(;SZ[9]${repeated("(;B[aa])(;W[bb]")}`,
    "stones that are set up": `(;HA[2]${repeated("AB[aa:cc]")})`,
    "CA[": repeated("(;CA[ CA["),
  };

  it.each(Object.keys(texts))("%s is read in time linear in its length", (name) => {
    const bytes = Buffer.from(texts[name]!, "latin1");
    // Half a minute is far more than any takes, and far less than squares of five million steps.
    const time = seconds(() => {
      try {
        const { games } = readSgfCollection(bytes);
        for (const game of games.slice(0, 10)) readGoSgf(sgfMainLine(game));
        sgfLines(games[0]!).next();
      } catch (error) {
        if (!isAnnounced(error)) throw error;
      }
      try {
        for (const _ of readSgf(texts[name]!));
      } catch (error) {
        if (!isAnnounced(error)) throw error;
      }
    });
    expect(time).toBeLessThan(30);
  });
});

describe("files of Go with random changes", () => {
  const folder = resolve(import.meta.dirname, "../../games/go/sgf");
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));

  it("are read, or refused by an error with a code; what was read can be written and read again", () => {
    const random = Random.named("test", "sgf", "changes");
    const specials = Buffer.from("()[];\\: \n\0BWCAEDZtt");
    let read = 0;
    let refused = 0;
    for (let round = 0; round < 20_000; round++) {
      let bytes = Buffer.from(files[random.below(files.length)]!);
      for (let changes = 1 + random.below(8); changes > 0 && bytes.length > 0; changes--) {
        const at = random.below(bytes.length);
        const kind = random.below(5);
        if (kind === 0) bytes[at] = random.below(256);
        else if (kind === 1) bytes[at] = specials[random.below(specials.length)]!;
        else if (kind === 2) bytes = bytes.subarray(0, at);
        else if (kind === 3)
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(9))]);
        else {
          const part = bytes.subarray(at, at + random.below(40));
          bytes = Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
        }
      }
      try {
        const { games } = readSgfCollection(bytes);
        const again: SgfWarning[] = [];
        expect(writeSgf(readSgfLeniently(writeSgf(games), again))).toBe(writeSgf(games));
        expect(again).toEqual([]);
        for (const game of games)
          for (const { nodes } of sgfLines(game)) {
            const { sections } = readGoSgf(nodes);
            expect(sections.length).toBeGreaterThan(0);
          }
        read++;
      } catch (error) {
        if (!isAnnounced(error)) throw error;
        refused++;
      }
    }
    expect(read).toBeGreaterThan(10_000);
    expect(refused).toBeGreaterThan(100);
  });
});
