import { describe, expect, it, vi } from "vitest";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import {
  after,
  bestReplyWorths,
  firstInOrder,
  legalMoves,
  maxNVector,
  maxNWorths,
  paranoidWorths,
  type Problem,
} from "./depth-first-reference.ts";
import { numbersAsNotation } from "./numbers-as-notation.ts";
import { strips, type StripsState } from "./strips-game.ts";
import { valueGame } from "../policy/value-game.ts";
import { allCases, casesOf, someOf } from "../../number-of-cases.ts";

const references = {
  "max-n": maxNWorths,
  paranoid: paranoidWorths,
  "best-reply": bestReplyWorths,
} as const;
type Name = keyof typeof references;
const names = Object.keys(references) as Name[];

/** Decisions of one search, copied out of its buffers. */
function requesting<S>(name: string, game: Game<S>, options: Readonly<Record<string, unknown>>) {
  const search = openSearch(name, game, options);
  return (state: S) => {
    const { action, values, actionValues } = drive(search.search(state, Random.named(0), 0), {
      evaluate: () => expect.unreachable("it evaluates nothing"),
    });
    return { action, values: [...values], actionValues: [...actionValues] };
  };
}

function decide<S>(name: string, game: Game<S>, state: S, options: Readonly<Record<string, unknown>>) {
  return requesting(name, game, { table: 256, ...options })(state);
}

/** The positions that a search visits for a decision at the start of a game. */
function nodes(name: Name, game: Game<any>, options: object): number {
  const search = openSearch(name, game, { depth: 5, payoff: "margin", table: 0, ...options });
  drive(search.search(game.initial(), Random.named(0), 0), { evaluate: () => undefined });
  return (search as unknown as { nodes: number }).nodes;
}

/** Games of many shapes, for two to four players. */
function shapes(): { game: Game<any>; value: string; branching: number }[] {
  return Array.from({ length: 72 }, (_, seed) => {
    const players = 2 + (seed % 3);
    const walls = [seed % 5, 5 + (seed % 7)];
    return seed % 6 === 5
      ? {
          game: strips({ players, cells: 10, lengths: 3, walls: [walls[0]!] }),
          value: ["placed", "score"][seed % 2]!,
          branching: 4,
        }
      : {
          game: valueGame({ seed, players, branching: 3, depth: 14, top: 9 }),
          value: "returns",
          branching: 3,
        };
  });
}

/** A game that tells nothing by which a search could spare itself moves. */
function withoutShortcuts<S>(game: Game<S>): Game<S> {
  const { gains: _, moveBounds: __, isLegal: ___, ...depthFirst } = game.depthFirst ?? {};
  return { ...game, depthFirst };
}

interface WindyState extends StripsState {
  /** At a chance ply: the seat whose turn comes next, if it can move. */
  next: number;
}

/** Strips where the wind may blow after every move: three times in four it builds a wall on the first free cell. */
function windy(game: Game<StripsState>): Game<WindyState> {
  const { players } = game;
  // Walls take moves away, so other seats may move more often than the rules without wind say.
  const { moveBounds: _, ...depthFirst } = game.depthFirst!;
  return {
    ...game,
    depthFirst,
    notation: numbersAsNotation,
    initial: () => ({ ...game.initial(), next: 0 }),
    copy(from, into) {
      game.copy(from, into);
      into.next = from.next;
    },
    legal(state, out) {
      if (state.toMove !== CHANCE) return game.legal(state, out);
      out.set([0, 1]);
      return 2;
    },
    play(state, action) {
      if (state.toMove !== CHANCE) {
        game.play(state, action);
        if (state.toMove === OVER) return;
        state.next = state.toMove;
        state.toMove = CHANCE;
        return;
      }
      if (action === 1) state.cells[state.cells.indexOf(0)] = 255;
      state.toMove = OVER;
      for (let step = 0; step < players; step++)
        if (game.search!.passTo!(state, (state.next + step) % players)) return;
    },
    chance: {
      outcomes(_state, actions, probabilities) {
        actions.set([0, 1]);
        probabilities.set([0.25, 0.75]);
        return 2;
      },
      sample: (_state, random) => (random.float() < 0.25 ? 0 : 1),
    },
  };
}

