import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvaluationRequest } from "../../src/games/evaluation.ts";
import type { StateTicTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { openGame } from "../../src/games/registry.ts";
import type { Game } from "../../src/games/game.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";
import { Random } from "../../src/random.ts";
import { drive } from "../../src/search/drive.ts";
import { openSearch } from "../../src/search/registry.ts";

loadPlugin(join(import.meta.dirname, "../../examples/own-search/one-ply.ts"));

const game = openGame("tic-tac-toe") as Game<StateTicTacToe>;

/** Values of seat 0: a tenth for each of its stones in the corners; of seat 1 the rest of 1. */
const corners = {
  asked: 0,
  evaluate({ count, states, values, priors }: EvaluationRequest<StateTicTacToe>) {
    expect(priors).toBeUndefined();
    this.asked += count;
    for (let i = 0; i < count; i++) {
      const own = [0, 2, 6, 8].filter((cell) => states[i]!.cells[cell] === 1).length;
      values[2 * i] = own / 10;
      values[2 * i + 1] = 1 - own / 10;
    }
  },
};

function decisionOf(position: string, options = {}, seed = 0) {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) throw new TypeError(position);
  corners.asked = 0;
  const search = openSearch("one-ply", game, options);
  return {
    ...drive(search.search(reading.state, Random.named("one ply", seed), 0), corners),
    asked: corners.asked,
  };
}

describe("a search of one's own", () => {
  it("has positions evaluated by the net, and finished games by the rules", () => {
    const decision = decisionOf("xx1/oo1/3 x");
    // a3 to c1 are cells 0 to 8; c3 wins and is not sent to the net, two corners are left to take.
    expect([...decision.actions]).toEqual([2, 5, 6, 7, 8]);
    expect([decision.action, decision.asked, decision.values]).toEqual([2, 4, [1, 0]]);
    expect([...decision.actionValues]).toEqual([1, 0.1, 0.2, 0.1, 0.2]);
    expect(decisionOf("3/1x1/1o1 x").action).toBe(0);
  });

  it("draws from the random numbers that it is given alone", () => {
    const drawn = (epsilon: number) =>
      Array.from({ length: 12 }, (_, seed) => decisionOf("3/1x1/1o1 x", { epsilon }, seed).action);
    expect(new Set(drawn(0))).toEqual(new Set([0]));
    expect(new Set(drawn(1)).size).toBeGreaterThan(2);
    expect(drawn(1)).toEqual(drawn(1));
  });

  it("takes the options that it describes, and no others", () => {
    expect(() => openSearch("one-ply", game, { epsilon: 2 })).toThrow(/epsilon.*1/);
    expect(() => openSearch("one-ply", game, { epsilom: 0 })).toThrow(/unknown option "epsilom".*epsilon/);
  });
});
