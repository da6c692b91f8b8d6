import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { epsilonGreedy } from "./epsilon-greedy.ts";

const root = new URL("../../../", import.meta.url);
const never = { evaluate: () => undefined };

describe("the search that docs/search-parts.md composes", () => {
  it("stands there word for word", () => {
    const page = readFileSync(new URL("docs/search-parts.md", root), "utf8");
    const code = readFileSync(new URL("test/search/tree/epsilon-greedy.ts", root), "utf8");
    const shown = code.slice(code.indexOf("/** Tree search")).trim().replaceAll("\r", "");
    expect(page).toContain(shown);
  });

  it("takes a win, and stops one", () => {
    const search = epsilonGreedy(ticTacToe, 800, 0.2);
    // Cells are numbered row by row; X begins.
    for (const [moves, best] of [
      [[0, 3, 1, 4], 2],
      [[0, 4, 8, 1], 7],
    ] as const) {
      const state = ticTacToe.initial();
      for (const move of moves) ticTacToe.play(state, move);
      const decision = drive(search.search(state, Random.named("own"), 0), never);
      expect(decision.action).toBe(best);
      expect(decision.visits.reduce((sum, n) => sum + n, 0)).toBe(800);
    }
  });
});
