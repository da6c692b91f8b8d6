import { describe, expect, it } from "vitest";
import { OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { StaticPayoff, type StaticPayoffKind } from "../../../src/search/depth-first/static-payoff.ts";
import { legalMoves } from "./depth-first-reference.ts";
import { strips, type StripsState } from "./strips-game.ts";

/** All ways in which seats can share `plies` moves: for each seat the moves that it makes, at most its own limit. */
function shares(limits: readonly number[], plies: number): number[][] {
  const [limit, ...others] = limits;
  if (limit === undefined) return [[]];
  return Array.from({ length: Math.min(limit, plies) + 1 }, (_, own) =>
    shares(others, plies - own).map((rest) => [own, ...rest]),
  ).flat();
}

/** The payoff of each seat from the value of each seat, by the definitions in the options of the search. */
const payoffsOf = (values: readonly number[], kind: StaticPayoffKind) =>
  kind === "own"
    ? [...values]
    : values.map((own, seat) => {
        const others = values.filter((_, other) => other !== seat);
        // + 0: a margin of 0 is not -0.
        return (values.length - 1) * own - others.reduce((sum, each) => sum + each, 0) + 0;
      });

/** Expects the extremes of a payoff to be those of all ends, each with a payoff by seat. */
function expectExtremes(payoff: StaticPayoff<StripsState>, ends: readonly ArrayLike<number>[]): void {
  for (let seat = 0; seat < ends[0]!.length; seat++) {
    expect(payoff.least(seat)).toBe(Math.min(...ends.map((end) => end[seat]!)));
    expect(payoff.most(seat)).toBe(Math.max(...ends.map((end) => end[seat]!)));
  }
  expect(payoff.mostSum()).toBe(
    Math.max(...ends.map((end) => Array.from(end).reduce((sum, each) => sum + each, 0))),
  );
}

describe("the bounds of payoffs", () => {
  for (const value of ["placed", "score"])
    for (const kind of ["own", "margin"] as const)
      it(`of ${value} as ${kind} are the least and greatest over all ways to share the moves`, () => {
        const random = Random.named("bounds", value, kind);
        for (let i = 0; i < 60; i++) {
          const game = strips({ players: 1 + (i % 4), cells: 9 + (i % 4), lengths: 3 });
          const { players } = game;
          const state = game.initial();
          for (let ply = random.below(6); ply > 0; ply--) {
            const legal = legalMoves(game, state);
            game.play(state, legal[random.below(legal.length)]!);
            if (game.toMove(state) === OVER) break;
          }
          if (game.toMove(state) === OVER) continue;
          const plies = 1 + random.below(4);
          const turns = i % 3 === 0;
          const mover = game.toMove(state);
          const payoff = new StaticPayoff(game, value, kind);
          payoff.look(state, plies, 1 << mover, turns);

          const bounds = new Int32Array(players);
          game.depthFirst!.moveBounds!(state, plies, bounds);
          // Whoever does not make the first move makes one move less.
          const limits = Array.from(bounds, (most, seat) =>
            turns ? most : seat === mover ? plies : plies - 1,
          );
          const now = new Float64Array(players);
          game.depthFirst!.staticEvaluations![value]!(state, now);
          const growth = game.depthFirst!.growth![value]!;
          const ends = shares(limits, plies).map((moves) =>
            payoffsOf(
              moves.map((count, seat) => now[seat]! + growth(state, seat, count)),
              kind,
            ),
          );
          expectExtremes(payoff, ends);
        }
      });

  it("without a growth are those of returns that lie anywhere between their bounds", () => {
    for (const players of [1, 2, 3, 4])
      for (const kind of ["own", "margin"] as const) {
        const game = { ...strips({ players, cells: 9, lengths: 2 }), returnBounds: [-3, 8] as const };
        const payoff = new StaticPayoff<StripsState>(game, "returns", kind);
        payoff.look(game.initial(), 3, 1, true);
        // A payoff is linear in each return, so its extremes lie at the ends of their ranges.
        const ends = Array.from({ length: 2 ** players }, (_, bits) =>
          payoffsOf(
            Array.from({ length: players }, (__, seat) => (bits & (1 << seat) ? 8 : -3)),
            kind,
          ),
        );
        expectExtremes(payoff, ends);
        expect([payoff.bounded, payoff.leastLasts, payoff.mostLasts]).toEqual([true, true, true]);
        expect(payoff.sumBounded).toBe(kind === "margin");
      }
  });
});
