import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { setLines } from "../../../../src/games/2048/board.ts";
import { Afterstates } from "../../../../src/games/2048/afterstates.ts";
import { CHANCE, OVER } from "../../../../src/games/game.ts";
import { NTupleNetwork } from "../../../../src/models/n-tuple/network.ts";
import { Random } from "../../../../src/random.ts";
import { drive } from "../../../../src/search/drive.ts";
import { openSearch } from "../../../../src/search/registry.ts";
import { expectSameLearning, type Learning } from "../../../models/n-tuple/same-learning.ts";

const game = new Game2048({ rows: 4, columns: 4 });

/** A board one of whose moves is worth 0 by the weights of the test that looks through several plies. */
const WORTHLESS = [8, 64, 128, 8, 2, 0, 4, 2, 32, 16, 32, 64, 1024, 8, 0, 8];

describe("the kernel in WebAssembly", () => {
  it("is what networks for 4x4 boards get here", () => {
    const network = NTupleNetwork.create(game, { tuples: "4x6", initialValue: 0 });
    expect(network.tables).not.toBeInstanceOf(SharedArrayBuffer);
  });

  it("values boards and moves as the plain one does, to the last bit", () => {
    const [wasm, plain] = [false, true].map((without) =>
      NTupleNetwork.create(game, { tuples: "4x6", initialValue: 0 }, without),
    );
    const exponent = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 17 }));
    const after = new Afterstates(4, 4);
    const indices = new Int32Array(wasm!.lookup.lookups);
    fc.assert(
      fc.property(fc.array(exponent, { minLength: 16, maxLength: 16 }), (exponents) => {
        const { lines } = game.fromBoard(exponents.map((exponent) => (exponent === 0 ? 0 : 2 ** exponent)));
        after.slide(lines);
        for (const [from, at] of [
          [lines, 0] as const,
          ...[0, 8, 16, 24].map((at) => [after.lines, at] as const),
        ]) {
          wasm!.lookup.indices(from, at, indices);
          for (const index of indices)
            wasm!.weights[index] = plain!.weights[index] = ((index * 7919) % 100_003) / 7;
        }
        expect(wasm!.kernel.value(lines, 0)).toBe(plain!.kernel.value(lines, 0));
        const best = plain!.kernel.best(lines);
        expect(wasm!.kernel.best(lines)).toBe(best);
        if (best > -Infinity) expect(wasm!.kernel.chosen()).toBe(plain!.kernel.chosen());
        const state = game.initial();
        for (const at of [0, 8, 16, 24]) {
          setLines(state, after.lines.subarray(at, at + 8), game.size);
          state.toMove = state.empty === 0 ? OVER : CHANCE;
          if (state.toMove === OVER) continue;
          expect(wasm!.kernel.throughChance(state)).toBe(plain!.kernel.throughChance(state));
        }
      }),
    );
  });

  it.each([{ stages: [] }, { stages: [4096], promotion: false }])(
    "is looked through several plies of chance as a search looks by itself: %o",
    (how) => {
      const network = NTupleNetwork.create(game, { tuples: "4x6", initialValue: 0, ...how });
      // Weights that depend on where they lie: every lookup that goes astray shows.
      for (let i = 0; i < network.weights.length; i += 1009) network.weights[i] = (i % 100_003) / 7;
      for (let i = 0; i < network.weights.length; i += 4099) network.weights[i] = (i % 10_007) / 3;
      const exponent = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 17 }));
      const options = fc.record({
        plies: fc.constantFrom(2, 3),
        unlikely: fc.constantFrom("full", "shallower"),
      });
      const tight = fc.array(exponent, { minLength: 16, maxLength: 16 }).map((exponents) => {
        // Two cells are empty: enough for all there is to be gone through, few enough for it to end.
        const board = exponents.map((exponent) => 2 ** Math.max(1, exponent));
        board[5] = board[14] = 0;
        return board;
      });
      fc.assert(
        fc.property(tight, options, (board, { plies, unlikely }) => {
          const state = game.fromBoard(board);
          if (state.toMove !== 0) return;
          const [through, alone] = ["decisions", "afterstates"].map((leaves) => {
            const search = openSearch("expectimax", game, { plies, unlikely, leaves });
            return drive(search.search(state, Random.named("unused"), 0), network).actionValues.slice();
          });
          // A move without a reward whose positions all lie beside these weights is worth 0.
          for (const [i, value] of alone!.entries())
            expect(Math.abs(through![i]! - value)).toBeLessThanOrEqual(5e-10 * Math.abs(value));
        }),
        { numRuns: 6, examples: [[WORTHLESS, { plies: 2, unlikely: "full" }]] },
      );
    },
  );

  it.each<Learning>([
    {
      name: "4x6, TC, with restarts",
      tuples: "4x6",
      options: { lambda: 0.5, step: { use: "tc", rate: 1 }, restart: 20 },
    },
    {
      name: "4x6, TD, in stages",
      tuples: "4x6",
      stages: [16, 128],
      initialValue: 320,
      options: { lambda: 0, step: { use: "td", rate: 1 } },
    },
  ])("learns the same games and weights as the plain one: $name", expectSameLearning);
});
