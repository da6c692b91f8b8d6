import { describe, expect, it } from "vitest";
import { goRules } from "../../../src/games/go/options.ts";
import { goPlanes } from "../../../src/games/go/planes/planes.ts";
import { Random } from "../../../src/random.ts";
import { BothBoards, pointsOf } from "./both-boards.ts";
import { boardOf, plainRules } from "./reference.ts";

describe("the planes of Go", () => {
  it("have the shapes of the papers, and compact planes are the default", () => {
    const planes = goPlanes(goRules({ ...plainRules, size: 19, handicap: 0 }));
    expect(Object.entries(planes).map(([name, { shape }]) => [name, ...shape])).toEqual([
      ["compact", 19, 19, 11],
      ["alphago", 19, 19, 48],
      ["alphago-value", 19, 19, 49],
      ["alphago-zero", 19, 19, 17],
    ]);
  });

  it.each([
    { size: 2, superko: "positional", suicide: true, plies: 30, every: 1 },
    { size: 3, superko: "situational", suicide: true, plies: 50, every: 1 },
    { size: 4, superko: "positional", suicide: false, plies: 60, every: 4 },
    { size: 5, superko: "simple", suicide: true, komi: 0, plies: 60, every: 12 },
    { size: 7, superko: "positional", suicide: false, komi: -3, plies: 70, every: 23 },
  ] as const)("are what the plain definitions say, in random games: %o", ({ plies, every, ...options }) => {
    const both = new BothBoards(options);
    let ply = 0;
    both.playOut(Random.named("planes", options.size), plies, () => {
      if (ply++ % every === 0 || both.go.over) both.check();
    });
    expect(ply).toBeGreaterThan(every);
  });

  it("show of a move what it captures, what it puts into atari, and the liberties it leaves", () => {
    const rows = `
      . O X . .
      O . O X .
      X O X . .
      . X . . .
      . . . . .`;
    const both = new BothBoards(
      { size: 5, suicide: true, superko: "simple" },
      { board: boardOf(rows), mover: 0 },
    );
    const channels = both.channels("alphago");
    const group = (first: number) =>
      Object.fromEntries(
        channels
          .slice(first, first + 8)
          .flatMap((channel, i) => (pointsOf(channel).length === 0 ? [] : [[i + 1, pointsOf(channel)]])),
      );
    // (1,1) takes (1,2) and (2,1); (0,0) is a suicide.
    expect(group(20)).toEqual({ 2: ["1,1"] });
    expect(group(28)).toEqual({ 1: ["0,0"] });
    expect(group(36)).toEqual({
      2: ["0,4", "1,1", "4,0", "4,4"],
      3: ["0,3", "2,4", "3,0", "3,4", "4,2", "4,3"],
      4: ["1,4", "3,3", "4,1"],
      5: ["2,3", "3,2"],
    });
    both.check();
  });

  it("show how many plies ago a stone was placed, passes counted, and know set-up stones as old", () => {
    const start = { board: boardOf(". . X . . . . . ."), mover: 1 };
    const both = new BothBoards({ size: 3 }, start).play(4, 9, 6, 0);
    const turns = both.channels("alphago").slice(4, 12).map(pointsOf);
    expect(turns).toEqual([["0,0"], ["2,0"], [], ["1,1"], [], [], [], ["0,2"]]);
    const last = both.channels("compact").slice(6, 8).map(pointsOf);
    expect(last).toEqual([["0,0"], ["2,0"]]);
    both.check();
  });

  it("show that the last ply was a pass, and where a ko may not be taken back", () => {
    const rows = `
      . X O .
      X . X O
      . X O .
      . . . .`;
    const both = new BothBoards({ size: 4, superko: "simple" }, { board: boardOf(rows), mover: 1 }).play(5);
    const forbidden = () => pointsOf(both.channels("compact")[5]!);
    const passed = () => new Set(both.channels("compact")[9]);
    expect([forbidden(), passed()]).toEqual([["0,3", "1,2"], new Set([0])]);
    expect(pointsOf(both.channels("alphago")[46]!)).not.toContain("1,2");
    both.check();
    both.play(16);
    expect([forbidden(), passed()]).toEqual([[], new Set([1])]);
    both.check();
  });
});
