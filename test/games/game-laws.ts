import { describe, expect, it } from "vitest";
import { CHANCE, type Game, OVER } from "../../src/games/game.ts";
import { perft } from "../../src/games/perft.ts";
import { stateOfText } from "../../src/games/position-text.ts";
import { brokenLaws } from "../../src/plugins/game-laws.ts";
import { Random } from "../../src/random.ts";
import { playthrough } from "./playthrough.ts";
import { allCases, casesOf } from "../number-of-cases.ts";

/** What is known of a game beyond its rules. */
export interface LawfulGame {
  /** Names the game and its options; names its golden file too. */
  readonly title: string;
  /** There is another one of this game, which is enough unless all cases are taken. */
  readonly similar?: true;
  readonly game: Game<any>;
  /** Counts for depths 0, 1, 2, ... from the initial state, and where they come from. */
  readonly perft: { readonly counts: readonly number[]; readonly provenance: string };
  /** Positions inside games with counts for depths 0, 1, 2, ... from them, and where they come from. */
  readonly midgame: readonly {
    readonly position: string;
    readonly counts: readonly number[];
    readonly provenance: string;
  }[];
  /** The same count by a second, plain writing of the rules, which reads the position by itself. */
  readonly countFrom: (position: string, depth: number) => number;
  /** No game is longer, chance plies included. */
  readonly longestGame: number;
  /** Plies of the golden playthrough. */
  readonly playthroughPlies: number;
}

/** The laws of all games (`src/plugins/game-laws.ts`) and what is known of one game, as tests. */
export function gameLaws(lawful: LawfulGame): void {
  const { title, game } = lawful;
  describe(`laws of ${title}`, () => {
    it("keeps the laws of all games", () => {
      const random = Random.named("laws", title);
      expect(brokenLaws(game, { games: casesOf(8, 3), exact: true, random })).toEqual([]);
    });

    it(`counts as known: ${lawful.perft.provenance}`, () => {
      const counts = lawful.perft.counts.map((_, depth) => perft(game, game.initial(), depth));
      expect(counts).toEqual(lawful.perft.counts);
    });

    for (const { position, counts, provenance } of lawful.midgame)
      it(`counts as the plain rules do in a position inside a game: ${provenance}`, () => {
        const state: unknown = stateOfText(game, position);
        expect(game.notation.position(state)).toBe(position);
        expect(counts.map((_, depth) => perft(game, state, depth))).toEqual(counts);
        // The last depths take the plain rules most of the time.
        const plain = allCases ? counts : counts.slice(0, Math.max(2, counts.length - 2));
        expect(plain.map((_, depth) => lawful.countFrom(position, depth))).toEqual(plain);
      });

    it("plays the golden game", async () => {
      await expect(playthrough(lawful)).toMatchFileSnapshot(`golden/${title.replaceAll(" ", "-")}.txt`);
    });

    it("ends in time with returns within bounds all along, and puts pieces down where its drawing says", () => {
      const [least, greatest] = game.returnBounds;
      const returns = new Float64Array(game.players);
      const legal = new Int32Array(game.maxLegal);
      for (let k = 0; k < casesOf(20); k++) {
        const random = Random.named("laws", title, "ends", k);
        const state: unknown = game.initial();
        for (let ply = 0; game.toMove(state) !== OVER; ply++) {
          expect(ply).toBeLessThan(lawful.longestGame);
          game.returns(state, returns.fill(Number.NaN));
          for (const value of returns) expect(value >= least && value <= greatest).toBe(true);
          const mover = game.toMove(state);
          const count = game.legal(state, legal);
          const action = mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(count)]!;
          const placed = mover === CHANCE ? [] : (game.drawing.place?.(state, action)?.cells ?? []);
          const [taken, own] = [takenCells(game, state), takenCells(game, state, mover)];
          game.play(state, action);
          const after = takenCells(game, state, mover);
          expect(placed.filter((cell) => taken.includes(cell))).toEqual([]);
          // A suicide in Go takes the stone away again.
          if (after.length > own.length) expect(after).toEqual(expect.arrayContaining([...placed]));
        }
      }
    });
  });
}

/** The cells of a board with pieces, or with those of one seat. */
function takenCells(game: Game<any>, state: unknown, by?: number): number[] {
  const board = game.drawing.board!(state);
  if (board.kind !== "grid") return [];
  return board.pieces.flatMap(({ cells, seat }) => (by === undefined || seat === by ? cells : []));
}
