import { expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import { BARRED, type GoState } from "../../../src/games/go/state.ts";
import { OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

function legalActions(game: GameGo, state: GoState): number[] {
  const out = new Int32Array(game.maxLegal);
  return [...out.subarray(0, game.legal(state, out))];
}

/** Plays a random game with few passes; `visit` sees every position. */
function forEachPosition(game: GameGo, random: Random, most: number, visit: (state: GoState) => void): void {
  const state = game.initial();
  for (let ply = 0; ply < most; ply++) {
    visit(state);
    if (game.toMove(state) === OVER) return;
    const legal = legalActions(game, state);
    const count = legal.length > 1 && random.below(20) > 0 ? legal.length - 1 : legal.length;
    game.play(state, legal[random.below(count)]!);
  }
}

it.each([
  { size: 3, superko: "positional" },
  { size: 3, superko: "situational", suicide: true },
  { size: 4, superko: "positional", suicide: true },
  { size: 5, superko: "simple", handicap: 0 },
] as const)("packed states of %o keep their legal moves, also in images under symmetries", (options) => {
  const game = openGame("go", { ...options, moveLimit: 60 }) as GameGo;
  const { packing } = game.nets;
  const { cellOf } = game.rules.board;
  const bytes = new Uint8Array(packing.bytes);
  const unpacked = game.initial();
  const image = game.initial();
  let barred = 0;
  for (let k = 0; k < 4; k++)
    forEachPosition(game, Random.named("packed go", options.size, options.superko, k), 61, (state) => {
      packing.pack(state, bytes, 0);
      packing.unpack(bytes, 0, unpacked);
      const legal = legalActions(game, state);
      expect(legalActions(game, unpacked)).toEqual(legal);
      const symmetry = 1 + (state.plies % 7);
      game.symmetry.transform(unpacked, symmetry, image);
      expect(legalActions(game, image)).toEqual(
        legal.map((action) => game.symmetry.action(action, symmetry)).toSorted((a, b) => a - b),
      );
      // Points that only positions before the packed plies forbid.
      for (const cell of cellOf)
        if (unpacked.lost[cell]! & BARRED) {
          unpacked.lost[cell]! &= ~BARRED;
          if (legalActions(game, unpacked).length > legal.length) barred++;
          unpacked.lost[cell]! |= BARRED;
        }
    });
  expect(barred > 0).toBe(options.size === 3);
});
