import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { BothBoards } from "../../games/go/both-boards.ts";

describe("the planes of Go on larger boards", () => {
  it.each([
    { size: 9, superko: "positional", suicide: true, plies: 110, every: 7 },
    { size: 13, superko: "situational", suicide: false, plies: 220, every: 40 },
    { size: 19, superko: "simple", suicide: false, plies: 420, every: 140 },
  ] as const)("are what the plain definitions say, in a random game: %o", ({ plies, every, ...options }) => {
    const both = new BothBoards(options);
    let ply = 0;
    both.playOut(Random.named("planes", options.size), plies, () => {
      if (ply++ % every === every - 1 || both.go.over) both.check();
    });
    expect(ply).toBeGreaterThan(every);
  });
});
