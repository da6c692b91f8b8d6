import { expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

it.each([9, 19])("the image of a game on %ix%i is the game of the images of its moves", (size) => {
  const game = openGame("go", { size, superko: "situational" }) as GameGo;
  const random = Random.named("symmetry of go", size);
  const state = game.initial();
  const images = Array.from({ length: 8 }, () => game.initial());
  for (let ply = 0; ply < 2 * size * size; ply++) {
    const action = game.playouts.uniform(state, random);
    game.play(state, action);
    for (const [symmetry, image] of images.entries())
      game.play(image, game.symmetry.action(action, symmetry));
  }
  expect(state.prisoners[0]! + state.prisoners[1]!).toBeGreaterThan(0);
  const transformed = game.initial();
  for (const [symmetry, image] of images.entries()) {
    game.symmetry.transform(state, symmetry, transformed);
    expect(transformed).toEqual(image);
  }
});

it("maps the corners and the pass of 3x3 by number: bit 2 transposes, then bit 0 and bit 1 mirror", () => {
  const { symmetry } = openGame("go", { size: 3 }) as GameGo;
  const of = (action: number) => Array.from({ length: 8 }, (_, number) => symmetry.action(action, number));
  expect(of(0)).toEqual([0, 2, 6, 8, 0, 2, 6, 8]);
  expect(of(1)).toEqual([1, 1, 7, 7, 3, 5, 3, 5]);
  expect(of(9)).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
});
