import { describe, expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { EMPTY, PlainGo, plainRules, type PlainRules } from "./reference.ts";

/** Two words as one text. */
function hashOf(game: GameGo, state: GoState): string {
  const words = new Int32Array(2);
  game.depthFirst.hash!(state, words);
  return words.join();
}

/** What the hash represents, as text. */
function meaning(plain: PlainGo): string {
  const { superko } = plain.rules;
  const passes = plain.moves.length - 1 - plain.moves.findLastIndex((move) => move !== plain.pass);
  const now = plain.board;
  const left = new Set(
    plain.positions
      .slice(0, -1)
      .filter(({ board }) =>
        board.split("").some((colour, point) => Number(colour) !== EMPTY && Number(colour) !== now[point]),
      )
      .map(({ board, mover }) => (superko === "situational" ? `${board}${mover}` : board)),
  );
  const matters =
    superko === "simple"
      ? plain.points().filter((point) => plain.forbidden(point) === "ko")
      : [...left].toSorted();
  return `${now.join("")} ${plain.over ? "over" : plain.mover} ${passes} ${matters.join()}`;
}

/** Visits the positions of random games. */
function visitGames(
  rules: PlainRules,
  games: number,
  visit: (game: GameGo, state: GoState, plain: PlainGo) => void,
): void {
  const game = openGame("go", { ...rules }) as GameGo;
  const out = new Int32Array(game.maxLegal);
  for (let k = 0; k < games; k++) {
    const random = Random.named("go hash", rules.superko, rules.size, k);
    const state = game.initial();
    const plain = new PlainGo(rules);
    visit(game, state, plain);
    while (game.toMove(state) >= 0) {
      const move = out[random.below(game.legal(state, out))]!;
      game.play(state, move);
      plain.play(move);
      visit(game, state, plain);
    }
  }
}

describe("the hash of Go", () => {
  it.each(["positional", "situational", "simple"] as const)(
    "is one for positions that it does not distinguish, and different for others, under %s superko",
    (superko) => {
      const hashes = new Map<string, string>();
      const meanings = new Map<string, string>();
      const legalOf = new Map<string, string>();
      let again = 0;
      for (const suicide of [false, true]) {
        const rules = { ...plainRules, size: 2, superko, suicide, moveLimit: 0 };
        meanings.clear();
        hashes.clear();
        legalOf.clear();
        visitGames(rules, 60, (game, state, plain) => {
          const hash = hashOf(game, state);
          const text = meaning(plain);
          const legal = plain.legal().join();
          if (hashes.has(text)) again++;
          expect(hashes.get(text) ?? hash).toBe(hash);
          expect(meanings.get(hash) ?? text).toBe(text);
          expect(legalOf.get(hash) ?? legal).toBe(legal);
          hashes.set(text, hash);
          meanings.set(hash, text);
          legalOf.set(hash, legal);
        });
        expect(hashes.size).toBeGreaterThan(30);
      }
      expect(again).toBeGreaterThan(100);
    },
  );

  it.each(["positional", "simple"] as const)(
    "has every bit set in about half of the positions, under %s superko",
    (superko) => {
      const hashes = new Set<string>();
      visitGames({ ...plainRules, size: 5, superko, suicide: false, moveLimit: 0 }, 20, (game, state) => {
        hashes.add(hashOf(game, state));
      });
      expect(hashes.size).toBeGreaterThan(500);
      const words = Array.from(hashes, (hash) => hash.split(",").map(Number));
      // With 500 fair bits the share is off by 0.1 less than once in 100,000 times.
      for (let bit = 0; bit < 64; bit++) {
        const set = words.filter((pair) => (pair[bit >> 5]! >> (bit & 31)) & 1).length;
        expect(Math.abs(set / words.length - 0.5), `bit ${bit}`).toBeLessThan(0.1);
      }
    },
  );

  const hashAfter = (moveLimit: number, ...moves: number[]) => {
    const game = openGame("go", { size: 5, moveLimit }) as GameGo;
    const state = game.initial();
    for (const move of moves) game.play(state, move);
    return hashOf(game, state);
  };

  it("is one for all orders of moves without captures", () => {
    expect(hashAfter(0, 0, 6, 12, 18)).toBe(hashAfter(0, 12, 18, 0, 6));
    expect(hashAfter(0, 0, 6, 12)).not.toBe(hashAfter(0, 0, 12, 6));
    expect(hashAfter(0, 0, 25)).not.toBe(hashAfter(0, 0));
  });

  it("depends on the plies that are left, if there is a limit", () => {
    const short = [0, 6, 12];
    const long = [25, 6, 0, 25, 12];
    expect(hashAfter(0, ...short)).toBe(hashAfter(0, ...long));
    expect(hashAfter(40, ...short)).not.toBe(hashAfter(40, ...long));
  });
});
