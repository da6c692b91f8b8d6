import { describe, expect, it, vi } from "vitest";
import { type Game, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision } from "../../../src/search/search.ts";
import { after, legalMoves, paranoidWorths } from "./depth-first-reference.ts";
import { hashGame, type HashState } from "./hash-game.ts";
import { casesOf } from "../../number-of-cases.ts";

const silent = {
  evaluate: () => {
    throw new Error("requested");
  },
};

function decide<S>(game: Game<S>, state: S, options: Readonly<Record<string, unknown>> = {}): Decision<S> {
  return drive(openSearch("minimax", game, options).search(state, Random.named("minimax"), 0), silent);
}

const PRUNINGS = ["full", "inner", "none"] as const;

/** New searches of a game, one for each way to prune. */
const searchesOf = <S>(game: Game<S>) =>
  new Map(PRUNINGS.map((pruning) => [pruning, openSearch("minimax", game, { pruning })]));

/** The decision is a best move, and the values of moves are exact, or unknown where moves are cut. */
function agree<S>(
  game: Game<S>,
  state: S,
  exact: readonly number[],
  what = "",
  searches = searchesOf(game),
): void {
  const best = Math.max(...exact);
  const mover = game.toMove(state);
  for (const [pruning, search] of searches) {
    const { action, actions, actionValues, values } = drive(
      search.search(state, Random.named("minimax"), 0),
      silent,
    );
    expect(values[mover], `${what} ${pruning}`).toBe(best);
    expect(values[0]! + values[1]!).toBe(0);
    expect(exact[actions.indexOf(action)]).toBe(best);
    if (pruning === "full")
      for (const [i, value] of actionValues.entries())
        expect(Number.isNaN(value) ? exact[i] : value).toBe(exact[i]);
    else expect([...actionValues]).toEqual(exact);
  }
}

/** A hash game of two players without chance. */
function certainGame(seed: number, branching: number, depth: number): Game<HashState> {
  const { chance: _, ...game } = hashGame({ seed, players: 2, branching, depth, chance: 0 });
  return game;
}

const margin = { value: "returns", payoff: "margin" } as const;

describe("minimax", () => {
  it("finds the exact value of games of every shape, also where a seat moves twice", () => {
    for (let seed = 0; seed < casesOf(40); seed++) {
      const game = certainGame(seed, 2 + (seed % 4), 3 + (seed % 4));
      agree(game, game.initial(), paranoidWorths(game, game.initial(), 64, margin), `game ${seed}`);
    }
  });

  it("decides as if it were new, whatever it has decided before", () => {
    const random = Random.named("minimax: one after another");
    const searches = searchesOf(ticTacToe);
    for (let i = 0; i < casesOf(40); i++) {
      let state = ticTacToe.initial();
      for (let ply = 0; ply < 3; ply++) {
        const moves = legalMoves(ticTacToe, state);
        ticTacToe.play(state, moves[random.below(moves.length)]!);
      }
      while (ticTacToe.toMove(state) !== OVER) {
        agree(ticTacToe, state, paranoidWorths(ticTacToe, state, 64, margin), `game ${i}`, searches);
        const moves = legalMoves(ticTacToe, state);
        state = after(ticTacToe, state, moves[random.below(moves.length)]);
      }
    }
  });

  it("takes nothing from a table that confuses positions", () => {
    for (let seed = 0; seed < casesOf(40); seed++)
      for (const kept of [0, 3, 63]) {
        const game: Game<HashState> = {
          ...certainGame(seed, 3, 6),
          depthFirst: {
            hash: ({ path }, out) => {
              out[0] = path & kept;
              out[1] = 0;
            },
          },
        };
        const exact = paranoidWorths(game, game.initial(), 64, margin);
        const { values, action } = decide(game, game.initial(), { table: 1024 });
        const mover = game.toMove(game.initial());
        expect(values[mover]).toBe(Math.max(...exact));
        expect(exact[action]).toBe(Math.max(...exact));
      }
  });

  it("plays tic-tac-toe perfectly: a draw from the start", () => {
    expect(decide(ticTacToe, ticTacToe.initial()).values).toEqual([0, 0]);
    for (let seed = 0; seed < casesOf(12); seed++) {
      const random = Random.named("cells", seed);
      let state = ticTacToe.initial();
      for (let ply = 0; ply < 3 + (seed % 4) && ticTacToe.toMove(state) !== OVER; ply++)
        state = after(ticTacToe, state, legalMoves(ticTacToe, state)[random.below(9 - ply)]);
      if (ticTacToe.toMove(state) === OVER) continue;
      agree(ticTacToe, state, paranoidWorths(ticTacToe, state, 64, margin));
    }
  });

  it.each(["full", "inner", "none"])(
    "comes to a decision when the time is up, and tells no value that it has not proved (%s)",
    (pruning) => {
      const game = openGame("go", { size: 9, superko: "simple" });
      const search = openSearch("minimax", game, { pruning, milliseconds: 20 });
      const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(20);
      const { action, actions, actionValues, values } = drive(
        search.search(game.initial(), Random.named("minimax"), 0),
        silent,
      );
      clock.mockRestore();
      // The 82 positions of depth 1 are searched whatever the time; the clock is read once in 8 positions.
      expect((search as unknown as { readonly nodes: number }).nodes).toBeLessThanOrEqual(83 + 8);
      expect(actions).toContain(action);
      expect([...values, ...actionValues].every(Number.isNaN)).toBe(true);
    },
  );

  it("tells the values that it has proved in time", () => {
    const game = certainGame(5, 5, 8);
    const exact = paranoidWorths(game, game.initial(), 64, margin);
    const ticking = vi.spyOn(performance, "now");
    try {
      for (const pruning of ["inner", "none"]) {
        const known = new Set<number>();
        for (let readings = 1; readings < 1000; readings += 1 + (readings >> 3)) {
          // The clock stands still for so many readings.
          let left = readings;
          ticking.mockImplementation(() => (left-- > 0 ? 0 : 1000));
          const { actionValues } = decide(game, game.initial(), { pruning, milliseconds: 1 });
          for (const [i, value] of actionValues.entries())
            expect(Number.isNaN(value) ? exact[i] : value).toBe(exact[i]);
          known.add([...actionValues].filter((value) => !Number.isNaN(value)).length);
        }
        expect(known.size).toBeGreaterThan(pruning === "inner" ? 2 : 1);
      }
    } finally {
      ticking.mockRestore();
    }
  });

  it("says which games it is not for", () => {
    const threesome = hashGame({ seed: 1, players: 3, branching: 2, depth: 3, chance: 0 });
    expect(() => openSearch("minimax", threesome)).toThrow(/two players/);
    expect(() => openSearch("minimax", openGame("2048"))).toThrow(/two players/);
    expect(() => openSearch("minimax", ticTacToe, { value: "area" })).toThrow(/no value "area"/);
    const endless = openGame("go", { size: 2, superko: "simple" });
    expect(() => openSearch("minimax", endless)).toThrow(/may go on for ever: set moveLimit/);
    expect(() => openSearch("minimax", endless, { milliseconds: 1 })).not.toThrow();
    const limited = openGame("go", { size: 2, superko: "simple", moveLimit: 6 });
    expect(decide(limited, limited.initial(), { value: "returns" }).values).toHaveLength(2);
  });
});

