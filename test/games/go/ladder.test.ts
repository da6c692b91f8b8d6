import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { chainLiberties } from "../../../src/games/go/chains.ts";
import { LadderReader } from "../../../src/games/go/ladder.ts";
import { goBoard } from "../../../src/games/go/board.ts";
import { Random } from "../../../src/random.ts";
import { BothBoards, pointsOf } from "./both-boards.ts";
import { PlainLadders } from "./ladder-reference.ts";
import { boardOf } from "./reference.ts";

/** The points where the seat to move catches in a ladder, and those where it escapes. */
function ladders(rows: string, mover: "black" | "white"): { captures: string[]; escapes: string[] } {
  const board = boardOf(rows);
  const size = Math.sqrt(board.length);
  const both = new BothBoards({ size }, { board, mover: mover === "black" ? 0 : 1 });
  both.check(["alphago"]);
  const channels = both.channels("alphago");
  return {
    captures: pointsOf(channels[44]!),
    escapes: pointsOf(channels[45]!),
  };
}

const runs = `
  . . . . . . . . .
  . . . . . . . . .
  . . . X X . . . .
  . . X O . . . . .
  . . . . . . . . .
  . . . . . . . . .
  . . . . . . . . .
  . . . . . . . . .
  . . . . . . . . .`;

/** Rows with another stone. */
function withStone(rows: string, stone: "X" | "O", row: number, column: number): string {
  const points = rows.replaceAll(/\s/g, "").split("");
  points[row * Math.sqrt(points.length) + column] = stone;
  return points.join("");
}

describe("the ladder reader", () => {
  it("catches a stone that runs to the edge, by the atari on the right side alone", () => {
    expect(ladders(runs, "black")).toEqual({ captures: ["4,3"], escapes: [] });
  });

  it("lets it go if a stone of its own is in the way", () => {
    expect(ladders(withStone(runs, "O", 6, 6), "black").captures).toEqual([]);
    expect(ladders(withStone(runs, "X", 6, 6), "black").captures).toEqual(["4,3"]);
    expect(ladders(withStone(runs, "O", 1, 7), "black").captures).toEqual(["4,3"]);
  });

  it("knows whether the stone in atari can run", () => {
    const atari = withStone(runs, "X", 4, 3);
    expect(ladders(atari, "white").escapes).toEqual([]);
    expect(ladders(withStone(atari, "O", 6, 6), "white").escapes).toEqual(["3,4"]);
  });

  it("catches on the first line, towards either corner, unless help is near", () => {
    const edge = `
      . . O . . . .
      . . X . . . .
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . . . . . .
      . . . . . . .`;
    expect(ladders(edge, "black").captures).toEqual(["0,1", "0,3"]);
    expect(ladders(withStone(edge, "O", 1, 5), "black").captures).toEqual(["0,3"]);
  });

  it("saves a chain by capturing one of the stones around it", () => {
    const counter = `
      . . . . .
      . O X X .
      O X O . .
      . . X X .
      . . . . .`;
    expect(ladders(counter, "white")).toEqual({
      captures: [],
      escapes: ["3,1"],
    });
  });

  it("reads snapbacks: what captures a single stone can be taken back at once", () => {
    const snapback = `
      X . . O X
      X O O O X
      X X X X X
      . . . . .
      . . . . .`;
    expect(ladders(snapback, "black").captures).toEqual(["0,1", "0,2"]);
    expect(ladders(withStone(snapback, "X", 0, 2), "white").escapes).toEqual([]);
  });

  it("knows which captures of a single stone make a ko", () => {
    // Black's corner stone joins the one above it if that takes White's; alone it would make a ko.
    for (const rows of ["..../...O/.O.X/XO..", ".OXX/..../..XO/...X", "O.X./.O../.X../XO.."])
      for (const mover of ["black", "white"] as const) ladders(rows.replaceAll("/", ""), mover);
    expect(ladders("..../...O/.O.X/XO..".replaceAll("/", ""), "white").captures).toContain("3,3");
  });

  it("takes no ko back at once on the way", () => {
    expect(ladders("..../..../..../O..X".replaceAll("/", ""), "black").captures).toContain("3,1");
    expect(ladders("...X/..../..../...O".replaceAll("/", ""), "black").captures).toContain("2,3");
  });

  it("lets a prey go that kos lead round in circles, with half a megabyte of stack", async () => {
    const thread = new Worker(new URL("ladder-in-circles.ts", import.meta.url), {
      resourceLimits: { stackSizeMb: 0.5 },
    });
    const [answer] = (await once(thread, "message")) as [unknown];
    expect(answer).toEqual({ caught: false, restored: true });
    await once(thread, "exit");
  });

  it("reads what the plain reader does, in games at random, and leaves the board as it was", () => {
    const random = Random.named("ladders");
    let caught = 0;
    let free = 0;
    for (const size of [4, 6, 8]) {
      const board = goBoard(size);
      const reader = new LadderReader(board);
      const plain = new PlainLadders(size);
      const liberties = new Int16Array(board.points);
      const counters = new Int16Array(board.points);
      const both = new BothBoards({ size });
      const { go, state } = both;
      let ply = 0;
      both.playOut(random, 2 * size * size, () => {
        if (ply++ % (2 * size) !== size) return;
        const before = state.colour.slice();
        for (const point of go.points()) {
          const chain = board.cellOf[point]!;
          const count = state.liberties[chain]!;
          if (count !== 1 && count !== 2) continue;
          if (count === 1) {
            const found = counters.subarray(0, reader.counters(state.colour, chain, counters));
            const points = Array.from(found, (cell) => board.pointOf[cell]!);
            expect(points.toSorted((a, b) => a - b)).toEqual(
              plain.counters(go.board, point).toSorted((a, b) => a - b),
            );
          }
          chainLiberties(state, board, chain, liberties);
          for (const cell of liberties.subarray(0, count)) {
            const at = board.pointOf[cell]!;
            const found =
              count === 2
                ? reader.captures(state.colour, chain, cell)
                : !reader.escapes(state.colour, chain, cell);
            const wanted =
              count === 2 ? plain.captures(go.board, point, at) : !plain.escapes(go.board, point, at);
            expect(found).toBe(wanted);
            if (wanted) caught++;
            else free++;
          }
        }
        expect(state.colour).toEqual(before);
      });
    }
    expect(caught).toBeGreaterThan(30);
    expect(free).toBeGreaterThan(30);
  });
});
