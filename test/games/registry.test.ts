import { describe, expect, it } from "vitest";
import { games, openGame } from "../../src/games/registry.ts";
import { gameLaws } from "./game-laws.ts";
import type { LawfulGame } from "./game-laws.ts";

const counted = "counted by the plain rules in 2048-reference.ts";

const lawful: readonly LawfulGame[] = [
  {
    title: "2048",
    game: openGame("2048"),
    perft: { counts: [1, 32, 960, 3_584, 101_120], provenance: counted },
    longestGame: 4_000,
    playthroughPlies: 60,
  },
  {
    title: "2048 2x2",
    game: openGame("2048", { rows: 2, columns: 2 }),
    perft: { counts: [1, 8, 48, 128, 576, 1_600, 5_760, 14_784], provenance: counted },
    longestGame: 100,
    playthroughPlies: 100,
  },
  {
    title: "2048 2x3",
    game: openGame("2048", { rows: 2, columns: 3 }),
    perft: { counts: [1, 12, 120, 376, 3_152, 10_016, 73_008], provenance: counted },
    longestGame: 300,
    playthroughPlies: 60,
  },
  {
    title: "2048 4x3",
    game: openGame("2048", { rows: 4, columns: 3 }),
    perft: { counts: [1, 24, 528, 1_912, 38_720], provenance: counted },
    longestGame: 2_000,
    playthroughPlies: 30,
  },
  {
    title: "tic-tac-toe",
    game: openGame("tic-tac-toe"),
    perft: {
      counts: [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872],
      provenance: "255,168 games end after 5 to 9 plies: 1,440 + 5,328 + 47,952 + 72,576 + 127,872",
    },
    longestGame: 9,
    playthroughPlies: 9,
  },
  {
    title: "blokus",
    game: openGame("blokus"),
    perft: { counts: [1, 58, 3_364, 195_112], provenance: "58 first moves in each of four corners" },
    longestGame: 84,
    playthroughPlies: 20,
  },
  {
    title: "blokus-duo",
    game: openGame("blokus-duo"),
    perft: { counts: [1, 414, 171_396], provenance: "414 first moves on a start cell, no two of which meet" },
    longestGame: 42,
    playthroughPlies: 42,
  },
  {
    title: "daihinmin",
    game: openGame("daihinmin"),
    perft: { counts: [1, 5, 265, 13_780], provenance: "5 players for the first card, then 53, 52 cards" },
    longestGame: 1_200,
    playthroughPlies: 400,
  },
  {
    title: "daihinmin of three games",
    game: openGame("daihinmin", { games: 3 }),
    perft: { counts: [1, 120, 600, 31_800], provenance: "120 seatings, then as in a single game" },
    longestGame: 3_600,
    playthroughPlies: 600,
  },
];

for (const each of lawful) gameLaws(each);

describe("the registry of games", () => {
  it("has every game under the laws", () => {
    const names = games.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(lawful.map(({ game }) => game.name))).toEqual(new Set(names));
  });

  it("gives every game a description and describes every option, strictly", () => {
    for (const { description, options } of games) {
      expect(description).toMatch(/\.$/);
      expect((options as { additionalProperties?: unknown }).additionalProperties).toBe(false);
      for (const field of Object.values(options.properties) as {
        description?: string;
        default?: unknown;
      }[]) {
        expect(field.description).toMatch(/\.$/);
        expect(field.default).toBeDefined();
      }
    }
  });

  it("opens a game by its name, with defaults", () => {
    for (const { name } of games) expect(openGame(name).name).toBe(name);
    expect(openGame("2048", { rows: 2 }).nets!.planes["tiles"]!.shape).toEqual([2, 4, 18]);
  });

  it("says what is wrong with a name or an option", () => {
    expect(() => openGame("chess")).toThrow(
      /no game "chess" \(known: 2048, tic-tac-toe, blokus, blokus-duo, daihinmin\)/,
    );
    expect(() => openGame("2048", { rows: 5 })).toThrow(
      /2048: rows: expected a whole number from 2 to 4, found 5 \(/,
    );
    expect(() => openGame("2048", { width: 4 })).toThrow(
      /2048: unknown option "width" \(known options: rows/,
    );
  });
});
