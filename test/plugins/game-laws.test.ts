import { plainPacking } from "../../src/games/plain-packing.ts";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Game, OVER } from "../../src/games/game.ts";
import { games, openGame } from "../../src/games/registry.ts";
import { brokenLaws } from "../../src/plugins/game-laws.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";

const builtIn = games.map(({ name }) => name);
loadPlugin(join(import.meta.dirname, "../../examples/own-game/hex.ts"));

interface Hex {
  board: Int8Array;
  toMove: number;
  winner: number;
}
const hex = openGame("hex", { size: 3 }) as Game<Hex>;

/** What is told of a game that differs from Hex in something. Its symmetry has laws of its own, which other faults break too. */
function toldOf(change: Partial<Game<Hex>>): string {
  const { symmetry: _, ...plain } = hex;
  return brokenLaws({ ...plain, ...change }, { games: 10, plies: 100 })
    .map(({ what }) => what)
    .join("\n");
}

describe("brokenLaws", () => {
  it.each(builtIn)("finds nothing wrong with %s", (name) => {
    const game = openGame(name, name === "go" ? { size: 5 } : {});
    expect(
      brokenLaws(game, { games: 1, plies: 60 }).filter(({ what }) => !/ended within/.test(what)),
    ).toEqual([]);
  });

  it("finds nothing wrong with the example, also in whole games", () => {
    expect(brokenLaws(hex, { games: 5 })).toEqual([]);
  });

  it("tells in words what is wrong, and the moves before", () => {
    const { notation } = hex;
    expect(toldOf({ copy: (from, into) => void Object.assign(into, from) })).toBe(
      "copy shares `board` with the original: copy its contents",
    );
    expect(
      toldOf({
        copy: (from, into) => {
          hex.copy(from, into);
          into.winner = -1;
        },
      }),
    ).toMatch(/^a copy into a new state is another position: /);
    expect(
      toldOf({
        legal: (state, out) => {
          const count = hex.legal(state, out);
          out.subarray(0, count).reverse();
          return count;
        },
      }),
    ).toBe("legal gave 8 before 7; actions come in increasing order, each once");
    expect(toldOf({ maxLegal: 5 })).toBe("legal gave 9 actions, and maxLegal is 5");
    expect(toldOf({ actions: 7 })).toMatch(/^legal gave the action [78]; actions are numbers from 0 to 6/);
    expect(toldOf({ legal: (state, out) => (state.toMove === OVER ? 1 : hex.legal(state, out)) })).toBe(
      "legal gave 1 actions when the game was over; it gives 0 then",
    );
    expect(toldOf({ toMove: (state) => (state.toMove === OVER ? OVER : 2) })).toMatch(
      /^toMove gave 2; it is a seat/,
    );
    expect(toldOf({ toMove: () => -1 })).toMatch(/^toMove gave CHANCE, and chance is missing/);
    expect(toldOf({ returns: (state, out) => void (out[0] = state.winner) })).toBe(
      "returns wrote no number for seat 1",
    );
    expect(
      toldOf({
        returns: (state, out) => {
          hex.returns(state, out);
          out[0]! *= 2;
        },
      }),
    ).toMatch(/^seat 0 has the return 2 at the end; returnBounds are 0 and 1$/);
    expect(toldOf({ notation: { ...notation, format: () => "x" } })).toMatch(
      /^notation.parse reads "x"|both as "x"/,
    );
    expect(toldOf({ notation: { ...notation, parsePosition: () => ({ state: hex.initial() }) } })).toMatch(
      /^notation.parsePosition reads a text of notation.position as another position/,
    );
    let calls = 0;
    expect(
      toldOf({ play: (state, action) => hex.play(state, calls++ % 5 === 4 ? legalOf(state) : action) }),
    ).toMatch(/^play brought two equal states to different positions|^moves on a copy/);
    expect(
      toldOf({
        nets: {
          planes: {
            half: { shape: [3, 3, 1], write: (_, out, offset) => void out.fill(0, offset, offset + 8) },
          },
        },
      }),
    ).toBe('planes "half" leave element 8 of [3, 3, 1] without a number: every element is written');
    expect(
      toldOf({
        symmetry: {
          count: 2,
          transform: (from, _, into) => hex.copy(from, into),
          action: (action, n) => (n === 0 ? action : 8 - action),
          seat: (seat) => seat,
        },
      }),
    ).toMatch(/^symmetry 1 does not commute with moves/);
    expect(toldOf({ play: (state) => void (state.toMove = 1 - state.toMove) })).toBe(
      "none of 10 random games ended within 100 plies",
    );
    expect(
      toldOf({
        play: () => {
          throw new RangeError("no room");
        },
      }),
    ).toMatch(/^it threw RangeError: no room \(.*game-laws\.test\.ts.*:\d+:\d+\)$/);
  });

  it("finds a packing that loses what nets see", () => {
    const packing = plainPacking(hex.initial())!;
    const planes = {
      board: {
        shape: [1, 9, 1] as const,
        write: (state: Hex, out: Float32Array, offset: number) => out.set(state.board, offset),
      },
    };
    expect(brokenLaws({ ...hex, nets: { planes, packing } }, { games: 3 })).toEqual([]);
    const unpack = (from: Uint8Array, offset: number, into: Hex) => {
      packing.unpack(from, offset, into);
      into.board.reverse();
    };
    expect(toldOf({ nets: { planes, packing: { ...packing, unpack } } })).toMatch(
      /^planes "board" of a state that was packed and unpacked are others: nets\.packing holds/,
    );
  });

  it("is the same for the same random numbers", () => {
    const wrong = { ...hex, maxLegal: 8, legal: (state: Hex, out: Int32Array) => hex.legal(state, out) };
    expect(brokenLaws(wrong)).toEqual(brokenLaws(wrong));
    const { after } = brokenLaws({ ...hex, returnBounds: [0, 0.5] }, { games: 1 })[0]!;
    expect(after.length).toBeGreaterThan(4);
    expect(after[0]).toMatch(/^[a-c][1-3]$/);
  });
});

function legalOf(state: Hex): number {
  return state.board.indexOf(0);
}
