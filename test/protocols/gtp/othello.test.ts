import { describe, expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { agentKinds } from "../../../src/operators/experiment/agent-kinds.ts";
import { gtpRhino, othelloDialect } from "../../../src/protocols/gtp/othello.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { openForTest } from "./open-for-test.ts";

/** Black has no move; White can turn over b1 by c1, and then nobody has a move. */
const BLACK_PASSES = "OX6/8/8/8/8/8/8/8 X";

const game: Game<unknown> = openGame("othello");

function start(size = 8) {
  const session = new GtpSession({
    dialect: othelloDialect,
    game: { rules: "othello", size },
    open: openForTest({ use: "random" }),
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: { read: () => "", write: () => undefined },
  });
  return (...lines: string[]) => lines.map((line) => session.respond(line)?.trimEnd());
}

describe("a session of Othello", () => {
  it("passes by itself, whether the controller sends the pass, requests it or leaves it out", () => {
    const send = start();
    const set = `setposition ${BLACK_PASSES}`;
    const after = "= OOO5/8/8/8/8/8/8/8 -";
    expect(send(set, "all_legal b", "play b pass", "play w c1", "ludoflow-showposition")).toEqual([
      "=",
      "= pass",
      "=",
      "=",
      after,
    ]);
    expect(send(set, "genmove b", "genmove w", "ludoflow-showposition")).toEqual([
      "=",
      "= pass",
      "= c1",
      after,
    ]);
    expect(send(set, "genmove w", "ludoflow-showposition", "undo", "ludoflow-showposition")).toEqual([
      "=",
      "= c1",
      after,
      "=",
      `= ${BLACK_PASSES}`,
    ]);
    expect(send(set, "play w C1", "genmove w", "genmove b", "final_score")).toEqual([
      "=",
      "=",
      "= pass",
      "= pass",
      "= W+3",
    ]);
  });

  it("refuses a pass where there is a move, moves out of turn, and squares that it has not, and says why", () => {
    const send = start();
    expect(send("play b pass", "play w d3", "genmove w", "play b D6", "play b E4", "play b i9")).toEqual([
      "? illegal move: pass (there is another move: the pass is legal only if there is none)",
      "? it is the turn of b, not of w",
      "? it is the turn of b, not of w",
      "? illegal move: D6 (it would turn over no disc)",
      "? illegal move: E4 (the square is occupied)",
      "? illegal move: i9 (not a square from a1 to h8, and not pass)",
    ]);
    expect(send("ludoflow-showposition")).toEqual(["= 8/8/8/3OX3/3XO3/8/8/8 X"]);
  });

  it("has boards of the sizes that the rules have, and one game", () => {
    const send = start(6);
    expect(send("ludoflow-showposition", "boardsize 4", "ludoflow-showposition", "set_game othello")).toEqual(
      ["= 6/6/2OX2/2XO2/6/6 X", "=", "= 4/1OX1/1XO1/4 X", "="],
    );
    const [seven, letters, go] = send("boardsize 7", "boardsize x", "set_game Go");
    expect(seven).toMatch(/^\? .*size/);
    expect(letters).toBe('? unacceptable size: "x" is not a whole number');
    expect(go).toBe('? unsupported game "Go" (known: Othello)');
    expect(send("ludoflow-showposition", "list_games")).toEqual(["= 4/1OX1/1XO1/4 X", "= Othello"]);
  });
});

describe("a program that passes by itself", () => {
  it("is refused on other boards than its own", () => {
    const small = openGame("othello", { size: 6 });
    const options = { command: ["x"], dialect: "gtp-rhino" };
    expect(() => openSearch("gtp", small, options, agentKinds())).toThrow(/has Othello on 8x8 only$/);
    expect(() => openSearch("gtp", game, { command: ["x"] }, agentKinds())).toThrow(
      /; write dialect: othello or gtp-rhino$/,
    );
  });
});

describe("the score of another program", () => {
  const spoken = gtpRhino.games["othello"]!;
  const read = (text: string) => {
    const reading = game.notation.parsePosition(text);
    if ("error" in reading) throw new Error(reading.error.message);
    return reading.state;
  };

  it("counts the discs on the board, or gives the empty squares to the winner", () => {
    const ended = read("OOO5/8/8/8/8/8/8/8 -");
    const agreed = ["W+3", "W+64", "w+3.0", "B+3", "B+64", "W+61", "0", "W", "", "W+-3"].map((score) =>
      spoken.sameScore!(score, game, ended),
    );
    expect(agreed).toEqual([true, true, true, ...Array.from({ length: 7 }, () => false)]);
    const level = read("OXOX4/8/8/8/8/8/8/8 X");
    expect(["0", "draw", "B+1", "B+60"].map((score) => spoken.sameScore!(score, game, level))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
