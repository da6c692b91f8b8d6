import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";

it("3x3 Go is +9 for Black, which plays in the centre", () => {
  const game = openGame("go", { size: 3, komi: 0 });
  const search = openSearch("minimax", game);
  const { action, values } = drive(search.search(game.initial(), Random.named("3x3"), 0), {
    evaluate: () => {
      throw new Error("requested");
    },
  });
  expect(values).toEqual([9, -9]);
  expect(game.notation.format(game.initial(), action)).toBe("B2");
}, 120_000);
