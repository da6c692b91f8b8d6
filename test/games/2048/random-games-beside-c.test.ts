import { describe, expect, it } from "vitest";
import { CProgram } from "../../../bench/c-program.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

/** The random games that we play from this state of a generator, as the program in C prints them. */
function playedHere(games: number, generator: readonly number[]): string[] {
  const game = openGame("2048");
  const random = Random.resume(generator);
  const legal = new Int32Array(game.maxLegal);
  const returns = new Float64Array(1);
  return Array.from({ length: games }, () => {
    const state = game.initial();
    let moves = 0;
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state))
      if (mover === CHANCE) game.play(state, game.chance!.sample(state, random));
      else {
        game.play(state, legal[random.below(game.legal(state, legal))]!);
        moves++;
      }
    game.returns(state, returns);
    return `${moves} ${returns[0]}`;
  });
}

describe("random games of 2048", () => {
  it("are those of the program in C, from the same draws", async ({ skip }) => {
    const program = CProgram.start("random_2048_peer.c");
    skip(program === undefined, "no C compiler");
    try {
      const generator = Random.named("2048", "beside C")
        .state()
        .map((word) => word >>> 0);
      const inC = await program!.respond(`games 300 ${generator.join(" ")}`, 300);
      expect(playedHere(300, generator)).toEqual(inC);
      expect(new Set(inC).size).toBeGreaterThan(200);
    } finally {
      program?.close();
    }
  });
});
