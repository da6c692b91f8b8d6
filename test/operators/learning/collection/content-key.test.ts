import { expect, it } from "vitest";
import { openGame } from "../../../../src/games/registry.ts";
import { ContentKeys } from "../../../../src/operators/learning/collection/content-key.ts";
import { Random } from "../../../../src/random.ts";

const game = openGame("go", { size: 5 });
const { symmetry } = game;

function randomMoves(random: Random): number[] {
  const state: unknown = game.initial();
  return Array.from({ length: 12 }, () => {
    const action = game.playouts!.uniform(state, random);
    game.play(state, action);
    return action;
  });
}

it("is equal for the images of a game alone, and of games that begin with the images of a position", () => {
  const keys = new ContentKeys(game);
  const found = new Set<bigint>();
  const random = Random.named("content keys");
  for (let each = 0; each < 40; each++) {
    const moves = randomMoves(random);
    const start: unknown = each % 2 === 0 ? undefined : game.initial();
    if (start !== undefined) for (const action of moves.slice(0, 4)) game.play(start, action);
    const key = keys.key(moves, start);
    for (let number = 0; number < symmetry!.count; number++) {
      const image: unknown = start === undefined ? undefined : game.initial();
      if (start !== undefined) symmetry!.transform(start, number, image);
      const of = keys.key(
        moves.map((action) => symmetry!.action(action, number)),
        image,
      );
      expect(of.canonical).toBe(key.canonical);
      if (number > 0) expect(of.exact).not.toBe(key.exact);
    }
    expect(keys.key(moves.slice(1), start).canonical).not.toBe(key.canonical);
    found.add(key.canonical);
  }
  expect(found.size).toBe(40);
});

it("knows no images where symmetries change seats or leave out chance", () => {
  const chance = openGame("2048");
  const keys = new ContentKeys(chance);
  expect(keys.key([0, 1, 2], undefined).canonical).toBe(keys.key([0, 1, 2], undefined).exact);
});
