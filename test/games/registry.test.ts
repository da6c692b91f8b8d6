import { describe, expect, it } from "vitest";
import { GameNotOpened, games, openGame } from "../../src/games/registry.ts";
import { countFrom as count2048 } from "./2048/reference.ts";
import { countFrom as countBlokus } from "./blokus/reference.ts";
import { countFrom as countConnectFour } from "./connect-four/reference.ts";
import { countFrom as countDaihinmin } from "./daihinmin/reference.ts";
import { gameLaws } from "./game-laws.ts";
import type { LawfulGame } from "./game-laws.ts";
import { countFrom as countGo, plainRules } from "./go/reference.ts";
import { countFrom as countOthello } from "./othello/reference.ts";
import { countFrom as countTicTacToe } from "./tic-tac-toe/reference.ts";
import { allCases } from "../number-of-cases.ts";

const counted = "counted by the plain rules in 2048-reference.ts";

const lawful: readonly LawfulGame[] = [
  {
    title: "2048",
    game: openGame("2048"),
    perft: { counts: [1, 32, 960, 3_584], provenance: counted },
    midgame: [
      {
        position: "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 p 100",
        counts: [1, 4, 8, 16],
        provenance: "made up: a full board with one pair left",
      },
      {
        position: "65536,32768,16384,8192/512,1024,2048,4096/256,128,64,32/4,8,16,. c 3604480",
        counts: [1, 2, 0],
        provenance: "made up: the greatest chain but one tile, dead after any tile",
      },
      {
        position: "131072,65536,2,2/4,8,16,32/131072,8,16,32/2,2,.,. p 4000000",
        counts: [1, 4, 36, 130],
        provenance: "made up: the greatest tile twice, three pairs to merge",
      },
    ],
    countFrom: count2048,
    longestGame: 4_000,
    playthroughPlies: 60,
  },
  {
    title: "2048 2x2",
    similar: true,
    game: openGame("2048", { rows: 2, columns: 2 }),
    perft: { counts: [1, 8, 48, 128, 576, 1_600, 5_760, 14_784], provenance: counted },
    midgame: [
      {
        position: "8,4/.,2 p 28",
        counts: [1, 2, 4, 6, 12, 18, 44],
        provenance: "made up: one empty cell",
      },
    ],
    countFrom: count2048,
    longestGame: 100,
    playthroughPlies: 100,
  },
  {
    title: "2048 2x3",
    similar: true,
    game: openGame("2048", { rows: 2, columns: 3 }),
    perft: { counts: [1, 12, 120, 376, 3_152, 10_016, 73_008], provenance: counted },
    midgame: [
      {
        position: "16,8,4/2,2,. c 100",
        counts: [1, 2, 6, 12, 32, 72, 150],
        provenance: "made up: a new tile has one place",
      },
    ],
    countFrom: count2048,
    longestGame: 300,
    playthroughPlies: 60,
  },
  {
    title: "2048 4x3",
    similar: true,
    game: openGame("2048", { rows: 4, columns: 3 }),
    perft: { counts: [1, 24, 528, 1_912, 38_720], provenance: counted },
    midgame: [
      {
        position: "64,32,4/2,8,16/2,.,4/2,2,4 p 500",
        counts: [1, 4, 20, 67],
        provenance: "made up: pairs and a triple",
      },
    ],
    countFrom: count2048,
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
    midgame: [
      {
        position: "x1o/1x1/3 o",
        counts: [1, 6, 30, 100, 276, 304, 216],
        provenance: "made up: x has the middle and a corner",
      },
      {
        position: "oo1/xxo/x1x o",
        counts: [1, 2, 1],
        provenance: "made up: the last two cells, of which one ends the game",
      },
    ],
    countFrom: countTicTacToe,
    longestGame: 9,
    playthroughPlies: 9,
  },
  {
    title: "connect-four",
    game: openGame("connect-four"),
    perft: {
      counts: [1, 7, 49, 343, 2_401, 16_807],
      provenance: "7^n: no column is full and no game ends before",
    },
    midgame: [
      {
        position: "3x3/2ox3/2xo3/1oxx3/1xoo3/oxox2o x",
        counts: [1, 6, 35, 200, 1_118],
        provenance: "made up: a full column, and threats of both",
      },
      {
        position: "xoxoxo1/oxoxox1/xoxoxo1/xoxoxo1/oxoxox1/xoxoxo1 x",
        counts: [1, 1, 1],
        provenance: "made up: one column is left",
      },
    ],
    countFrom: countConnectFour,
    longestGame: 42,
    playthroughPlies: 42,
  },
  {
    title: "connect-four 8x7",
    similar: true,
    game: openGame("connect-four", { columns: 8, rows: 7 }),
    perft: { counts: [1, 8, 64, 512, 4_096], provenance: "8 moves each: no column is full" },
    midgame: [
      {
        position: "1oo2xox/xoo2oxx/xxx2xoo/oxo2oxx/xox2xox/ooxo1xox/oxxooxoo x",
        counts: [1, 3, 8, 17, 34],
        provenance: "after 44 random moves",
      },
    ],
    countFrom: countConnectFour,
    longestGame: 56,
    playthroughPlies: 56,
  },
  {
    title: "othello",
    game: openGame("othello"),
    perft: {
      counts: [1, 4, 12, 56, 244, 1_396, 8_200, 55_092],
      provenance: "A. Bik, Computing deep perft and divide numbers for Othello; depths 8 and 9 in test/trust",
    },
    midgame: [
      {
        position: "8/8/8/3XO3/3XXX2/8/8/8 O",
        counts: [1, 4, 20, 85],
        provenance: "made up: three plies from the start",
      },
    ],
    countFrom: countOthello,
    longestGame: 120,
    playthroughPlies: 70,
  },
  {
    title: "othello 4x4",
    similar: true,
    game: openGame("othello", { size: 4 }),
    perft: {
      counts: [1, 4, 12, 44, 128, 424],
      provenance: "counted by the plain rules in othello/reference.ts",
    },
    midgame: [
      {
        position: "OXX1/4/4/4 X",
        counts: [1, 1, 1, 0],
        provenance: "made up: a pass, a move, the end",
      },
    ],
    countFrom: countOthello,
    longestGame: 24,
    playthroughPlies: 24,
  },
  {
    title: "othello 6x6",
    similar: true,
    game: openGame("othello", { size: 6 }),
    perft: {
      counts: [1, 4, 12, 56, 244, 1_364],
      provenance: "counted by the plain rules in othello/reference.ts",
    },
    midgame: [],
    countFrom: countOthello,
    longestGame: 64,
    playthroughPlies: 40,
  },
  {
    title: "blokus",
    game: openGame("blokus"),
    perft: { counts: [1, 58, 3_364], provenance: "58 first moves in each of four corners" },
    midgame: [
      {
        position:
          "BBBB7OOO3OOO/1B3B5OBBOOO1O1/2BBB3BBBB1O2OO2/4BB2B1OO1O5O/1BBB2BB2O2O2OO1O/3B2BBBOO1OO2OO1O/1B1B3OOBBO2OO2O1/1BB1BVVVOOBB1O2OOOO/3BBV1V2B2OOO4/2BB2G1VV3O2OOOO/GG2B1G1GGVVV1V5/G2BBG2GVG1V1VVV3/G1B1BGG1VVG2V1V2V1/G1B1G1G1V1GGGV3V2/1GBG2G1VG1VVV3VV1/1GBGG2GGGV3V4V/1GBGB1G1GVVV2V4V/G1GBBBG2GV3V4V/G1GGBGG1GG4VV2V1/GG1GG1G1G1VVVV2VVVV BOVG B - h14,s8,a10,e4,l20,k1,e7",
        counts: [1, 20, 160],
        provenance: "after 52 random moves",
      },
      {
        position:
          "B1BBBB1B1O1OOO2O1OO/BB1B2BBBOO1OO1OO2O/VBBVVVVVB1O1V1O1OO1O/VVVBGB1BVVOVVVO4O/BBBBGBBB1VVOVOOO1OO1/1GGGBGG1B1VOOV2OO1O/1BBGBGG1BV1OBV2O2O/1B1BBB1GBBBOBVVV1OOO/BB4BG1OOBOOO1VVVV/1GGGBBGG1OBBO1O2V2/1GBGBGOGOOBB1O1VVOVV/GBBBGGOOGGGGBOOVOOOV/G1BGG1BBBBBGBVOVVO1O/GGGBBGG2GGBBVVOOVVO/BBB1BBGG1G1B1VV1OV1O/GGG3G1GG2V1O1OV1O/1G1GGG4VVVOOO1V1O/G2GG1GGG1V3VVV1V1/GGG2GGVVV2VV1V1VVV/G3G1VV4VV1V3V BOVG O G o5,s10,e1,d7,g10,j14,a6",
        counts: [1, 6, 16],
        provenance: "late in a game of largest pieces: seat G is passed over",
      },
    ],
    countFrom: countBlokus,
    longestGame: 84,
    playthroughPlies: 20,
  },
  {
    title: "blokus 12x12 with 9 pieces",
    similar: true,
    game: openGame("blokus", { size: 12, largestPiece: 4 }),
    perft: { counts: [1, 21, 441, 9_261], provenance: "21 first moves in each of four corners" },
    midgame: [
      {
        position:
          "B1BB2B2BOO/B1BB1BB2B1O/BBGGB1B1B2O/3GBB1BBOO1/2G2B1O1OOV/1GGG3OO2V/4GG1O3V/4GGOVOOOV/3G1OO1VVV1/G1GG1O1V1V2/G1G3OV2VV/GG3OOVV1VV BOVG V - c8,i10,g2,h5,c10,j12,i5",
        counts: [1, 5, 111, 486, 2_290],
        provenance: "after 22 random moves of largest pieces, counted by the plain rules",
      },
    ],
    countFrom: (position, depth) => countBlokus(position, depth, 4),
    longestGame: 36,
    playthroughPlies: 36,
  },
  {
    title: "blokus-duo",
    game: openGame("blokus-duo"),
    perft: { counts: [1, 414], provenance: "414 first moves on a start cell, no two of which touch" },
    midgame: [
      {
        position:
          "3B1OO1OOO1O1/4BBBOBO3O/2BB2BOBO3O/3B1OOOB1OO1O/4BB1BB1O1O1/2BB1BB3O1O1/3B1O1BBO2O1/2BB1OB2O2O1/4BOBB1O2O1/2B1BOOBBO1O2/1BB1B1BOOBOO2/2BB1BBOBBBO2/5BB1OO1O2/8OOO3 BO B - m14,c5,h4,j4,f14,d14,f8",
        counts: [1, 26, 359],
        provenance: "after 24 random moves",
      },
      {
        position:
          "BBB8BBB/1B2BBBB3B2/2BB1BOO1BBOOO/1BBB2BOBBOB1O/4B1BOOBOBBB/3BB3BOO2B/5BBBBOBOO1/BBBBB1O2BBOOB/3OOBOOBB1BOB/3OOBO1OOOOBB/2OBBB1O2O1BO/1OO1OOOO3OO1/O1OO6O1OO/OO2OOO3O2O BO B - k11,l6,a2,f6,l12,n7,g12",
        counts: [1, 2, 12, 20],
        provenance: "after 28 random moves: the end of a game",
      },
    ],
    countFrom: countBlokus,
    longestGame: 42,
    playthroughPlies: 42,
  },
  {
    title: "daihinmin",
    game: openGame("daihinmin"),
    perft: { counts: [1, 5, 265, 13_780], provenance: "5 players for the first card, then 53, 52 cards" },
    midgame: [
      {
        position:
          "play:3 hands=S9,H8,HJ,DK,C7,C9,CK/S4,S5,S8,SJ,SK,H7,H2,DJ,DA,C2/S6,H6,HT,HK,D5,D7,D8,DT,C3,C8/S3,S7,SA,H4,HQ,D4,D6,D9,C4,C5,CJ/ST,H3,H5,H9,D3,C6,CT last=3 passes=5",
        counts: [1, 14, 98, 370, 1_254],
        provenance: "after 75 random plies, an empty table",
      },
      {
        position:
          "play:2 hands=S9,H8,HJ,DK,C7,C9,CK/S4,S5,S8,SJ,SK,H7,DJ,DA,C2/S6,HT,D5,D7,D8,DT,C3,C8/S3,S7,SA,HQ,D4,D6,D9,C4,C5/ST,H3,H5,D3,C6,CT table=H2 lock last=2 passed=1,3,4,5 passes=2",
        counts: [1, 1, 11, 47, 224],
        provenance: "after 90 random plies, locked: all others have passed",
      },
      {
        position: "play:1 hands=S3,H3,JK/D4/-/C7,C8/S5,H5 table=S7,H7 revolution last=5 places=-,-,1,-,-",
        counts: [1, 8, 8, 8, 9],
        provenance: "made up: a pair under a revolution, one player out",
      },
      {
        position: "play:2 hands=H4,H5/S3,D3/C9/DK/CA table=JK lock last=1 passed=3 passes=1",
        counts: [1, 2, 3, 5, 9],
        provenance: "made up: the 3 of spades beats the joker alone, though the suits were locked",
      },
      {
        position: "play:5 hands=S4/H4/D4/C4/S2,JK last=4 passes=19",
        counts: [1, 6, 10, 25, 65],
        provenance: "made up: one more pass ends the deal, and places are drawn",
      },
      {
        position: "play:1 hands=S4,S5,S6,S7,JK/H5,H6,H7,H9,HT/D3/C3/C2 last=1",
        counts: [1, 37, 66, 99, 108],
        provenance: "made up: sequences with the joker, virtual ranks among them",
      },
      {
        position: "play:4 hands=H6,D6/-/-/S3,H3,D3,C3,JK/S2 revolution last=2 passed=1 places=-,2,1,-,-",
        counts: [1, 46, 47, 101, 496],
        provenance: "made up: groups of four and five turn the order back",
      },
    ],
    countFrom: countDaihinmin,
    longestGame: 1_200,
    playthroughPlies: 400,
  },
  {
    title: "daihinmin of three games",
    similar: true,
    game: openGame("daihinmin", { games: 3 }),
    perft: { counts: [1, 120, 600, 31_800], provenance: "120 seatings, then as in a single game" },
    midgame: [
      {
        position:
          "return:4 hands=S3,S8,ST,H3,H5,H8,HQ,DQ,C9/SQ,SK,H7,D3,D9,DJ,DA,C5,C8,CK/S9,H6,H9,HK,HA,H2,D4,D2,C7,CT,CQ,CA/S4,S5,S6,S2,HJ,D6,D7,DT,C3,C4,CJ,C2,JK/S7,SJ,SA,H4,HT,D5,D8,DK,C6 order=1,4,5,3,2 deal=2 ranks=4,3,2,1,5 points=1,2,3,4,0 gifts=C2,JK/H2/-/-",
        counts: [1, 78, 936, 11_232],
        provenance: "the exchange of a random game",
      },
    ],
    countFrom: countDaihinmin,
    longestGame: 3_600,
    playthroughPlies: 600,
  },
  {
    title: "go 4x4",
    game: openGame("go", { size: 4, komi: 0.5 }),
    perft: {
      counts: [1, 17, 273, 4_112, 57_984],
      provenance: "counted by the plain rules in go/reference.ts",
    },
    midgame: [
      {
        position:
          "OX1X/O3/X2O/4 O 4/4/4/4 X D1,A1,C2,D3,D4,A3,B4,B1,A2,C4,B2,B3,C1,C3,A1,D2,pass,D4,A4,C4,B1,D2,D4,A3,D3,C3,B3,C4,C3,pass,C4,pass,D2,A3,B4,D2,A2,A4,D4",
        counts: [1, 11, 110, 1_006],
        provenance: "after 39 random moves, with captures all over the board",
      },
      {
        position: "OOO1/1XXX/X1X1/1X1X O",
        counts: [1, 3, 19, 34],
        provenance: "made up, set up without moves: White has two points to play on",
      },
    ],
    countFrom: countGo({ ...plainRules, size: 4 }),
    longestGame: 200,
    playthroughPlies: 100,
  },
  {
    title: "go 3x3 with suicide",
    game: openGame("go", { size: 3, superko: "situational", suicide: true, komi: 3 }),
    perft: {
      counts: [1, 10, 91, 738, 5_345],
      provenance:
        "counted by the plain rules: 64 more than without suicide, as the suicide of one stone is a pass",
    },
    midgame: [
      {
        position:
          "XX1/XX1/1X1 O 3/3/3 X C3,A2,A3,B1,C2,B2,C1,B3,C1,A1,A3,C3,A3,A3,C2,B1,C3,B3,A2,B2,C1,A3,A1,C2,A1,C3,A2,A1,A2,C1,A2,A3,B3,C2,A3,C1,B2,C3,B1",
        counts: [1, 5, 22, 74, 237],
        provenance: "after 39 random moves",
      },
    ],
    countFrom: countGo({ ...plainRules, size: 3, superko: "situational", suicide: true }),
    longestGame: 200,
    playthroughPlies: 100,
  },
  {
    title: "go 3x3 with simple ko",
    game: openGame("go", { size: 3, superko: "simple", moveLimit: 40 }),
    perft: { counts: [1, 10, 91, 738, 5_281], provenance: "counted by the plain rules in go/reference.ts" },
    midgame: [
      {
        position:
          "OOO/1X1/1OX X 3/3/3 X A2,A3,pass,B1,B2,B3,C1,C3,A1,pass,C2,C3,B1,B3,A3,B3,pass,C3,C1,B1,B2,A3",
        counts: [1, 4, 12, 32, 88],
        provenance: "after 22 random moves",
      },
    ],
    countFrom: countGo({ ...plainRules, size: 3, superko: "simple", moveLimit: 40 }),
    longestGame: 40,
    playthroughPlies: 40,
  },
];

for (const each of lawful) if (allCases || each.similar !== true) gameLaws(each);

describe("the registry of games", () => {
  it("has every game under the laws", () => {
    const names = games.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const without = names.filter((name) => !lawful.some(({ game }) => game.name === name));
    expect(without, "add what is known of these games to the list `lawful` of this file").toEqual([]);
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
      `no game "chess" (known: ${games.map(({ name }) => name).join(", ")})`,
    );
    expect(() => openGame("2048", { rows: 5 })).toThrow(
      /2048: rows: expected a whole number from 2 to 4, found 5 \(/,
    );
    expect(() => openGame("chess")).toThrow(GameNotOpened);
    expect(() => openGame("2048", { rows: 5 })).toThrow(GameNotOpened);
    expect(() => openGame("2048", { width: 4 })).toThrow(
      /2048: unknown option "width" \(known options: rows/,
    );
  });
});
