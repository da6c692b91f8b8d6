import { describe, expect, it } from "vitest";
import { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { daihinminMoveFeatures } from "../../../src/games/daihinmin/move-features.ts";
import { PLAYS } from "../../../src/games/daihinmin/plays.ts";
import { PHASE, PLAYING, REVOLUTION, TO_MOVE } from "../../../src/games/daihinmin/state.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { featureNames } from "./move-features-reference.ts";
import { casesOf } from "../../number-of-cases.ts";

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
  it("is what the words of its names say, card by card", () => {
    const seen = new Set<string>();
    let revolutions = 0;
    let returns = 0;
    visit(casesOf(12), (state, actions, rows) => {
      revolutions += state.words[REVOLUTION]!;
      returns += state.words[PHASE] === PLAYING ? 0 : 1;
      for (const [i, action] of actions.entries()) {
        const found = Array.from(rows.subarray(i * perMove, (i + 1) * perMove), (number) => names[number]!);
        expect(found, game.notation.format(state, action)).toEqual(featureNames(state, action));
        for (const name of found) seen.add(name);
      }
    });
    expect(revolutions).toBeGreaterThan(casesOf(4, 1));
    expect(returns).toBeGreaterThan(casesOf(20));
    expect(seen.size).toBeGreaterThan(casesOf(400));
  });

  it.each([
    "play:1 hands=S5,H5,D5,C5,S6,H9,JK/S3,D3/C3/DK/CA last=1",
    "play:1 hands=S5,H5,D5,C5,S6,H9,JK/S3,D3/C3/DK/CA table=S7,H7,D7,C7 revolution last=2",
    "play:1 hands=S3,S4,S5,S6,S7,H9,SA,S2,JK/H3,D3/C3/DK/CA last=1",
    "play:1 hands=S3/H4/H5/H6/H7 table=JK last=2",
  ])("is what the words of its names say if plays are rare: %s", (position) => {
    const reading = game.notation.parsePosition(position);
    if ("error" in reading) throw new Error(reading.error.message);
    const { state } = reading;
    const actions = new Int32Array(game.maxLegal);
    const rows = new Int32Array(game.maxLegal * perMove);
    const count = game.legal(state, actions);
    daihinminMoveFeatures.write(state, actions, count, rows);
    for (const [i, action] of actions.subarray(0, count).entries())
      expect(
        Array.from(rows.subarray(i * perMove, (i + 1) * perMove), (number) => names[number]!),
        game.notation.format(state, action),
      ).toEqual(featureNames(state, action));
  });

  it("names every feature, each once", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name !== "")).toBe(true);
  });

  it("is the same in all positions that the mover cannot distinguish", () => {
    const other = game.initial();
    const again = new Int32Array(game.maxLegal * perMove);
    const random = Random.named("behind");
    let moved = 0;
    visit(casesOf(5, 1), (state, actions, rows) => {
      game.information.determinize(state, state.words[TO_MOVE]!, random, other);
      if (actions[0]! < PLAYS && other.words.some((word, i) => word !== state.words[i])) moved++;
      daihinminMoveFeatures.write(other, actions, actions.length, again);
      expect(again.subarray(0, rows.length)).toEqual(rows);
    });
    expect(moved).toBeGreaterThan(casesOf(100));
  });
});
