import { expect, it } from "vitest";
import { type Game, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { connectFourDialect } from "../../../src/protocols/gtp/connect-four.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { openForTest } from "./open-for-test.ts";

function start() {
  const session = new GtpSession({
    dialect: connectFourDialect,
    game: { rules: "connect-four" },
    open: openForTest({ use: "random" }),
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: { read: () => "", write: () => undefined },
  });
  return (...lines: string[]) => lines.map((line) => session.respond(line)?.trimEnd());
}

it("names moves by columns, and refuses what is none, a pass, and a move out of turn, with the reason", () => {
  const send = start();
  expect(send("play b 4", "play b 4", "play w D1", "play w 8", "play w pass", "genmove b")).toEqual([
    "=",
    "? it is the turn of w, not of b",
    "? illegal move: D1 (not a column from 1 to 7)",
    "? illegal move: 8 (not a column from 1 to 7)",
    "? illegal move: pass (not a column from 1 to 7)",
    "? it is the turn of w, not of b",
  ]);
  expect(send("play red 4", "play yellow 4", "play w 4", "play b 4", "play w 4", "play b 4")).toEqual([
    "=",
    "=",
    "=",
    "=",
    "=",
    "? illegal move: 4 (the column is full)",
  ]);
});

it("has boards of other sizes", () => {
  const send = start();
  const set = "rectangular_boardsize";
  expect(send(`${set} 5 4`, "play b 1", "ludoflow-showposition", `${set} 5`, `${set} 5 x`)).toEqual([
    "=",
    "=",
    "= 5/5/5/x4 o",
    "? syntax error: expected a number of columns and a number of rows",
    '? unacceptable size: "x" is not a whole number',
  ]);
  expect(send(`${set} 9 6`)[0]).toMatch(/^\? .*columns/);
  expect(send("ludoflow-showposition")).toEqual(["= 5/5/5/x4 o"]);
});

it("compares the winner of a game, however another program counts a win", () => {
  const game: Game<unknown> = openGame("connect-four");
  const spoken = connectFourDialect.games["connect-four"]!;
  const ended = (moves: string) => {
    const state = game.initial();
    for (const move of moves) game.play(state, game.notation.parse(state, move)!);
    expect(game.toMove(state)).toBe(OVER);
    return state;
  };
  const won = ended("1122334");
  expect(spoken.score(game, won)).toBe("B+1");
  const scores = ["B+1", "B+7", "0", "W+1", "?", "B+"];
  expect(scores.map((text) => spoken.sameScore!(text, game, won))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
