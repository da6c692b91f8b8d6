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
  const unmarked = game.initial();
  const next = game.initial();
  const simple = openGame("go", { ...options, superko: "simple" }) as GameGo;
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
      // The marks name what superko alone forbids, and some of it only positions before the packed plies forbid.
      const marked = cellOf.filter((cell) => unpacked.lost[cell]! & BARRED);
      const free = new Set(legalActions(simple, state));
      for (const cell of marked) expect(free).toContain(game.rules.board.pointOf[cell]);
      game.copy(unpacked, unmarked);
      for (const cell of marked) unmarked.lost[cell]! &= ~BARRED;
      barred += legalActions(game, unmarked).length - legal.length;
      // They hold for one ply: from then on both are one position, which forbids no more than the game does.
      for (const action of legal.slice(-3)) {
        game.copy(unpacked, image);
        game.play(image, action);
        game.copy(unmarked, next);
        game.play(next, action);
        const later = legalActions(game, image);
        expect(later).toEqual(legalActions(game, next));
        game.copy(state, next);
        game.play(next, action);
        expect(later).toEqual(expect.arrayContaining(legalActions(game, next)));
      }
    });
  expect(barred > 0).toBe(options.size === 3);
});
