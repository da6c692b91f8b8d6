import { describe, expect, it } from "vitest";
import type { BlokusState, GameBlokus } from "../../../../src/games/blokus/blokus.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { Random } from "../../../../src/random.ts";
import { casesOf } from "../../../number-of-cases.ts";
import { PlainMoveFeatures } from "./plain-move-features.ts";

/** The legal moves of a state, and the names of the features of each in alphabetical order. */
function namedMoves(game: GameBlokus, state: BlokusState): Map<number, string[]> {
  const { names, perMove, ...features } = readFeatures(game);
  const actions = new Int32Array(game.maxLegal);
  const count = game.legal(state, actions);
  const rows = new Int32Array(count * perMove).fill(-1);
  features.write(state, actions, count, rows);
  return new Map(
    Array.from({ length: count }, (_, i) => [
      actions[i]!,
      Array.from(rows.subarray(i * perMove, (i + 1) * perMove), (number) => names[number]!).toSorted(),
    ]),
  );
}

function readFeatures({ linear: { moveFeatures } }: GameBlokus) {
  return {
    names: moveFeatures.names,
    perMove: moveFeatures.perMove,
    write: moveFeatures.write.bind(moveFeatures),
  };
}

const GAMES = [
  ["blokus-duo", {}],
  ["blokus", {}],
  ["blokus", { size: 14 }],
  ["blokus", { size: 9, largestPiece: 4 }],
  ["blokus", { size: 5, largestPiece: 3 }],
] as const;

describe.each(GAMES)("features of moves of %s %o", (name, options) => {
  const game = openGame(name, options) as GameBlokus;
  const { moveFeatures } = game.linear;

  it("have one name each", () => {
    expect(moveFeatures.names).toHaveLength(moveFeatures.count);
    expect(new Set(moveFeatures.names).size).toBe(moveFeatures.count);
  });

  it("are what the words of their names say, in random games", () => {
    const seen = new Set<string>();
    for (let number = 0; number < casesOf(6, 2); number++) {
      const random = Random.named("move features", game.name, game.board.size, number);
      const state = game.initial();
      const kind = number % 2 === 0 ? "uniform" : "preferred";
      for (let ply = 0; game.toMove(state) >= 0; ply++) {
        const named = namedMoves(game, state);
        expect(named.size).toBeGreaterThan(0);
        const plain = new PlainMoveFeatures(game, state);
        const actions = [...named.keys()];
        for (let n = 0; n < 6; n++) {
          const action = actions[random.below(actions.length)]!;
          expect(named.get(action)).toEqual(plain.namesOf(action));
          for (const each of named.get(action)!) seen.add(each);
        }
        game.play(state, game.playouts[kind](state, random));
      }
    }
    // Features that no move has would be compared with nothing.
    expect(seen.size).toBeGreaterThan(game.board.size < 10 ? 40 : 120);
  });

  it("are those of a position that was read from its text", () => {
    const random = Random.named("features of a text", game.name, game.board.size);
    const state = game.initial();
    while (game.toMove(state) >= 0) {
      const reading = game.notation.parsePosition(game.notation.position(state));
      if (!("state" in reading)) throw new Error(reading.error.message);
      expect(namedMoves(game, reading.state)).toEqual(namedMoves(game, state));
      for (let ply = 0; ply < 3 && game.toMove(state) >= 0; ply++)
        game.play(state, game.playouts.preferred(state, random));
    }
  });

  it("are those of the image in every symmetric image of a position", () => {
    const random = Random.named("symmetric features", game.name, game.board.size);
    const state = game.initial();
    const image = game.initial();
    while (game.toMove(state) >= 0) {
      const named = namedMoves(game, state);
      for (let symmetry = 1; symmetry < game.symmetry.count; symmetry++) {
        game.symmetry.transform(state, symmetry, image);
        const images = namedMoves(game, image);
        expect(images.size).toBe(named.size);
        for (const [action, names] of named)
          expect(images.get(game.symmetry.action(action, symmetry))).toEqual(names);
      }
      for (let ply = 0; ply < 3 && game.toMove(state) >= 0; ply++)
        game.play(state, game.playouts.uniform(state, random));
    }
  });
});
