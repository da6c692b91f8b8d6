import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import type { Game } from "../../../src/games/game.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { areShares, valuesAreShares } from "../../../src/report/games/value-shares.ts";

const settings = {
  nets: {
    shares: { use: "mlp", values: "win-share" },
    losses: { use: "mlp", values: "win-loss" },
    scores: { use: "mlp", values: "returns" },
  },
  agents: {
    plain: { use: "uct" },
    shares: { use: "puct", net: "shares" },
    losses: { use: "puct", net: "losses" },
    scores: { use: "puct", net: "scores" },
    mixed: { use: "puct", net: "losses", valueNet: "shares" },
    margins: { use: "minimax" },
  },
} as unknown as Experiment;

const shown = (game: Game<unknown>, agents: readonly string[]) =>
  agents.filter((agent) => valuesAreShares(settings, game, agent));
const all = [...Object.keys(settings.agents), "shares@400", "losses@400", "unknown"];

it("are values of games that report only their winner, unless a net predicts wins and losses, or a search margins", () => {
  const game = openGame("tic-tac-toe");
  expect(shown(game, all)).toEqual(["plain", "shares", "scores", "mixed", "shares@400", "unknown"]);
});

it("are no values of games with scores, unless a net predicts shares", () => {
  for (const rules of ["2048", "blokus"]) {
    const game = openGame(rules);
    expect(shown(game, all)).toEqual(["shares", "mixed", "shares@400"]);
  }
});

it("distinguishes shares from places by the game's own bounds", () => {
  const daihinmin = openGame("daihinmin", { games: 1 });
  const blokus = openGame("blokus");
  expect(daihinmin.returnBounds).toEqual([0, 1]);
  expect(areShares(daihinmin, [0, 1])).toBe(false);
  expect(areShares(blokus, [0, 1])).toBe(true);
  expect(areShares(blokus, [-1, 1])).toBe(false);
  expect(areShares(blokus, undefined)).toBe(false);
});
