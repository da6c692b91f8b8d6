import { describe, expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

describe("the reason for an illegal move in Go", () => {
  it.each(["positional", "situational", "simple"])(
    "is there for all moves but the legal ones (%s)",
    (superko) => {
      const game = openGame("go", { size: 3, superko, moveLimit: 60 });
      const random = Random.named("reasons", superko);
      const texts = ["A", "B", "C"].flatMap((column) => ["1", "2", "3"].map((row) => column + row));
      const reasons = new Set<string>();
      for (let round = 0; round < 12; round++) {
        const state = game.initial();
        while (game.toMove(state) >= 0) {
          for (const text of [...texts, "pass"]) {
            const reason = game.notation.whyIllegal!(state, text);
            expect(reason === undefined).toBe(game.notation.parse(state, text) !== undefined);
            reasons.add(String(reason).split(":")[0]!);
          }
          const legal = new Int32Array(game.maxLegal);
          // A pass only if nothing else is possible, so that boards come back.
          const count = game.legal(state, legal);
          game.play(state, legal[count === 1 ? 0 : random.below(count - 1)]!);
        }
        expect(game.notation.whyIllegal!(state, "pass")).toBe("the game is over");
      }
      const superkoReason = superko === "simple" ? [] : ["superko"];
      expect([...reasons].toSorted()).toEqual(
        ["undefined", "the point is occupied", "suicide", "ko", ...superkoReason].toSorted(),
      );
    },
  );

  it("names texts that are not a vertex of the board", () => {
    const game = openGame("go", { size: 9 });
    const why = (text: string) => game.notation.whyIllegal!(game.initial(), text);
    expect(["i5", "K1", "A10", "A0", "Z3", "resign", ""].map(why)).toEqual([
      "there is no column I",
      "outside the board of 9x9",
      "outside the board of 9x9",
      "outside the board of 9x9",
      "outside the board of 9x9",
      "not a vertex such as D4, and not pass",
      "not a vertex such as D4, and not pass",
    ]);
  });
});