/** Decision plies of random games, each with probability `share`. */
function positions<S>(game: Game<S>, games: number, share: number, seed: string): S[] {
  const random = Random.named(seed);
  const found: S[] = [];
  for (let i = 0; i < games; i++) {
    const state = game.initial();
    while (game.toMove(state) !== OVER) {
      if (game.toMove(state) !== CHANCE && random.float() < share) found.push(after(game, state));
      const legal = legalMoves(game, state);
      game.play(state, legal[random.below(legal.length)]!);
    }
  }
  return found;
}

/** Everything a search can say against its definition, at every kind of pruning, with and without a table. */
function compare<S>(name: Name, game: Game<S>, state: S, depth: number, problem: Problem) {
  const mover = game.toMove(state);
  const wanted = references[name](game, state, depth, problem);
  const best = Math.max(...wanted);
  const first = firstInOrder(game, state, wanted);
  const told = `${name} ${game.players} players depth ${depth} ${JSON.stringify(problem)} ${game.drawing.text(state)}`;
  for (const pruning of ["none", "inner", "full"])
    for (const table of [0, 64]) {
      const { action, values, actionValues } = decide(name, game, state, {
        ...problem,
        depth,
        pruning,
        table,
      });
      expect(values[mover], told).toBe(best);
      expect(action, told).toBe(first);
      if (pruning === "full")
        for (const [i, actionValue] of actionValues.entries())
          expect(actionValue, told).toBeGreaterThanOrEqual(wanted[i]!);
      else expect(actionValues, told).toEqual(wanted);
    }
  return wanted;
}

describe("depth-first searches against their definitions, nothing cut", () => {
  const random = Random.named("shapes");
  for (const name of names)
    for (const players of [1, 2, 3, 4]) {
      it(`${name} for ${players} on strips: values of all moves, the first best`, () => {
        let several = 0;
        for (let i = 0; i < casesOf(14); i++) {
          const cells = 5 + random.below(players > 2 ? 5 : 7);
          const shape = { players, cells, lengths: 3, walls: [random.below(cells)] };
          const game = i % 3 === 0 ? withoutShortcuts(strips(shape)) : strips(shape);
          for (const state of positions(game, 1, 0.7, `strips ${i}`)) {
            if (legalMoves(game, state).length > 9) continue;
            const depth = 1 + random.below(4);
            const value = ["placed", "score", "returns"][random.below(3)]!;
            const payoff = (["own", "margin"] as const)[random.below(2)]!;
            const wanted = compare(name, game, state, depth, { value, payoff });
            if (wanted.filter((actionValue) => actionValue === Math.max(...wanted)).length > 1) several++;
          }
        }
        expect(several).toBeGreaterThan(allCases ? 1 : 0);
      });

      it(`${name} for ${players} on values that follow from nothing`, () => {
        for (let seed = 0; seed < casesOf(60); seed++) {
          const game = valueGame({ seed, players, branching: 4, depth: 9, top: 6 });
          for (const state of positions(game, 1, 0.4, `values ${seed}`)) {
            const payoff = (["own", "margin"] as const)[random.below(2)]!;
            const value = ["value", "returns"][random.below(2)]!;
            compare(name, game, state, 1 + random.below(5), { value, payoff });
          }
        }
      });
    }

  for (const name of names)
    it(`${name} with chance takes means, at no cost of depth`, () => {
      let chances = 0;
      for (let seed = 0; seed < casesOf(40); seed++) {
        const game = valueGame({ seed, players: 3, branching: 3, depth: 7, top: 6, chance: 0.3 });
        // Quarters of whole numbers and their products are exact.
        for (const state of positions(game, 1, 0.4, `chance ${seed}`)) {
          compare(name, game, state, 1 + random.below(3), { value: "value", payoff: "own" });
          chances++;
        }
      }
      expect(chances).toBeGreaterThan(casesOf(30));
    });

  for (const name of names)
    it(`${name} with chance and growth takes the bounds of each position from itself`, () => {
      let searched = 0;
      for (let i = 0; i < casesOf(24); i++) {
        const game = windy(strips({ players: 2 + (i % 3), cells: 6 + (i % 3), lengths: 3 }));
        for (const state of positions(game, 1, 0.7, `windy ${i}`)) {
          const value = ["placed", "score"][i % 2]!;
          const payoff = (["own", "margin"] as const)[random.below(2)]!;
          compare(name, game, state, 1 + random.below(3), { value, payoff });
          searched++;
        }
      }
      expect(searched).toBeGreaterThan(casesOf(30));
    });

  it("max-n gives every seat's payoff of the first best move", () => {
    for (let seed = 100; seed < 100 + casesOf(60); seed++) {
      const game = valueGame({ seed, players: 3, branching: 4, depth: 9, top: 4 });
      const problem = { value: "value", payoff: "own" } as const;
      for (const state of positions(game, 1, 0.5, `vector ${seed}`)) {
        const { action, values } = decide("max-n", game, state, { ...problem, depth: 4 });
        expect(values).toEqual(maxNVector(game, state, 4, problem));
        expect(values).toEqual(maxNVector(game, after(game, state, action), 3, problem));
      }
    }
  });
});

