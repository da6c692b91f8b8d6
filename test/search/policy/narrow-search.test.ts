import { describe, expect, it } from "vitest";
import { playedFor, type ValueKind } from "../../../src/games/outcome.ts";
import { openGame } from "../../../src/games/registry.ts";
import { completeOptions } from "../../../src/options.ts";
import { findSearch } from "../../../src/search/registry.ts";

const go = { size: 7, komi: 7, moveLimit: 60 };

function warningOf(
  use: string,
  given: Readonly<Record<string, unknown>>,
  values: ValueKind,
  name: string,
  rules: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const search = findSearch(use);
  const completed = completeOptions(search.options, given);
  if ("wrong" in completed) throw new Error(completed.wrong);
  return search.warning?.(playedFor(openGame(name, rules), values), completed.options, () => 0);
}

describe("a warning of searches that look at hardly any moves", () => {
  it("is of one move where exploration is weak beside the number of moves, and untried moves count as worse", () => {
    const duo = warningOf("puct-max-n", { simulations: 64 }, "win-loss", "blokus-duo");
    expect(duo).toMatch(
      /random play \(\d+ legal moves\).*mover to be ahead, its 64 simulations look at hardly more than one move.*\. Take gumbel/,
    );
    expect(warningOf("puct-max-n", { simulations: 30 }, "win-share", "go", go)).toMatch(/one move/);
    expect(warningOf("puct-max-n", { simulations: 30, cInit: 20 }, "win-share", "go", go)).not.toMatch(
      /one move/,
    );
  });

  it("is of each move once where untried moves count as better, and there are more than simulations", () => {
    expect(warningOf("puct-max-n", { simulations: 20, firstPlay: 1 }, "win-share", "go", go)).toMatch(
      /its 20 simulations look at each move only once\. .* lower first-play urgency/,
    );
    expect(warningOf("puct-max-n", { simulations: 20, rootFirstPlay: 1 }, "win-share", "go", go)).toMatch(
      /only once/,
    );
    expect(
      warningOf("puct-max-n", { simulations: 300, firstPlay: 1 }, "win-share", "go", go),
    ).toBeUndefined();
    expect(warningOf("apv-mcts", { simulations: 60, cPuct: 40 }, "win-loss", "blokus-duo")).toMatch(
      /only once/,
    );
  });

  it("is given neither where many moves are compared, nor where the best one is known", () => {
    for (const values of ["win-loss", "win-share"] as const) {
      expect(warningOf("puct-max-n", { simulations: 100 }, values, "connect-four")).toBeUndefined();
      expect(warningOf("puct-max-n", { simulations: 800 }, values, "tic-tac-toe")).toBeUndefined();
    }
    expect(warningOf("apv-mcts", { simulations: 400 }, "win-share", "go", go)).toBeUndefined();
    expect(warningOf("puct-max-n", { simulations: 1001 }, "win-loss", "blokus-duo")).toBeUndefined();
    expect(warningOf("gumbel", { simulations: 16 }, "win-loss", "blokus-duo")).toBeUndefined();
  });
});
