import { expect } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import { goAreaDifference } from "../../../src/games/go/score.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlainGo, plainRules } from "./reference.ts";

/**
 * Plays a game of moves that fill no own eye to its end, by both rules: after every ply the captured stones must agree,
 * after every `every`th the board and the ko point, and at the end the score. Returns the kos that were compared.
 */
export function compareWholeGame(size: number, k: number, every: number): number {
  const game = openGame("go", { size, superko: "simple", moveLimit: 3 * size * size }) as GameGo;
  const plain = new PlainGo({ ...plainRules, size, superko: "simple", moveLimit: 3 * size * size });
  const { cellOf, pointOf, points } = game.rules.board;
  const random = Random.named("whole game", size, k);
  const state = game.initial();
  let kos = 0;
  while (game.toMove(state) >= 0) {
    const move = game.playouts.uniform(state, random);
    game.play(state, move);
    plain.play(move);
    expect([...state.prisoners]).toEqual([plain.captures[1], plain.captures[0]]);
    // A ko point is where one stone has just been taken; other points cannot be forbidden by ko.
    const taken = state.ko !== 0;
    if (state.plies % every !== 0 && !taken) continue;
    expect(Array.from(cellOf.subarray(0, points), (cell) => state.colour[cell])).toEqual(plain.board);
    const candidates = taken ? [pointOf[state.ko]!] : plain.points();
    const ko = candidates.filter((point) => plain.forbidden(point) === "ko");
    expect(ko).toEqual(taken ? [pointOf[state.ko]] : []);
    if (taken) kos++;
  }
  expect(plain.over).toBe(true);
  const [black, white] = plain.score();
  expect(goAreaDifference(state, game.rules.board)).toBe(black - white);
  return kos;
}