describe("pruned and unpruned", () => {
  it("agree on many random positions, deeper than the definitions reach", () => {
    let compared = 0;
    for (const [index, { game, value, branching }] of someOf(shapes().entries()))
      for (const name of names) {
        const payoff = index % 2 === 0 ? "own" : "margin";
        const options = { depth: 5, value, payoff, table: 256 };
        const plain = requesting(name, game, { ...options, pruning: "none", table: 0 });
        const inner = requesting(name, game, { ...options, pruning: "inner" });
        const full = requesting(name, game, options);
        for (const state of positions(game, 3, 0.7, `deep ${index}`)) {
          if (legalMoves(game, state).length > branching) continue;
          const wanted = plain(state);
          expect(inner(state)).toEqual(wanted);
          expect(full(state)).toMatchObject({ action: wanted.action, values: wanted.values });
          compared++;
        }
      }
    expect(compared).toBeGreaterThan(casesOf(2000));
  });

  it("differ in the positions they look at: each cut does something", () => {
    const board = strips({ players: 3, cells: 8, lengths: 2, walls: [3, 6] });
    const again = valueGame({ seed: 1, players: 3, branching: 4, depth: 12, top: 9 });
    for (const name of names) {
      const none = nodes(name, board, { pruning: "none" });
      const inner = nodes(name, board, { pruning: "inner" });
      expect(inner, name).toBeLessThan(none);
      expect(nodes(name, board, { pruning: "full" }), name).toBeLessThan(inner);
      const met = { depth: 5, value: "returns", pruning: "none" };
      expect(nodes(name, again, { ...met, table: 4096 }), name).toBeLessThan(nodes(name, again, met));
    }
    // The last move need not be played, nor those of a seat that cannot come to move again.
    const wide = strips({ players: 4, cells: 14, lengths: 3 });
    const few = allCases ? wide : strips({ players: 4, cells: 10, lengths: 3 });
    for (const name of names) {
      const options = { depth: 4, payoff: "own" };
      const told = nodes(name, few, options);
      expect(told, name).toBeLessThan(nodes(name, withoutShortcuts(few), options));
    }
    // Placed squares never fall, so the first reply settles a node of the opponents.
    expect(nodes("paranoid", wide, { depth: 4, payoff: "own" })).toBeLessThan(42 * (1 + 2 + 3 + 4));
    // The first reply of the next seat shows that the root's shorter strips are not to be taken.
    const shallow = { depth: 3, payoff: "own" };
    expect(nodes("max-n", wide, shallow)).toBeLessThan(
      nodes("max-n", wide, { ...shallow, pruning: "none" }) / 3,
    );
    // With two players a margin is what the other one loses, without any bound from the game.
    const game = strips({ players: 2, cells: 10, lengths: 2 });
    const { growth: _, ...depthFirst } = game.depthFirst!;
    const two = { ...game, depthFirst };
    expect(nodes("paranoid", two, { depth: 4 })).toBeLessThan(
      nodes("paranoid", two, { depth: 4, pruning: "none" }) / 3,
    );
  });
});

