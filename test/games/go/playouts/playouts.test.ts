import { describe, expect, it } from "vitest";
import type { PlayoutRecorder } from "../../../../src/games/game.ts";
import type { GameGo } from "../../../../src/games/go/go.ts";
import type { GoState } from "../../../../src/games/go/state.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { Random } from "../../../../src/random.ts";
import { plainLocalPlayout, plainPlayout } from "./plain-playout.ts";
import { PlainGo, plainRules } from "../reference.ts";

/** Records what a playout reports. */
class Moves implements PlayoutRecorder {
  readonly list: { seat: number; action: number }[] = [];

  add(seat: number, action: number): void {
    this.list.push({ seat, action });
  }
}

/** The colours by point. */
function boardIn(game: GameGo, state: GoState): number[] {
  const { points, cellOf } = game.rules.board;
  return Array.from({ length: points }, (_, point) => state.colour[cellOf[point]!]!);
}

/** Plays random legal moves, few of them passes; returns them. */
function playRandomly(game: GameGo, state: GoState, plies: number, random: Random): number[] {
  const out = new Int32Array(game.maxLegal);
  const moves: number[] = [];
  while (moves.length < plies && game.toMove(state) >= 0) {
    const legal = game.legal(state, out);
    const move = out[random.below(random.below(8) === 0 || legal === 1 ? legal : legal - 1)]!;
    game.play(state, move);
    moves.push(move);
  }
  return moves;
}

const kinds = { finish: plainPlayout, finishPreferred: plainLocalPlayout } as const;

/** The playout from a position after some random moves, as the plain one from the same draws. */
function expectPlainPlayout(
  kind: keyof typeof kinds,
  size: number,
  plies: number,
  k: number,
  moveLimit = 0,
): void {
  const game = openGame("go", { size, moveLimit }) as GameGo;
  const random = Random.named("go playouts", size, plies, k);
  const state = game.initial();
  const moves = playRandomly(game, state, plies, random);
  if (game.toMove(state) < 0) return;
  const plain = new PlainGo({ ...plainRules, size, superko: "simple", moveLimit });
  for (const move of moves) plain.play(move);
  const mover = game.toMove(state);
  const draws = Random.resume(random.state());

  const recorded = new Moves();
  game.playouts[kind]!(state, random, recorded);
  const expected = kinds[kind](plain, draws, 3 * size * size);
  expect(recorded.list).toEqual(expected.map((action, i) => ({ seat: (mover + i) % 2, action })));
  expect(boardIn(game, state)).toEqual(plain.board);
  expect(random.state()).toEqual(draws.state());
  expect(game.toMove(state)).toBeLessThan(0);
  const returns = new Float64Array(2);
  game.returns(state, returns);
  const [black, white] = plain.score();
  expect([...returns]).toEqual(black - white > 7.5 ? [1, 0] : [0, 1]);
}

describe("playouts of Go", () => {
  it.each(["finish", "finishPreferred"] as const)(
    "play the games of the plain rules from the same draws: %s",
    (kind) => {
      for (const size of [2, 3, 4, 5])
        for (const plies of [0, 1, 7, 20, 60])
          for (let k = 0; k < (kind === "finish" ? 4 : 2); k++) expectPlainPlayout(kind, size, plies, k);
      for (const plies of kind === "finish" ? [0, 30, 90] : [0]) expectPlainPlayout(kind, 9, plies, 0);
    },
  );

  it.each(["finish", "finishPreferred"] as const)("end with the move limit: %s", (kind) => {
    for (const limit of [1, 12, 40]) expectPlainPlayout(kind, 5, 0, limit, limit);
    expectPlainPlayout(kind, 5, 9, 0, 10);
  });

  it("play the same moves without a recorder, and leave a state that can be copied over", () => {
    const game = openGame("go", { size: 7 }) as GameGo;
    const [start, one, two] = [game.initial(), game.initial(), game.initial()];
    playRandomly(game, start, 25, Random.named("go recorder"));
    game.copy(start, one);
    game.copy(start, two);
    game.playouts.finish!(one, Random.named("go recorder", 1), new Moves());
    game.playouts.finish!(two, Random.named("go recorder", 1));
    expect(boardIn(game, one)).toEqual(boardIn(game, two));
    game.copy(start, two);
    expect(two).toEqual(start);
  });

  it("take no draw if the game is over", () => {
    const game = openGame("go", { size: 3 }) as GameGo;
    const state = game.initial();
    game.play(state, 9);
    game.play(state, 9);
    const before = structuredClone(state);
    game.playouts.finish!(state, Random.named("over"));
    expect(state).toEqual(before);
  });

  it.each(["positional", "situational", "simple"] as const)(
    "draw each legal move that fills no own eye equally often, under %s superko (chi-square)",
    (superko) => {
      const game = openGame("go", { size: 5, superko, suicide: true }) as GameGo;
      const random = Random.named("go uniform", superko);
      for (const plies of [3, 25, 50, 80]) {
        const state = game.initial();
        const plain = new PlainGo({ ...plainRules, size: 5, superko });
        for (const move of playRandomly(game, state, plies, random)) plain.play(move);
        if (game.toMove(state) < 0) continue;
        const before = structuredClone(state);
        const allowed = plain
          .legal()
          .filter((move) => move !== plain.pass && !plain.isEye(move, plain.mover));
        const draws = 20 * Math.max(1, allowed.length);
        const drawn = new Map<number, number>();
        for (let i = 0; i < draws; i++) {
          const move = game.playouts.uniform(state, random);
          drawn.set(move, (drawn.get(move) ?? 0) + 1);
        }
        expect(state).toEqual(before);
        if (allowed.length === 0) allowed.push(plain.pass);
        expect([...drawn.keys()].filter((move) => !allowed.includes(move))).toEqual([]);
        let statistic = 0;
        for (const move of allowed) statistic += ((drawn.get(move) ?? 0) - 20) ** 2 / 20;
        // The .9999 quantile by Wilson and Hilferty's cube (1931).
        const degrees = allowed.length - 1;
        const spread = 2 / (9 * Math.max(1, degrees));
        expect(statistic).toBeLessThanOrEqual(degrees * (1 - spread + 3.719 * Math.sqrt(spread)) ** 3);
      }
    },
  );
});
