import { expect, it } from "vitest";
import { compareWholeGame } from "../../games/go/whole-game.ts";

it("gives games of random play on 19x19, to their end, the captures, kos and scores of the plain rules", () => {
  let kos = 0;
  for (let k = 100; k < 200; k++) kos += compareWholeGame(19, k, 20);
  expect(kos).toBeGreaterThan(100);
});

it("gives games of random play on other boards the captures, kos and scores of the plain rules", () => {
  let kos = 0;
  for (let size = 2; size < 19; size++) for (let k = 0; k < 6; k++) kos += compareWholeGame(size, k, 15);
  expect(kos).toBeGreaterThan(100);
});
