import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { games, openGame } from "../../src/games/registry.ts";

const rows = (count: number, size: number) => Array.from({ length: count }, () => String(size)).join("/");

/** Texts that name no position, with the code of the error and a part of its message. */
const wrong: readonly (readonly [game: string, text: string, code: string, message: RegExp])[] = [
  ["tic-tac-toe", "x2/1o1/3", "ERR_SYNTAX", /2 parts/],
  ["tic-tac-toe", "y2/3/3 o", "ERR_SYNTAX", /row 1 of the board has "y"/],
  ["tic-tac-toe", "x2/3 o", "ERR_SIZE", /2 rows/],
  ["tic-tac-toe", "x2/4/3 o", "ERR_SIZE", /row 2 of the board has 4 cells, not 3/],
  ["tic-tac-toe", "oo1/1x1/3 x", "ERR_PIECES", /1 stones x and 2 stones o/],
  ["tic-tac-toe", "xxx/ooo/3 -", "ERR_PIECES", /both/],
  ["tic-tac-toe", "x2/3/3 x", "ERR_TURN", /the mover is "x"; on this board it is "o"/],
  ["tic-tac-toe", "xxx/oo1/3 o", "ERR_TURN", /on this board it is "-"/],
  ["connect-four", "7/7/7/7/7/7", "ERR_SYNTAX", /2 parts/],
  ["connect-four", "7/7/7/7/7/X6 o", "ERR_SYNTAX", /row 6 of the board has "X"/],
  ["connect-four", "7/7/7/7/7 x", "ERR_SIZE", /5 rows/],
  ["connect-four", "7/7/7/7/7/x7 o", "ERR_SIZE", /row 6 of the board has 8 cells, not 7/],
  ["connect-four", "7/7/7/7/3x3/7 o", "ERR_PIECES", /row 5 of the board has a stone in column 4 above an/],
  ["connect-four", "7/7/7/7/7/xx5 o", "ERR_PIECES", /2 stones x and 0 stones o/],
  ["connect-four", "7/7/xo5/xo5/xo5/xo5 -", "ERR_PIECES", /both x and o have four/],
  ["connect-four", "7/7/x6/x5o/x5o/xo4o o", "ERR_PIECES", /x has four in a row, but the last move was of o/],
  ["connect-four", "7/7/7/7/7/x6 x", "ERR_TURN", /the mover is "x"; on this board it is "o"/],
  ["connect-four", "7/7/x6/xo5/xo5/xo5 o", "ERR_TURN", /on this board it is "-"/],
  ["othello", "8/8/8/3OX3/3XO3/8/8/8", "ERR_SYNTAX", /2 parts/],
  ["othello", "8/8/8/3OX3/3XO3/8/8/8 x", "ERR_SYNTAX", /the mover is "x"/],
  ["othello", "8/8/8/3OX3/3Xo3/8/8/8 X", "ERR_SYNTAX", /row 5 of the board has "o"/],
  ["othello", "8/8/8/3OX3/3XO3/8/8 X", "ERR_SIZE", /7 rows/],
  ["othello", "8/8/8/3OX3/3XO4/8/8/8 X", "ERR_SIZE", /row 5 of the board has 9 cells, not 8/],
  ["othello", "8/8/8/3OX3/3XO3/8/8/8 -", "ERR_TURN", /a seat can place a disc/],
  ["othello", "8/8/8/3X4/8/8/8/8 X", "ERR_TURN", /no seat can place a disc/],
  ["2048", "2,.,.,4/.,.,.,./.,.,.,./.,.,.,. p", "ERR_SYNTAX", /3 parts/],
  ["2048", "2,.,.,x/.,.,.,./.,.,.,./.,.,.,. p 0", "ERR_SYNTAX", /row 1, column 4 is "x"/],
  ["2048", "2,.,.,4/.,.,.,./.,.,.,. p 0", "ERR_SIZE", /3 rows/],
  ["2048", "2,.,.,4/.,.,.,./.,.,./.,.,.,. p 0", "ERR_SIZE", /row 3 has 3 cells, not 4/],
  ["2048", "2,.,.,6/.,.,.,./.,.,.,./.,.,.,. p 0", "ERR_PIECES", /row 1, column 4 is 6/],
  ["2048", "2,.,.,1/.,.,.,./.,.,.,./.,.,.,. p 0", "ERR_PIECES", /is 1;/],
  ["2048", "2,.,.,4/.,.,.,./.,.,.,./.,.,.,. p -4", "ERR_SCORE", /the score is "-4"/],
  ["2048", "2,.,.,4/.,.,.,./.,.,.,./.,.,.,. - 0", "ERR_TURN", /it is "p" or "c"/],
  ["2048", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 p 0", "ERR_TURN", /it is "-"/],
  ["2048", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 c 0", "ERR_TURN", /full board/],
  ["2048", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. p 0", "ERR_TURN", /chance moves/],
  ["blokus-duo", `${rows(14, 14)} BO B -`, "ERR_SYNTAX", /5 parts/],
  ["blokus-duo", `${rows(14, 14)} BO B X -`, "ERR_SYNTAX", /passed over are "X"/],
  ["blokus-duo", `${rows(14, 14)} BO V - -`, "ERR_SYNTAX", /the mover is "V"/],
  ["blokus-duo", `${rows(14, 14)} BO B - z1`, "ERR_SYNTAX", /"z1", which is not a cell/],
  ["blokus-duo", `${rows(13, 14)} BO B - -`, "ERR_SIZE", /13 rows/],
  ["blokus-duo", `${rows(14, 14)} OB1 B - -`, "ERR_TURN", /turn order is "OB1"/],
  ["blokus-duo", `${rows(14, 14)} BO - - -`, "ERR_TURN", /not over: seat B has a move/],
  ["blokus-duo", `${rows(14, 14)} BO B O -`, "ERR_TURN", /seat O is passed over for good, but has a move/],
  ["blokus-duo", `${rows(14, 14)} BO B - a1`, "ERR_PIECES", /a1, where no piece lies/],
  ["blokus-duo", `B13/${rows(13, 14)} BO O - a14`, "ERR_PIECES", /none on its start cell e10/],
  ["blokus-duo", `${rows(4, 14)}/4BBBBBB4/${rows(9, 14)} BO O - e10`, "ERR_PIECES", /has 6 squares/],
  ["blokus-duo", `${rows(4, 14)}/4B9/5B8/${rows(8, 14)} BO O - e10`, "ERR_PIECES", /laid by the seat before/],
  ["blokus-duo", `${rows(4, 14)}/4B1BB6/${rows(9, 14)} BO O - e10`, "ERR_PIECES", /not joined .* by corners/],
  ["go", rows(19, 19), "ERR_SYNTAX", /2 parts .* or 5/],
  ["go", `${rows(18, 19)}/S18 X`, "ERR_SYNTAX", /row 19 of the board has "S"/],
  ["go", `${rows(18, 19)} X`, "ERR_SIZE", /18 rows/],
  ["go", `${rows(18, 19)}/18 X`, "ERR_SIZE", /row 19 of the board has 18 cells, not 19/],
  ["go", `OX17/X18/${rows(17, 19)} X`, "ERR_PIECES", /the chain of stones at A19 has no liberty/],
  ["go", `${rows(19, 19)} -`, "ERR_TURN", /the mover of a board without moves is "-"/],
  ["go", `${rows(19, 19)} O ${rows(19, 19)} X I5`, "ERR_SYNTAX", /move 1 is "I5"/],
  ["go", `${rows(19, 19)} O ${rows(19, 19)} X A1,B1,A1`, "ERR_PIECES", /move 3, A1 of X, is not legal/],
  ["go", `${rows(19, 19)} X ${rows(19, 19)} X pass,pass,A1`, "ERR_TURN", /move 3 .* the game is over before/],
  ["go", `${rows(19, 19)} O ${rows(19, 19)} X A1`, "ERR_PIECES", /lead to the board .*\/X18, not to 19\//],
  ["go", `${rows(18, 19)}/X18 X ${rows(19, 19)} X A1`, "ERR_TURN", /after these moves it is "O"/],
  ["go", `${rows(19, 19)} X ${rows(19, 19)} X pass,pass`, "ERR_TURN", /after these moves it is "-"/],
  ["daihinmin", "hello", "ERR_SYNTAX", /begins with "hello"/],
  ["daihinmin", "receiver colour=3", "ERR_SYNTAX", /no part "colour=3"/],
  ["daihinmin", "receiver deal=1 deal=1", "ERR_SYNTAX", /"deal" is given twice/],
  ["daihinmin", "receiver table=S3", "ERR_SYNTAX", /"table" has no meaning in the phase receiver/],
  ["daihinmin", "deal:1 hands=S3,S1/-/-/-/-", "ERR_SYNTAX", /"S1", which is not a card/],
  ["daihinmin", "deal:1 hands=-/-/-/-", "ERR_SIZE", /4 sets of cards/],
  ["daihinmin", "deal:1 hands=-/-/-/-/S3,S3", "ERR_CARDS", /S3 twice/],
  ["daihinmin", "deal:1 hands=-/-/-/S3/S3", "ERR_CARDS", /player 5 holds S3, as a player before does/],
  ["daihinmin", "deal:1 hands=-/-/-/S3/-", "ERR_CARDS", /has 0 of the 1 cards dealt, not 1/],
  ["daihinmin", "receiver order=2,1,3,4,5", "ERR_TURN", /player 1 first/],
  ["daihinmin", "seating", "ERR_TURN", /of several/],
  ["daihinmin", "receiver points=1,0,0,0,0", "ERR_SYNTAX", /points has "1"/],
  ["daihinmin", "receiver ranks=1,2,3,4,5", "ERR_SCORE", /the first deal has no ranks/],
  ["daihinmin", "over places=1,2,3,4,- points=4,3,2,1,0", "ERR_SCORE", /every player has a place/],
  ["daihinmin", "over places=1,2,3,4,5 points=0,1,2,3,4", "ERR_SCORE", /player 1 has 0 points/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/-", "ERR_SCORE", /player 5 has 0 cards and no place/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7", "ERR_SYNTAX", /last is missing/],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/S7 last=1 passed=1",
    "ERR_TURN",
    /player 1 is to move, but has passed/,
  ],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 lock last=1", "ERR_CARDS", /nothing is on the table/],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/S7 table=S4 last=2",
    "ERR_CARDS",
    /player 2 holds a card of the play/,
  ],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 table=H8 last=2", "ERR_CARDS", /an 8 clears it/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 table=S1 last=2", "ERR_SYNTAX", /"S1", which is not a play/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 table=pass last=2", "ERR_SYNTAX", /"pass", which is not a play/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 last=6", "ERR_SYNTAX", /last is "6"; .* from 1 to 5/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 last=1 passes=20", "ERR_SYNTAX", /from 0 to 19/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 last=1 passed=6", "ERR_SYNTAX", /"6", which is not a player/],
  ["daihinmin", "play:1 hands=S3/S4/S5/S6/S7 last=1 passed=2,2", "ERR_SYNTAX", /player 2 twice/],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/- places=-,-,-,-,1 last=1 passed=5",
    "ERR_TURN",
    /player 5 has passed, but has no cards left/,
  ],
  [
    "daihinmin",
    "play:5 hands=S3/S4/S5/S6/- places=-,-,-,-,1 last=1",
    "ERR_TURN",
    /player 5 is to move, but has passed or has no cards left/,
  ],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/- places=-,-,-,-,2 last=1",
    "ERR_SCORE",
    /given are 1, 2, ... once each/,
  ],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/S7 places=1,-,-,-,- last=1",
    "ERR_SCORE",
    /player 1 has 1 cards and place 1/,
  ],
  [
    "daihinmin",
    "draw hands=S3/-/-/-/- places=-,1,2,3,4",
    "ERR_SCORE",
    /4 players have a place; with the fourth the deal is over/,
  ],
  [
    "daihinmin",
    "draw hands=S3/S4/S5/S6/S7 gifts=S2,JK/-/-/-",
    "ERR_CARDS",
    /2, 0, 0, 0 cards; .* 0, 0, 0, 0/,
  ],
  ["daihinmin", "receiver hands=S3/-/-/-/-", "ERR_CARDS", /no card is dealt before receiver is over/],
  ["daihinmin", "receiver places=1,-,-,-,-", "ERR_SCORE", /places before play has begun/],
  ["daihinmin", "receiver gifts=S2,JK/-/-/-", "ERR_CARDS", /gifts before all cards are dealt/],
  ["daihinmin", "return:1", "ERR_TURN", /no exchange in the first deal/],
  [
    "daihinmin",
    "play:1 hands=S3/S4/S5/S6/S7 last=2 gifts=S2,JK/-/-/-",
    "ERR_CARDS",
    /the gifts have 2, 0, 0, 0 cards/,
  ],
];

