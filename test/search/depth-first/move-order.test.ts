import { describe, expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { MoveOrder } from "../../../src/search/depth-first/move-order.ts";

/** A game of which nothing but its actions and their preference is asked. */
const gameOf = (actions: number, preference: ((action: number) => number) | undefined) =>
  ({ actions, maxLegal: actions, search: preference && { preference } }) as unknown as Game<object>;

describe("the order of moves", () => {
  it("has preferred moves first, and equal ones in their order", () => {
    const random = Random.named("move order");
    for (let i = 0; i < 200; i++) {
      const actions = 1 + random.below(12);
      const preferences = Array.from({ length: actions }, () => random.below(4) - 2);
      const order = new MoveOrder(gameOf(actions, (action) => preferences[action]!));
      const legal = Array.from({ length: actions }, (_, action) => action).filter(() => random.below(3) > 0);
      const sorted = Int32Array.from([...legal, 99]);
      order.sort(sorted, legal.length);
      expect([...sorted]).toEqual([
        ...legal.toSorted((a, b) => preferences[b]! - preferences[a]! || a - b),
        99,
      ]);
    }
  });

  it("is that of the game where it prefers nothing", () => {
    const sorted = Int32Array.of(0, 2, 3);
    new MoveOrder(gameOf(4, undefined)).sort(sorted, 3);
    expect([...sorted]).toEqual([0, 2, 3]);
  });
});
