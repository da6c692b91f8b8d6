import { describe, expect, it } from "vitest";
import { CProgram } from "../../../../bench/c-program.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { goAreaDifference } from "../../../../src/games/go/score.ts";
import { goBoard } from "../../../../src/games/go/board.ts";
import type { GoState } from "../../../../src/games/go/state.ts";
import { Random } from "../../../../src/random.ts";

/** The games that our playouts play from this state of a generator, as the program in C prints them. */
function playedHere(size: number, games: number, generator: readonly number[]): string[] {
  const game = openGame("go", { size, superko: "simple" });
  const random = Random.resume(generator);
  return Array.from({ length: games }, () => {
    const state = game.initial() as GoState;
    let plies = 0;
    let checksum = 2166136261;
    const add = (_seat: number, action: number) => {
      checksum = Math.imul(checksum ^ action, 16777619) >>> 0;
      plies++;
    };
    game.playouts!.finish!(state, random, { add });
    return `${plies} ${checksum} ${goAreaDifference(state, goBoard(size))}`;
  });
}

describe("uniform playouts of Go", () => {
  it("are move by move those of the program in C, from the same draws", async ({ skip }) => {
    const program = CProgram.start("go_peer.c");
    skip(program === undefined, "no C compiler");
    try {
      for (const [size, games] of [
        [2, 20],
        [5, 40],
        [9, 40],
        [19, 8],
      ] as const) {
        const generator = Random.named("go", "beside C", size)
          .state()
          .map((word) => word >>> 0);
        const inC = await program!.respond(`games ${size} ${games} ${generator.join(" ")}`, games);
        expect(playedHere(size, games, generator)).toEqual(inC);
        expect(new Set(inC).size).toBeGreaterThan(1);
      }
    } finally {
      program?.close();
    }
  });
});