describe("positions as text", () => {
  it.each(wrong)("%s refuses %s: %s", (name, text, code, message) => {
    const reading = openGame(name).notation.parsePosition(text);
    expect(reading).toHaveProperty("error.code", code);
    expect(reading).toHaveProperty("error.message", expect.stringMatching(message));
  });

  it.each(games.map(({ name }) => name))("are those of a new game of %s", (name) => {
    const game = openGame(name);
    expect(game.notation.parsePosition(game.notation.position(game.initial()))).toEqual({
      state: game.initial(),
    });
  });

  it("of Daihinmin seats the players in their order", () => {
    const game = openGame("daihinmin", { games: 2 });
    const reading = game.notation.parsePosition("play:1 order=1,3,5,2,4 hands=S3/S4/S5/S6/S7 last=1");
    if ("error" in reading) throw new Error(reading.error.message);
    const { state } = reading;
    const movers = Array.from({ length: 4 }, () => {
      game.play(state, game.notation.parse(state, "pass")!);
      return game.toMove(state) + 1;
    });
    expect(movers).toEqual([3, 5, 2, 4]);
  });

  it("of Daihinmin deal to the players in turn", () => {
    const read = (text: string) => openGame("daihinmin").notation.parsePosition(text);
    expect(read("deal:3 hands=S4/H4/-/-/S3")).toHaveProperty("state");
    expect(read("deal:3 hands=S4/H4/S3/-/-")).toHaveProperty(
      "error.message",
      expect.stringMatching(/player 5 has 0 of the 3 cards dealt, not 1/),
    );
    expect(read("deal:2 hands=S4,S6/H4/S3/D3/C3")).toHaveProperty("state");
  });

  it("of Daihinmin have the joker at virtual ranks if the option allows it", () => {
    const read = (virtualRanks: boolean, table: string) =>
      openGame("daihinmin", { virtualRanks }).notation.parsePosition(
        `play:1 hands=S7/S9/ST/SJ/SQ table=${table} last=2`,
      );
    const without = /here the joker does not stand above 2 or below 3/;
    for (const table of ["*H-,H3,H4", "HA,H2,*H+"]) {
      expect(read(true, table)).toHaveProperty("state");
      expect(read(false, table)).toHaveProperty("error.message", expect.stringMatching(without));
    }
    for (const table of ["JK", "*H3,H4,H5"])
      for (const virtual of [true, false]) expect(read(virtual, table)).toHaveProperty("state");
  });

  it("of Daihinmin refuses gifts that contradict the hands", () => {
    const game = openGame("daihinmin", { games: 2 });
    const read = (hands: string, gifts: string) =>
      game.notation.parsePosition(
        `play:1 hands=${hands} last=1 deal=2 ranks=1,2,3,4,5 points=4,3,2,1,0 gifts=${gifts}`,
      );
    expect(read("S2/S3/S4/S5/S6", "HA,S2/H2/D3,D4/D5")).toHaveProperty("state");
    for (const [hands, gifts, message] of [
      ["S2/D2/C4/S5/S6", "HA,S2/D2/D3,D4/D5", undefined],
      ["S2/H2/D2/S5/S6", "HA,S2/D2/D3,D4/D5", /player 3 holds a card that was given to player 2/],
      ["S7/S2/S4/JK/S6", "HA,H2/S2/D3,D4/D5", /player 4 holds a card stronger than/],
      ["S2/S3/S4/S5/HA", "HA,S2/H2/D3,D4/D5", /player 5 holds a card that was given to player 1/],
      ["S2/S3/S4/S5/S6", "HA,S2/H2/S2,D4/D5", /player 1 holds a card that was returned to player 5/],
      ["S2/S3/S4/S5/JK", "HA,S2/H2/D3,D4/D5", /player 5 holds a card stronger than/],
    ] as const) {
      if (message === undefined) {
        expect(read(hands, gifts)).toHaveProperty("state");
        continue;
      }
      expect(read(hands, gifts)).toHaveProperty("error.code", "ERR_CARDS");
      expect(read(hands, gifts)).toHaveProperty("error.message", expect.stringMatching(message));
    }
  });

  it("of Blokus keeps the order of the last placements, the bonus and the turn order of images", () => {
    const game = openGame("blokus");
    const state = game.initial();
    for (const move of ["a20", "t20", "t1", "a1", "b19,b18"])
      game.play(state, game.notation.parse(state, move)!);
    const text = game.notation.position(state);
    expect(text).toMatch(/ BOVG O - a20,t20,t1,a1,b19$/);
    const image = game.initial();
    game.symmetry!.transform(state, 1, image);
    expect(game.notation.position(image)).toMatch(/ OBGV B - t20,a20,a1,t1,s19$/);
    for (const each of [state, image]) {
      const reading = game.notation.parsePosition(game.notation.position(each));
      expect(reading).toEqual({ state: each });
    }
  });

  it("of Go keep the moves that ko and superko go by, and read boards alone as set up", () => {
    const game = openGame("go", { size: 4 });
    const read = (text: string) => {
      const reading = game.notation.parsePosition(text);
      if ("error" in reading) throw new Error(reading.error.message);
      return reading.state;
    };
    const start = "1XO1/XO1O/1XO1/4";
    const state = read(`${start} X`);
    game.play(state, game.notation.parse(state, "C3")!);
    const after = game.notation.position(state);
    expect(after).toBe(`1XO1/X1XO/1XO1/4 O ${start} X C3`);
    expect(read(after)).toEqual(state);
    expect(game.notation.parse(read(after), "B3")).toBe(undefined);
    expect(game.notation.parse(read("1XO1/X1XO/1XO1/4 O"), "B3")).toBe(5);
  });

  it.each([
    ["blokus-duo", "games-blokus.md", {}],
    ["daihinmin", "games-daihinmin.md", {}],
    ["2048", "2048.md", {}],
    ["go", "games-go.md", { size: 5 }],
    ["connect-four", "games-connect-four.md", {}],
    ["othello", "games-othello.md", {}],
  ])("reads the example of %s in docs/%s", (name, page, options) => {
    const { notation } = openGame(name, options);
    const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
    const [, example] = /## Positions\n[^]*?\n\n`([^`]+)`\n/.exec(text)!;
    const reading = notation.parsePosition(example!);
    if ("error" in reading) throw new Error(reading.error.message);
    expect(notation.position(reading.state)).toBe(example);
  });
});
