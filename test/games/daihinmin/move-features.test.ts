import { describe, expect, it } from "vitest";
import { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { daihinminMoveFeatures } from "../../../src/games/daihinmin/move-features.ts";
import { PLAYS } from "../../../src/games/daihinmin/plays.ts";
import { PHASE, PLAYING, REVOLUTION, TO_MOVE } from "../../../src/games/daihinmin/state.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { featureNames } from "./move-features-reference.ts";

const game = new GameDaihinmin({ games: 2, virtualRanks: true });
const { names, perMove } = daihinminMoveFeatures;

/** Visits the decisions with a choice of some random games, with the features of all moves there. */
function visit(
  games: number,
  each: (state: ReturnType<typeof game.initial>, actions: Int32Array, rows: Int32Array) => void,
): void {
  const actions = new Int32Array(game.maxLegal);
  const rows = new Int32Array(game.maxLegal * perMove);
  for (let number = 0; number < games; number++) {
    const random = Random.named("move features", number);
    const state = game.initial();
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      if (mover === CHANCE) {
        game.play(state, game.chance.sample(state, random));
        continue;
      }
      const count = game.legal(state, actions);
      if (count > 1) {
        daihinminMoveFeatures.write(state, actions, count, rows);
        each(state, actions.subarray(0, count), rows.subarray(0, count * perMove));
      }
      game.play(
        state,
        // The default client's games have more revolutions, random ones more of everything else.
        number % 2 === 0 ? game.search.rulePlayer(state) : game.playouts.uniform(state, random),
      );
    }
  }
}

describe("what a linear policy sees of moves of Daihinmin", () => {
  it("is what the words of its names say, told card by card", () => {
    const met = new Set<string>();
    let revolutions = 0;
    let returns = 0;
    visit(12, (state, actions, rows) => {
      revolutions += state.words[REVOLUTION]!;
      returns += state.words[PHASE] === PLAYING ? 0 : 1;
      for (const [i, action] of actions.entries()) {
        const found = Array.from(rows.subarray(i * perMove, (i + 1) * perMove), (number) => names[number]!);
        expect(found, game.notation.format(state, action)).toEqual(featureNames(state, action));
        for (const name of found) met.add(name);
      }
    });
    expect(revolutions).toBeGreaterThan(4);
    expect(returns).toBeGreaterThan(20);
    expect(met.size).toBeGreaterThan(400);
  });

  it("names every feature, each once", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name !== "")).toBe(true);
  });

  it("is the same in all positions that the mover cannot tell apart", () => {
    const other = game.initial();
    const again = new Int32Array(game.maxLegal * perMove);
    const random = Random.named("behind");
    let moved = 0;
    visit(5, (state, actions, rows) => {
      game.information.determinize(state, state.words[TO_MOVE]!, random, other);
      if (actions[0]! < PLAYS && other.words.some((word, i) => word !== state.words[i])) moved++;
      daihinminMoveFeatures.write(other, actions, actions.length, again);
      expect(again.subarray(0, rows.length)).toEqual(rows);
    });
    expect(moved).toBeGreaterThan(100);
  });
});
