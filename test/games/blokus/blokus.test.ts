import { describe, expect, it } from "vitest";
import { cellsOfAction } from "../../../src/games/blokus/board.ts";
import { blokusOrientations, blokusPieces } from "../../../src/games/blokus/pieces.ts";
import { NODE_WORDS, POINT_NODES, pointNodes, SKIP } from "../../../src/games/blokus/point-tree.ts";
import { type BlokusState, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlainBlokus } from "./reference.ts";

const classic = openGame("blokus") as GameBlokus;
const duo = openGame("blokus-duo") as GameBlokus;

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

  it("are numbered larger ones first: 30,433 and 13,729 placements", () => {
    expect([classic.actions, duo.actions]).toEqual([30_433, 13_729]);
    for (const game of [classic, duo]) {
      const sizes = Array.from({ length: game.actions }, (_, action) => game.search.preference(action));
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      const names = new Set(sizes.map((_, action) => game.notation.format(game.initial(), action)));
      expect(names.size).toBe(game.actions);
    }
  });
});

describe.each([
  { game: classic, plain: () => new PlainBlokus(20, classic.board.starts), games: 3 },
  { game: duo, plain: () => new PlainBlokus(14, duo.board.starts), games: 8 },
])("$game.name beside the plain rules", ({ game, plain, games }) => {
  it("has the same legal moves, movers, squares and scores at every ply", () => {
    for (let k = 0; k < games; k++) {
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
