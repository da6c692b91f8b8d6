import { describe, expect, it } from "vitest";
import { OVER } from "../../../../src/games/game.ts";
import { guidedPlayouts } from "../../../../src/games/guided-playouts.ts";
import { Random } from "../../../../src/random.ts";
import { PlayoutPolicy } from "../../../../src/search/playouts/playout-policy.ts";
import { compare, plainPlayout, playout, policyOf } from "./plain-policy-playouts.ts";
import { casesOf } from "../../../number-of-cases.ts";

describe("playouts of Go by a linear policy", () => {
  it.each([
    [2, 10],
    [3, 10],
    [5, 5],
    [9, 1],
  ])("are those of the plain policy with the same draws: %d x %d", (size, games) => {
    compare(policyOf({ size, superko: "simple" }), games);
  });

  it("are those from positions inside games, with a move limit and with handicap stones", () => {
    compare(policyOf({ size: 6, superko: "simple" }), 4, 20);
    compare(policyOf({ size: 5, superko: "simple", moveLimit: 30 }), 2, 10);
    compare(policyOf({ size: 7, superko: "simple", handicap: 4 }), 2);
  });

  it("follow weights that change from one playout to the next", () => {
    const opened = policyOf({ size: 5, superko: "simple" });
    compare(opened, 1);
    opened.draw("second");
    compare(opened, 2);
  });

  it("end with greatly different weights, too", () => {
    const opened = policyOf({ size: 5 }, 1000);
    for (let number = 0; number < casesOf(5, 2); number++) {
      const state = opened.game.initial();
      expect(playout(opened, state, Random.named("great", number)).length).toBeGreaterThan(10);
      expect(opened.game.toMove(state)).toBe(OVER);
    }
  });

  it("play by simple ko, whatever superko the game has, and allow no suicide", () => {
    const simple = policyOf({ size: 3, superko: "simple" });
    const positional = policyOf({ size: 3, superko: "positional" });
    const suicidal = policyOf({ size: 3, suicide: true });
    for (let number = 0; number < casesOf(10); number++) {
      const moves = [simple, positional, suicidal].map((opened) =>
        playout(opened, opened.game.initial(), Random.named("simple", number)),
      );
      expect(moves[1]).toEqual(moves[0]);
      expect(moves[2]).toEqual(moves[0]);
    }
  });

  it("guide searches", () => {
    const opened = policyOf({ size: 5, superko: "simple" });
    const { game, policy } = opened;
    const guided = new PlayoutPolicy(
      guidedPlayouts(game, () => policy),
      0,
    );
    const random = Random.named("guided");
    const state = game.initial();
    guided.play(state, random);
    const draws = Random.named("guided");
    const moves = plainPlayout(opened, game.initial(), draws);
    expect([...guided.keys.subarray(0, guided.length)].map((key) => key % game.actions)).toEqual(moves);
    expect([...guided.seats.subarray(0, guided.length)]).toEqual(moves.map((_, ply) => ply % 2));
    expect(random.state()).toEqual(draws.state());
  });
});
