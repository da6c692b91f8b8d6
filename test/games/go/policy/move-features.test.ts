import { describe, expect, it } from "vitest";
import { GameGo } from "../../../../src/games/go/go.ts";
import { completeOptions } from "../../../../src/options.ts";
import { optionsGo } from "../../../../src/games/go/options.ts";
import { Random } from "../../../../src/random.ts";
import { BothBoards } from "../both-boards.ts";
import {
  gridOf,
  leastImage,
  paddedGrid,
  plainFeatures,
  plainMoves,
  responseImage,
  featuresOfNames,
} from "./features-reference.ts";
import { casesOf, someOf } from "../../../number-of-cases.ts";

function gameOf(size: number): GameGo {
  const completed = completeOptions(optionsGo, { size });
  if ("wrong" in completed) throw new Error(completed.wrong);
  return new GameGo(completed.options);
}

/** The moves that a policy chooses from in a state, and the numbers of their features. */
function movesAndRows(game: GameGo, state: ReturnType<GameGo["initial"]>) {
  const features = game.linear.moveFeatures!;
  const actions = new Int32Array(game.maxLegal);
  const rows = new Int32Array(game.maxLegal * features.perMove);
  const count = features.moves!(state, actions);
  features.write(state, actions, count, rows);
  return {
    moves: [...actions.subarray(0, count)],
    rows: Array.from({ length: count }, (_, i) => [
      ...rows.subarray(i * features.perMove, (i + 1) * features.perMove),
    ]),
  };
}

describe("features of moves of Go", () => {
  it.each([
    [4, 2, 1],
    [5, 3, 2],
    [9, 1, 12],
  ])("are what the words of their names say: size %d, %d games, every %d plies", (size, games, step) => {
    const game = gameOf(size);
    const { names } = game.linear.moveFeatures!;
    const seen = new Set<string>();
    for (let number = 0; number < casesOf(games, 1); number++) {
      const both = new BothBoards({ size });
      const random = Random.named("move features", size, number);
      let ply = 0;
      both.playOut(random, 3 * size * size, () => {
        if (both.go.over || ply++ % step !== 0) return;
        const { moves, rows } = movesAndRows(game, both.state);
        expect(moves).toEqual(plainMoves(both.go));
        if (moves[0] === both.go.pass) {
          expect(rows).toEqual([Array.from({ length: 8 }, () => 0)]);
          return;
        }
        for (const [i, move] of moves.entries()) {
          const found = featuresOfNames(rows[i]!.map((feature) => names[feature]!));
          const wanted = plainFeatures(both.go, move);
          expect(found, `${game.drawing.text(both.state)} ${move}`).toEqual(wanted);
          for (const flag of found.flags) seen.add(flag);
          if (found.nakade !== undefined) seen.add("nakade");
        }
      });
    }
    if (size === 5)
      expect([...seen].toSorted()).toEqual([
        "ladder capture",
        "ladder escape",
        "nakade",
        "neighbour at a corner",
        "neighbour beside",
        "response",
        "save atari",
      ]);
  });

  it("are the same in all eight images of a position", () => {
    const game = gameOf(7);
    const image = game.initial();
    const both = new BothBoards({ size: 7 });
    let ply = 0;
    both.playOut(Random.named("images of features"), 100, () => {
      if (both.go.over || ply++ % 10 !== 0) return;
      const { moves, rows } = movesAndRows(game, both.state);
      for (let symmetry = 1; symmetry < 8; symmetry++) {
        game.symmetry.transform(both.state, symmetry, image);
        const other = movesAndRows(game, image);
        const places = moves.map((move) => other.moves.indexOf(game.symmetry.action(move, symmetry)));
        expect(places.map((place) => other.rows[place])).toEqual(rows);
      }
    });
    expect(ply).toBeGreaterThan(40);
  });

  it("have names, each of a position of its own up to symmetry", () => {
    const { names, count } = gameOf(9).linear.moveFeatures!;
    expect(names.length).toBe(count);
    expect(new Set(names).size).toBe(count);
    const responses = names.filter((name) => name.startsWith("response pattern "));
    expect(new Set(responses.map((name) => responseImage(name.slice(17)))).size).toBe(responses.length);
    const shapes = names.filter((name) => name.startsWith("nakade "));
    expect(new Set(shapes.map((name) => leastImage(paddedGrid(name.slice(7))))).size).toBe(shapes.length);
    // Free polyominoes of 1 to 6 cells with a cell: the fixed ones, 1, 2, 6, 19, 63 and 216, have 1,710 together.
    expect(shapes.length).toBe(236);
    // A sixth of the patterns, by their first corner.
    const patterns = names.filter((name) => name.startsWith("pattern o3 "));
    expect(patterns.length).toBeGreaterThan(1000);
    const some = someOf(patterns);
    expect(new Set(some.map((name) => leastImage(gridOf(name.slice(8))))).size).toBe(some.length);
  });
});
