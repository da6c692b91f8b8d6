import { describe, expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import { goAreas } from "../../../src/games/go/score.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlainGo, plainRules, type PlainRules } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const open = (options: Partial<PlainRules>) => openGame("go", { ...plainRules, ...options }) as GameGo;

function legalActions(game: GameGo, state: GoState): number[] {
  const out = new Int32Array(game.maxLegal);
  return [...out.subarray(0, game.legal(state, out))];
}

function returnsOf(game: GameGo, state: GoState): number[] {
  const returns = new Float64Array(2);
  game.returns(state, returns);
  return [...returns];
}

/** What both rules of Go give for a position, apart from its legal moves. */
function expectSamePosition(game: GameGo, state: GoState, plain: PlainGo): void {
  const { cellOf, points } = game.rules.board;
  const owners = new Int8Array(points);
  goAreas(state, game.rules.board, owners);
  const captured = [0, 1].map((seat) => plain.captures[1 - seat]! + plain.suicides[seat]!);
  expect({
    board: Array.from({ length: points }, (_, point) => state.colour[cellOf[point]!]),
    mover: game.toMove(state),
    captured: [...state.prisoners],
    owners: [...owners],
    returns: returnsOf(game, state),
  }).toEqual({
    board: plain.board,
    mover: plain.over ? OVER : plain.mover,
    captured,
    owners: plain.owners(),
    returns: plain.returns(),
  });
}

/** Plays one game by both rules; every `every`th position is compared, and the last. Returns the forbidden repetitions. */
function playBeside(rules: PlainRules, random: Random, every: number, most = Infinity): number {
  const game = open(rules);
  const state = game.initial();
  const plain = new PlainGo(rules);
  let repetitions = 0;
  for (let ply = 0; ply < most && !plain.over; ply++) {
    const legal = legalActions(game, state);
    if (ply % every === 0) {
      expectSamePosition(game, state, plain);
      expect(legal).toEqual(plain.legal());
      repetitions += plain.points().filter((point) => plain.forbidden(point) === "ko").length;
    }
    // Few passes, so that most games are long.
    const count = legal.length > 1 && random.below(10) > 0 ? legal.length - 1 : legal.length;
    const action = legal[random.below(count)]!;
    game.play(state, action);
    plain.play(action);
  }
  expectSamePosition(game, state, plain);
  return repetitions;
}

const kinds = ["positional", "situational", "simple"] as const;

describe("Go beside the plain rules", () => {
  it.each(kinds)("has the same games on small boards, superko %s, with and without suicide", (superko) => {
    let repetitions = 0;
    for (const suicide of [false, true])
      for (let size = 2; size <= 5; size++)
        for (let k = 0; k < casesOf(3, 1); k++) {
          const rules = { ...plainRules, size, superko, suicide, komi: k, moveLimit: 50 };
          const random = Random.named("go beside plain rules", superko, size, k, suicide ? 1 : 0);
          repetitions += playBeside(rules, random, size - 1);
        }
    expect(repetitions).toBeGreaterThan(2);
  });

  it("has the same games on larger boards", () => {
    for (const [index, size] of [6, 7, 9, 13].entries()) {
      const rules = { ...plainRules, size, superko: kinds[index % 3]!, suicide: index % 2 === 1, komi: 0.5 };
      playBeside(rules, Random.named("go on larger boards", size), 6 * size, 3 * size * size);
    }
  });

  it("counts the sequences of moves from the start, each finished game once", () => {
    expect([1, 2, 3].map((depth) => leaves(open({}), depth))).toEqual([82, 6_643, 531_523]);
    expect([1, 2, 3, 4, 5].map((depth) => leaves(open({ size: 3 }), depth))).toEqual([
      10, 91, 739, 5_291, 33_475,
    ]);
  });
});

/** Sequences of `depth` moves, and shorter ones that end the game. */
function leaves(game: GameGo, depth: number, state: GoState = game.initial()): number {
  if (depth === 0 || game.toMove(state) === OVER) return 1;
  if (depth === 1) return legalActions(game, state).length;
  return legalActions(game, state).reduce((total, action) => {
    const next = game.initial();
    game.copy(state, next);
    game.play(next, action);
    return total + leaves(game, depth - 1, next);
  }, 0);
}
