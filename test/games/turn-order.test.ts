import { describe, expect, it } from "vitest";
import { OVER } from "../../src/games/game.ts";
import type { GameBlokus } from "../../src/games/blokus/blokus.ts";
import { openGame } from "../../src/games/registry.ts";
import { ticTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { seatInTurnOrder } from "../../src/games/turn-order.ts";

describe("turn order", () => {
  const blokus = openGame("blokus") as GameBlokus;
  const order = (state: ReturnType<GameBlokus["initial"]>) =>
    [0, 1, 2, 3].map((place) => seatInTurnOrder(blokus, state, place));

  it("begins with the seat to move", () => {
    const state = blokus.initial();
    expect(order(state)).toEqual([0, 1, 2, 3]);
    for (const move of ["a20", "t20", "t1"]) blokus.play(state, blokus.notation.parse(state, move)!);
    expect(order(state)).toEqual([3, 0, 1, 2]);
  });

  it("goes the other way round in mirror images, and then also to the image of the next seat", () => {
    const state = blokus.initial();
    for (const move of ["a20", "t20", "t1"]) blokus.play(state, blokus.notation.parse(state, move)!);
    const image = blokus.initial();
    const orders = Array.from({ length: 8 }, (_, symmetry) => {
      blokus.symmetry.transform(state, symmetry, image);
      expect(order(image)).toEqual(order(state).map((seat) => blokus.symmetry.seat(seat, symmetry)));
      return order(image).join("");
    });
    // Left and right changed: the seats that began at the corners 0, 1, 2 are now 1, 0, 3; next is 2, then 1, 0 and 3.
    expect(orders).toContain("2103");
    expect(new Set(orders).size).toBe(8);
  });

  it("begins with the first seat if nobody moves", () => {
    const state = ticTacToe.initial();
    for (const action of [0, 3, 1, 4, 2]) ticTacToe.play(state, action);
    expect(ticTacToe.toMove(state)).toBe(OVER);
    expect([0, 1].map((place) => seatInTurnOrder(ticTacToe, state, place))).toEqual([0, 1]);
  });
});