describe("minimax on Go", () => {
  const game = openGame("go", { size: 2, komi: 0 });

  /** Whether Black gets at least `margin`, within `plies`, by plain AND/OR search; undefined where that is open. */
  function blackGets(state: unknown, wanted: number, plies: number): boolean | undefined {
    if (game.toMove(state) === OVER) {
      const area = new Float64Array(2);
      game.depthFirst!.staticEvaluations!["area"]!(state, area);
      return area[0]! - area[1]! >= wanted;
    }
    if (plies === 0) return undefined;
    const goal = game.toMove(state) === 0;
    let open = false;
    // Passes first: they end games soon.
    for (const action of legalMoves(game, state).toReversed()) {
      const found = blackGets(after(game, state, action), wanted, plies - 1);
      if (found === goal) return goal;
      open ||= found === undefined;
    }
    return open ? undefined : !goal;
  }

  it("does not give away what is safe: it plays no eye of its own where all is decided", () => {
    const small = openGame("go", { size: 3, komi: 0 });
    const reading = small.notation.parsePosition("1XX/XXX/XX1 X");
    if ("error" in reading) throw new Error(reading.error.message);
    const { action, values } = decide(small, reading.state);
    expect(small.notation.format(reading.state, action)).toBe("pass");
    expect(values).toEqual([9, -9]);
  });

  it("2x2 is +1 for Black, whatever the komi, as plain search proves without a table", () => {
    const start = game.initial();
    const proof = (wanted: number) => {
      for (let plies = 1; ; plies++) {
        const found = blackGets(start, wanted, plies);
        if (found !== undefined) return found;
      }
    };
    expect([proof(1), proof(2)]).toEqual([true, false]);
    expect(decide(game, start).values).toEqual([1, -1]);
    const { values, actionValues } = decide(game, start, { pruning: "inner" });
    expect(values).toEqual([1, -1]);
    expect([...actionValues]).toEqual([1, 1, 1, 1, -1]);
    const half = openGame("go", { size: 2, komi: 1.5 });
    expect(decide(half, half.initial()).values).toEqual([-0.5, 0.5]);
    expect(decide(half, half.initial(), { value: "returns" }).values).toEqual([-1, 1]);
  });
});

describe("minimax to a depth", () => {
  it("decides as paranoid search on margins, and gives the seats opposite values", () => {
    for (const [name, options] of [
      ["connect-four", {}],
      ["othello", { size: 6 }],
      ["tic-tac-toe", {}],
    ] as const) {
      const game = openGame(name, options);
      const random = Random.named("depths", name);
      const state = game.initial();
      for (let ply = 0; ply < 6; ply++) {
        for (const depth of [1, 2, 3]) {
          const mine = decide(game, state, { depth });
          const other = drive(
            openSearch("paranoid", game, { depth, payoff: "margin" }).search(state, random, 0),
            silent,
          );
          expect(mine.action).toBe(other.action);
          const mover = game.toMove(state);
          expect(mine.values[mover]).toBe(other.values[mover]);
          expect(mine.values[0]! + mine.values[1]!).toBe(0);
        }
        const moves = legalMoves(game, state);
        game.play(state, moves[random.below(moves.length)]!);
      }
    }
  });

  it("finds the exact value if it reaches the end", () => {
    const { values } = decide(ticTacToe, ticTacToe.initial(), { depth: 9 });
    expect(values).toEqual([0, 0]);
  });

  it("plays games that may never end", () => {
    const go = openGame("go", { size: 3, superko: "simple" });
    expect(() => openSearch("minimax", go)).toThrow("or give the search a depth or milliseconds");
    expect(legalMoves(go, go.initial())).toContain(decide(go, go.initial(), { depth: 2 }).action);
  });
});
