import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LARGEST_LIST } from "../../../../src/formats/files/bounded-file.ts";
import { sha256 } from "../../../../src/formats/sha256.ts";
import { openGame } from "../../../../src/games/registry.ts";
import {
  adoptOpenings,
  readOpenings,
  writeOpenings,
} from "../../../../src/operators/play/openings/opening-database.ts";
import { OpeningsUnusable } from "../../../../src/operators/play/openings/openings-unusable.ts";
import { RunFiles } from "../../../../src/operators/run/run-files.ts";
import type { OpenExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { bareExperiment } from "../../bare-experiment.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function opened(change: { rules?: string; simulations?: number } = {}): OpenExperiment {
  const { rules = "blokus-duo", simulations = 10 } = change;
  const agents = { opener: { use: "uct", simulations } };
  const experiment = bareExperiment({ seed: 5, game: { rules }, agents });
  return { experiment, game: openGame(rules), nets: new Map() };
}

const of = { agent: "opener", plies: 2, openings: 2 };
const files = new RunFiles(join(scratch, "run"));
const env = { files, opened: opened(), stage: "book" };

function someOpenings(): Int32Array[] {
  const { game } = env.opened;
  const legal = new Int32Array(game.maxLegal);
  return [0, 7].map((first) => {
    const state = game.initial();
    return Int32Array.from([first, 3], (which) => {
      game.legal(state, legal);
      game.play(state, legal[which]!);
      return legal[which]!;
    });
  });
}

describe("a database of openings", () => {
  const openings = someOpenings();
  writeOpenings(env, of, openings);
  const path = files.openings("book");

  it("gives back what was written, or the first of them", () => {
    expect(readOpenings(env.opened, of, path)).toEqual(openings);
    expect(readOpenings(env.opened, { ...of, openings: 1 }, path)).toEqual(openings.slice(0, 1));
  });

  it("says what it was built of, and the moves in the game's notation", () => {
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      format: "ludoflow openings 1",
      game: { rules: "blokus-duo" },
      agent: { use: "uct", simulations: 10 },
      plies: 2,
      seed: 5,
      stage: "book",
      openings: [expect.stringMatching(/^(\w+,){4}\w+ (\w+,){4}\w+$/), expect.any(String)],
    });
  });

  it("can be taken over by another run", () => {
    const other = { files: new RunFiles(join(scratch, "other")), stage: "taken" };
    adoptOpenings(other, path);
    expect(readFileSync(other.files.openings("taken"))).toEqual(readFileSync(path));
  });

  it("is taken over as it was built where only spaces were changed by hand", () => {
    const spaced = join(scratch, "spaced.json");
    writeFileSync(spaced, readFileSync(path, "utf8").replaceAll("\n ", "\n\t "));
    const other = { files: new RunFiles(join(scratch, "other")), stage: "spaced" };
    adoptOpenings(other, spaced);
    expect(readFileSync(other.files.openings("spaced"))).toEqual(readFileSync(path));
  });

  it("is not taken over where it was damaged since it was read", () => {
    const damaged = join(scratch, "damaged.json");
    writeFileSync(damaged, readFileSync(path, "utf8").replace('"plies": 2', '"plies": 3'));
    const other = { files: new RunFiles(join(scratch, "other")), stage: "damaged" };
    expect(() => adoptOpenings(other, damaged)).toThrow(OpeningsUnusable);
    expect(existsSync(other.files.openings("damaged"))).toBe(false);
  });

  it.each([
    {
      what: "another agent",
      read: () => readOpenings(opened({ simulations: 11 }), of, path),
      says: /agent/,
    },
    {
      what: "another game",
      read: () => readOpenings(opened({ rules: "tic-tac-toe" }), of, path),
      says: /game/,
    },
    {
      what: "another length",
      read: () => readOpenings(env.opened, { ...of, plies: 3 }, path),
      says: /plies/,
    },
    { what: "too few", read: () => readOpenings(env.opened, { ...of, openings: 3 }, path), says: /holds 2/ },
    { what: "no file", read: () => readOpenings(env.opened, of, join(scratch, "none")), says: /none/ },
  ])("is refused where it does not fit: $what", ({ read, says }) => {
    expect(read).toThrow(OpeningsUnusable);
    expect(read).toThrow(says);
  });

  it.each(["ludoflow openings 2", "ludoflow openings 0", undefined])(
    "is refused by name where it is of the format %s",
    (format) => {
      const other = join(scratch, "other.json");
      const content = JSON.parse(readFileSync(path, "utf8")) as object;
      writeFileSync(other, JSON.stringify({ ...content, format }));
      expect(() => readOpenings(env.opened, of, other)).toThrow(
        `is of the format "${format ?? "unknown"}"; this program reads "ludoflow openings 1"`,
      );
    },
  );

  it("is refused where it is JSON of another kind, or does not end", () => {
    const other = join(scratch, "other-kind.json");
    const reading = (content: string) => {
      writeFileSync(other, content);
      return () => readOpenings(env.opened, of, other);
    };
    for (const content of [
      "null",
      "1",
      '"text"',
      "[]",
      "{}",
      `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    ]) {
      expect(reading(content)).toThrow(OpeningsUnusable);
      expect(reading(content)).toThrow(
        /other-kind\.json: is (?:not a database of openings|of the format "unknown")/,
      );
    }
    const {
      sha256: _,
      format,
      ...content
    } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    for (const openings of [undefined, null, "text", [1]]) {
      const changed = { ...content, openings };
      const sum = sha256(JSON.stringify(changed));
      expect(reading(JSON.stringify({ format, sha256: sum, ...changed }))).toThrow(
        /has no list of openings$/,
      );
    }
    const large = join(scratch, "large.json");
    writeFileSync(large, "");
    truncateSync(large, LARGEST_LIST + 1);
    expect(() => readOpenings(env.opened, of, large)).toThrow(/large\.json: it has more than 256 MiB$/);
  });

  it.each([
    { what: "a single letter has changed", to: '"seed": 6' },
    { what: "a part that does not count has changed", to: '"seed": 6, "seed": 5' },
  ])("is refused when $what", ({ to }) => {
    const damaged = join(scratch, "damaged.json");
    writeFileSync(damaged, readFileSync(path, "utf8").replace('"seed": 5', to));
    expect(() => readOpenings(env.opened, of, damaged)).toThrow(/checksum/);
  });
});
