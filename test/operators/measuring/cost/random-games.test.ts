import { expect, it } from "vitest";
import { openGame } from "../../../../src/games/registry.ts";
import { playedDecisions, randomLength } from "../../../../src/operators/measuring/cost/random-games.ts";

it("takes games to be as long as those of players who look ahead, if that can be found out", () => {
  // Games of UCT with 500 simulations in a run of experiments/connect-four-zero.yaml have 29 to 30 plies.
  const game = openGame("connect-four");
  const played = playedDecisions(game)!;
  expect(played).toBeGreaterThan(25);
  expect(played).toBeLessThan(40);
  expect(randomLength(game).decisions).toBeLessThan(24);
  expect(playedDecisions(openGame("tic-tac-toe"))).toBeGreaterThan(8);
  expect(playedDecisions(openGame("2048"))).toBeUndefined();
});