describe("two players", () => {
  it("with margins max-n, paranoid and best-reply are one search", () => {
    for (let seed = 0; seed < casesOf(40); seed++) {
      const game =
        seed % 2 === 0
          ? valueGame({ seed, players: 2, branching: 4, depth: 10, top: 5 })
          : strips({ players: 2, cells: 7 + (seed % 4), lengths: 3 });
      for (const state of positions(game as Game<any>, 1, 0.4, `two ${seed}`)) {
        const options = { depth: 3 + (seed % 2), payoff: "margin", pruning: "inner" };
        const [a, b, c] = names.map((name) => decide(name, game as Game<any>, state, options));
        const mover = (game as Game<any>).toMove(state);
        expect(b!.actionValues).toEqual(a!.actionValues);
        expect(c).toEqual(b);
        expect(b!.action).toBe(a!.action);
        expect(b!.values[mover]).toBe(a!.values[mover]);
      }
    }
  });

  it("solves tic-tac-toe: a draw, as every reply to the first move but those that lose", () => {
    for (const name of names) {
      const start = decide(name, ticTacToe, ticTacToe.initial(), { depth: 9, pruning: "inner" });
      expect(start.values[0]).toBe(0.5);
      expect(start.actionValues).toEqual(Array.from({ length: 9 }, () => 0.5));
      const corner = after(ticTacToe, ticTacToe.initial(), 0);
      const replies = decide(name, ticTacToe, corner, { depth: 9, pruning: "inner" });
      expect(replies.actionValues).toEqual([0, 0, 0, 0.5, 0, 0, 0, 0]);
      expect(replies.action).toBe(4);
    }
  });
});

describe("the budget", () => {
  const game = valueGame({ seed: 9, players: 3, branching: 6, depth: 40, top: 20 });

  it("in time decides as some number of moves looked ahead would, and ends where the game does not", () => {
    const narrow = valueGame({ seed: 4, players: 3, branching: 3, depth: 40, top: 20 });
    for (const name of names) {
      const byDepth = [1, 2, 3, 4].map((depth) => decide(name, narrow, narrow.initial(), { depth }));
      expect(byDepth).toContainEqual(decide(name, narrow, narrow.initial(), { milliseconds: 1, depth: 4 }));
      // All of this tree would take longer than anyone could wait.
      expect(decide(name, game, game.initial(), { milliseconds: 5 }).values).toHaveLength(3);
    }
  });

  it("in time decides by the last depth that was complete before the time was up", () => {
    const narrow = valueGame({ seed: 4, players: 3, branching: 3, depth: 40, top: 20 });
    // Every reading of this clock takes a millisecond. So it is read at every position, depth 1 apart.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    for (const name of names) {
      const plain = [1, 2, 3, 4, 5].map((depth) => ({
        decision: decide(name, narrow, narrow.initial(), { depth }),
        visited: nodes(name, narrow, { depth, payoff: "own", table: 256 }),
      }));
      const counts = plain.map(({ visited }) => visited - plain[0]!.visited);
      const reached = new Set<number>();
      for (let milliseconds = 8; milliseconds < counts.at(-1)!; milliseconds += 8) {
        const depth = counts.findLastIndex((count) => count < milliseconds);
        reached.add(depth);
        expect(decide(name, narrow, narrow.initial(), { milliseconds, depth: 5 })).toEqual(
          plain[depth]!.decision,
        );
      }
      expect(reached.size).toBeGreaterThan(2);
    }
    clock.mockRestore();
  });

  it("looks no deeper than the game is long", () => {
    const short = valueGame({ seed: 3, players: 3, branching: 3, depth: 4, top: 5 });
    for (const name of names)
      expect(decide(name, short, short.initial(), { milliseconds: 60_000 })).toEqual(
        decide(name, short, short.initial(), { depth: 10 }),
      );
  });

  it("of neither kind is two moves", () => {
    for (const name of names)
      expect(decide(name, game, game.initial(), {})).toEqual(
        decide(name, game, game.initial(), { depth: 2 }),
      );
  });
});

describe("refusals", () => {
  it("name the values that the game has", () => {
    const game = strips({ players: 3, cells: 5, lengths: 2 });
    expect(() => openSearch("paranoid", game, { value: "squares" })).toThrow(
      'search paranoid: strips has no value "squares" (known: auto, placed, score, returns)',
    );
  });

  it("best-reply for three needs a game that can pass the turn", () => {
    const withoutPassTo = (players: number) => {
      const game = strips({ players, cells: 5, lengths: 2 });
      const { passTo: _, ...search } = game.search!;
      return { ...game, search };
    };
    const game = withoutPassTo(3);
    expect(() => openSearch("best-reply", game)).toThrow(/cannot pass the turn/);
    const two = withoutPassTo(2);
    expect(decide("best-reply", two, two.initial(), { depth: 3 })).toEqual(
      decide("paranoid", two, two.initial(), { depth: 3 }),
    );
  });
});
