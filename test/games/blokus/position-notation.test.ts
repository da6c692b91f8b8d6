import { describe, expect, it } from "vitest";
import type { GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

const classic = openGame("blokus") as GameBlokus;
const duo = openGame("blokus-duo") as GameBlokus;

/** Empty rows of Duo. */
const rows = (count: number) => Array.from({ length: count }, () => "14").join("/");

describe("positions of Blokus as text", () => {
  it.each([classic, duo])(
    "of $name hold a first piece of any shape, wherever it covers the start cell",
    (game) => {
      const legal = new Int32Array(game.maxLegal);
      const count = game.legal(game.initial(), legal);
      expect(count).toBe(game === duo ? 414 : 58);
      for (const action of legal.subarray(0, count)) {
        const state = game.initial();
        game.play(state, action);
        expect(game.notation.parsePosition(game.notation.position(state))).toEqual({ state });
      }
    },
  );

  it.each([
    ["c11", `${rows(3)}/2BB10/4B9/${rows(9)}`],
    ["f11", `${rows(3)}/5BB7/4B9/${rows(9)}`],
    ["c9", `${rows(4)}/4B9/2BB10/${rows(8)}`],
    ["f9", `${rows(4)}/4B9/5BB7/${rows(8)}`],
  ])("join pieces at all four corners of a square: %s to e10", (last, board) => {
    const text = `${board} BO O - e10,${last}`;
    const reading = duo.notation.parsePosition(text);
    if ("error" in reading) throw new Error(reading.error.message);
    expect(duo.notation.position(reading.state)).toBe(text);
  });

  it("do not join the left edge of the board to the right one", () => {
    // The piece that ends at n11 and the piece that begins at a10, one row below, are neighbours in reading order.
    const text = `${rows(3)}/5BBBB3BB/BBBBB4BBB2/${rows(9)} BO O - f11,a10,j10,m11`;
    const reading = duo.notation.parsePosition(text);
    if ("error" in reading) throw new Error(reading.error.message);
    expect(duo.notation.position(reading.state)).toBe(text);
    expect([...reading.state.placed]).toEqual([14, 0]);
    // Nor do n12 and n10 touch a10 by corners, which they would if the rows were one long line.
    for (const board of [`${rows(2)}/12BB/14/BBBBB9/${rows(9)}`, `${rows(4)}/BBBBB7BB/${rows(9)}`])
      expect(duo.notation.parsePosition(`${board} BO O - -`)).toHaveProperty(
        "error.message",
        expect.stringMatching(/not joined to its start cell by corners/),
      );
  });

  it("name the last piece of a seat that has laid all, however long ago it came", () => {
    const random = Random.named("positions of Blokus", "finished");
    const legal = new Int32Array(classic.maxLegal);
    const scores = new Set<number>();
    for (let attempt = 0; scores.size < 2 && attempt < 200; attempt++) {
      // The first seat plays alone, mostly large pieces, until it can lay no more.
      const state = classic.initial();
      while (classic.search.passTo(state, 0)) {
        const draw = random.below(4) === 0 ? "uniform" : "preferred";
        classic.play(state, classic.playouts[draw](state, random));
      }
      if (state.left[0] !== 0) continue;
      const last = classic.notation.format(state, state.moves[state.plies - 1]! >> 2).split(",")[0];
      while (state.plies < 21 + 8) classic.play(state, legal[random.below(classic.legal(state, legal))]!);
      const text = classic.notation.position(state);
      const named = text.split(" ")[4]!.split(",");
      expect(named.length).toBe(8);
      expect(named[0]).toBe(last);
      const reading = classic.notation.parsePosition(text);
      if ("error" in reading) throw new Error(reading.error.message);
      const returns = new Float64Array(4);
      classic.returns(reading.state, returns);
      expect(returns[0]).toBe(classic.score(state, 0));
      scores.add(returns[0]!);
      expect(classic.notation.parsePosition(text.replace(`${last},`, ""))).toHaveProperty("error", {
        code: "ERR_SCORE",
        message: expect.stringMatching(/^seat B has laid all its pieces; name the last/),
      });
    }
    expect(scores).toEqual(new Set([15, 20]));
  });

  it("of finished games pass over all seats, and let none of them move", () => {
    const random = Random.named("positions of Blokus", "over");
    for (const game of [classic, duo]) {
      const state = game.initial();
      while (game.toMove(state) >= 0) game.play(state, game.playouts.uniform(state, random));
      const [board, order, mover, out, recent] = game.notation.position(state).split(" ");
      const letters = "BOVG".slice(0, game.players);
      expect([order, mover, out, recent!.split(",").length]).toEqual([letters, "-", letters, 7]);
      for (const [seat, letter] of letters.split("").entries()) {
        expect(
          game.notation.parsePosition([board, order, letter, out, recent].join(" ")),
          letter,
        ).toHaveProperty("error", {
          code: "ERR_TURN",
          message: `seat ${letter} is to move, but has no move`,
        });
        const others = letters.slice(0, seat) + letters.slice(seat + 1);
        expect(game.notation.parsePosition([board, order, "-", others, recent].join(" "))).toHaveProperty(
          "error",
          { code: "ERR_TURN", message: `the game is over, so seat ${letter} is passed over, too` },
        );
      }
    }
  });

  it.each([
    ["e10,e10", "B", "ERR_PIECES", /name the piece at e10 twice/],
    ["e10,f10", "B", "ERR_PIECES", /name the piece at f10 twice/],
    ["e10", "OB", "ERR_SYNTAX", /the seats passed over are "OB"/],
    ["e10", "V", "ERR_SYNTAX", /the seats passed over are "V"/],
    ["e10", "-B", "ERR_SYNTAX", /the seats passed over are "-B"/],
  ])("refuse last placements %s and seats passed over %s", (recent, out, code, message) => {
    const text = `${rows(4)}/4BB8/${rows(9)} BO O ${out} ${recent}`;
    expect(duo.notation.parsePosition(text)).toHaveProperty("error", {
      code,
      message: expect.stringMatching(message),
    });
  });
});
