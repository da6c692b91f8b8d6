import { describe, expect, it } from "vitest";
import type { BlokusState } from "../../src/games/blokus-state.ts";
import { type Game, OVER } from "../../src/games/game.ts";
import { openGame } from "../../src/games/registry.ts";
import { Random } from "../../src/random.ts";

describe.each(["blokus", "blokus-duo"])("draws in copies of a prepared position of %s", (name) => {
  it("are equally likely among the legal moves, at once and some plies on", () => {
    const game = openGame(name) as Game<BlokusState>;
    const playouts = game.playouts!;
    const random = Random.named("prepared", name);
    const prepared = game.initial();
    const copy = game.initial();
    const legal = new Int32Array(game.maxLegal);
    // The copy draws first, so that it has lists of its own when it is written over.
    playouts.uniform(copy, random);
    let seen = 0;
    for (let ply = 0; game.toMove(prepared) !== OVER; ply++) {
      if (ply % 3 === 0) {
        playouts.prepare!(prepared);
        game.copy(prepared, copy);
        for (let onward = 0; onward < (ply % 9) * 2 && game.toMove(copy) !== OVER; onward++)
          game.play(copy, playouts.preferred(copy, random));
        const count = game.legal(copy, legal);
        if (count > 0 && count <= 80) {
          seen++;
          const moves = [...legal.subarray(0, count)];
          const largest = Math.max(...moves.map(game.preference!));
          const preferred = moves.filter((move) => game.preference!(move) === largest);
          expectUniform(moves, () => playouts.uniform(copy, random));
          expectUniform(preferred, () => playouts.preferred(copy, random));
        }
      }
      game.play(prepared, playouts.preferred(prepared, random));
    }
    expect(seen).toBeGreaterThan(3);
  });

  it("forget what was prepared when the position is written over", () => {
    const game = openGame(name) as Game<BlokusState>;
    const random = Random.named("written over", name);
    const prepared = game.initial();
    game.playouts!.prepare!(prepared);
    for (let ply = 0; ply < 8; ply++) game.play(prepared, game.playouts!.uniform(prepared, random));
    const other = game.initial();
    for (let ply = 0; ply < 6; ply++) game.play(other, game.playouts!.uniform(other, random));
    game.copy(other, prepared);
    const copy = game.initial();
    game.playouts!.uniform(copy, random);
    game.copy(prepared, copy);
    const legal = new Int32Array(game.maxLegal);
    const count = game.legal(other, legal);
    for (let i = 0; i < 2000; i++)
      expect(legal.subarray(0, count)).toContain(game.playouts!.uniform(copy, random));
  });
});

/** Draws that hit each of `moves`, nothing else, and each about equally often: within 6 standard deviations. */
function expectUniform(moves: readonly number[], draw: () => number): void {
  const times = 60;
  const counts = new Map(moves.map((move) => [move, 0]));
  for (let i = 0; i < times * moves.length; i++) {
    const move = draw();
    expect(counts.has(move)).toBe(true);
    counts.set(move, counts.get(move)! + 1);
  }
  for (const count of counts.values())
    expect(Math.abs(count - times)).toBeLessThanOrEqual(6 * Math.sqrt(times));
}
