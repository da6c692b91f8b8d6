import { describe, expect, it } from "vitest";
import { cellsOfAction } from "../../../src/games/blokus/board.ts";
import { blokusOrientations, blokusPieces } from "../../../src/games/blokus/pieces.ts";
import { NODE_WORDS, POINT_NODES, pointNodes, SKIP } from "../../../src/games/blokus/point-tree.ts";
import { type BlokusState, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlainBlokus } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const classic = openGame("blokus") as GameBlokus;
const duo = openGame("blokus-duo") as GameBlokus;
const small = openGame("blokus", { size: 12, largestPiece: 4 }) as GameBlokus;
const tiny = openGame("blokus", { size: 5, largestPiece: 3 }) as GameBlokus;

function legalActions(game: GameBlokus, state: BlokusState): number[] {
  const out = new Int32Array(game.maxLegal);
  return [...out.subarray(0, game.legal(state, out))];
}

function returnsOf(game: GameBlokus, state: BlokusState): number[] {
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return [...returns];
}

/** The number of an action as the plain game sees it: its cells as text. */
function cellsText(cells: readonly (readonly [number, number])[]): string {
  return cells
    .map(([x, y]) => `${x},${y}`)
    .toSorted()
    .join(" ");
}

describe("the pieces of Blokus", () => {
  it("are 21 with 89 squares, in 91 orientations, 414 around a point", () => {
    expect(blokusPieces.length).toBe(21);
    expect(blokusPieces.reduce((sum, { size }) => sum + size, 0)).toBe(89);
    expect(blokusOrientations.length).toBe(91);
    expect(pointNodes[SKIP]).toBe(POINT_NODES * NODE_WORDS);
    expect(blokusOrientations.reduce((sum, { size }) => sum + size, 0)).toBe(POINT_NODES);
  });

  it("are numbered larger ones first: 30,433 and 13,729 placements, fewer in smaller games", () => {
    expect([classic.actions, duo.actions]).toEqual([30_433, 13_729]);
    // One orientation of 1x1, one of 2x2, two of 1x2, 1x3 and 1x4, four of the corner, sixteen of 2x3.
    expect(small.actions).toBe(144 + 11 * 11 + 2 * 12 * (11 + 10 + 9) + 4 * 11 * 11 + 16 * 11 * 10);
    expect(tiny.actions).toBe(25 + 2 * 5 * (4 + 3) + 4 * 4 * 4);
    for (const game of [classic, duo, small, tiny]) {
      const sizes = Array.from({ length: game.actions }, (_, action) => game.search.preference(action));
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      const names = new Set(sizes.map((_, action) => game.notation.format(game.initial(), action)));
      expect(names.size).toBe(game.actions);
    }
  });
});

describe.each([
  { title: "blokus", game: classic, plain: () => new PlainBlokus(20, classic.board.starts), games: 2 },
  { title: "blokus-duo", game: duo, plain: () => new PlainBlokus(14, duo.board.starts), games: 5 },
  {
    title: "blokus on 12x12 with 9 pieces",
    game: small,
    plain: () => new PlainBlokus(12, small.board.starts, 4),
    games: 12,
  },
  {
    title: "blokus on 5x5 with 4 pieces",
    game: tiny,
    plain: () => new PlainBlokus(5, tiny.board.starts, 3),
    games: 50,
  },
])("$title beside the plain rules", ({ game, plain, games }) => {
  it("has the same legal moves, movers, squares and scores at every ply", () => {
    for (let k = 0; k < casesOf(games, 1); k++) {
      const random = Random.named("blokus beside plain rules", game.name, k);
      const state = game.initial();
      const reference = plain();
      const counts = new Int32Array(game.players);
      const owners = new Int8Array(game.board.size ** 2);
      for (;;) {
        expect(game.toMove(state)).toBe(reference.mover < 0 ? OVER : reference.mover);
        expect([...state.placed]).toEqual(reference.squares());
        expect(returnsOf(game, state)).toEqual(reference.scores());
        game.nets.ownership(state, owners);
        expect([...owners]).toEqual(reference.owner);
        if (reference.mover < 0) break;
        const legal = legalActions(game, state);
        const cells = legal.map((action) => cellsText(cellsOfAction(game.board, action)));
        expect(cells.toSorted()).toEqual(reference.moves.map(cellsText).toSorted());
        if (state.plies % 10 === 0) {
          game.figures.legalCounts(state, counts);
          expect([...counts]).toEqual(Array.from(counts, (_, seat) => reference.legal(seat).length));
        }
        const which = random.below(legal.length);
        const action = state.plies % 3 === 0 ? legal[0]! : legal[which]!;
        game.play(state, action);
        reference.play(cellsOfAction(game.board, action));
      }
    }
  });
});
