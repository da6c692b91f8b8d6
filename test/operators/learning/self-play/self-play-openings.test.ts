import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Game, OVER } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import {
  type OpeningsOfStage,
  SelfPlayOpenings,
} from "../../../../src/operators/learning/self-play/self-play-openings.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { bareExperiment } from "../../bare-experiment.ts";

const GENERATION = 10;
const game = openGame("connect-four", {}) as Game<unknown>;
const never = () => expect.unreachable();

function openings(
  given: OpeningsOfStage["openings"],
  { lag = 0, seed = 3, of = game } = {},
): SelfPlayOpenings {
  const opened = { experiment: { ...bareExperiment({}), seed }, game: of, nets: new Map() };
  return new SelfPlayOpenings({ opened, stage: "games", openings: given, generation: GENERATION, lag });
}

/** The state after moves, each of which must be legal. */
function stateAfter(moves: ArrayLike<number>): unknown {
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  for (const move of Array.from(moves)) {
    expect(game.toMove(state)).not.toBe(OVER);
    expect([...legal.subarray(0, game.legal(state, legal))]).toContain(move);
    game.play(state, move);
  }
  return state;
}

function movesOf(
  given: SelfPlayOpenings,
  index: number,
  earlier: (game: number) => number[] = never,
): number[] {
  const opening = given.of(index, earlier);
  if (opening === undefined) return [];
  if (!("actions" in opening)) return expect.unreachable();
  return [...opening.actions];
}

describe("positions of random play", () => {
  it("fall to their share of the games, have a number of stones in the range, and are never over", () => {
    const drawn = openings([{ share: 0.25, plies: { least: 8, most: 24 } }]);
    const counts = new Map<number, number>();
    for (let index = 0; index < 1000; index++) {
      const moves = movesOf(drawn, index);
      expect(drawn.falls(index)).toBe(moves.length > 0);
      if (moves.length === 0) continue;
      expect(game.toMove(stateAfter(moves))).not.toBe(OVER);
      counts.set(moves.length, (counts.get(moves.length) ?? 0) + 1);
    }
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // 250 expected, with a standard deviation of 14.
    expect(Math.abs(all - 250)).toBeLessThan(60);
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, i) => 8 + i));
  });

  it("are a function of seed and game", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (seed, index) => {
        const given = [{ share: 1, plies: 6 }];
        expect(movesOf(openings(given, { seed }), index)).toEqual(movesOf(openings(given, { seed }), index));
      }),
      { numRuns: 30 },
    );
    const drawn = openings([{ share: 1, plies: 6 }]);
    expect(new Set(Array.from({ length: 20 }, (_, index) => movesOf(drawn, index).join())).size).toBe(20);
  });

  it("end a move before the end where every draw ends the game", () => {
    const threeInARow = openGame("tic-tac-toe", {}) as Game<unknown>;
    const moves = movesOf(openings([{ share: 1, plies: 9 }], { of: threeInARow }), 0);
    expect(moves.length).toBeGreaterThan(3);
    const state = threeInARow.initial();
    for (const move of moves) threeInARow.play(state, move);
    expect(threeInARow.toMove(state)).not.toBe(OVER);
  });

  it("are drawn while the game is played where it has moves of chance", () => {
    const of = openGame("2048", {}) as Game<unknown>;
    const drawn = openings([{ share: 1, plies: 4 }], { of });
    expect(drawn.of(7, never)).toEqual({ plies: 4, name: ["games", 7, "opening", "moves"] });
  });
});

describe("forks", () => {
  const forks = [{ share: 0.5, forks: { back: { least: 2, most: 4 } } }];
  /** Game n of the first twenty: twelve moves that tell its number. */
  const earlier = (number: number) => [number % 7, Math.floor(number / 7), 0, 1, 2, 3, 4, 5, 6, 0, 1, 2];

  it.each([0, 1])("begin with positions of the generation %i before the one before", (lag) => {
    const given = openings(forks, { lag });
    const asked = new Set<number>();
    const lengths = new Set<number>();
    for (let index = 0; index < 40; index++) {
      const generation = Math.floor(index / GENERATION);
      const moves = movesOf(given, index, (number) => {
        asked.add(number);
        expect(Math.floor(number / GENERATION)).toBe(generation - 1 - lag);
        expect(number).toBeLessThan(given.needs(index));
        return earlier(number);
      });
      expect(given.needs(index)).toBe(GENERATION * Math.max(0, generation - lag));
      if (moves.length === 0) continue;
      expect(given.falls(index)).toBe(true);
      expect(earlier(moves[0]! + 7 * moves[1]!).slice(0, moves.length)).toEqual(moves);
      lengths.add(moves.length);
    }
    expect(asked.size).toBeGreaterThan(5);
    expect([...lengths].toSorted((a, b) => a - b)).toEqual([8, 9, 10]);
  });

  it("take a game that is too short from its start, and go on with drawn moves", () => {
    const moves = movesOf(openings([{ share: 1, forks: { back: 5 }, plies: 2 }]), GENERATION, () => [
      3, 3, 3,
    ]);
    expect(moves).toHaveLength(2);
    const longer = movesOf(openings([{ share: 1, forks: { back: 1 }, plies: 2 }]), GENERATION, () => [
      3, 3, 3,
    ]);
    expect(longer.slice(0, 2)).toEqual([3, 3]);
    expect(longer).toHaveLength(4);
  });
});

describe("several openings", () => {
  it("share the games, a book beside random play", () => {
    const book = join(scratchFolder(), "book.txt");
    writeFileSync(book, "4 4 4\n1 2\n");
    const given = openings([
      { share: 0.3, book },
      { share: 0.3, book, plies: 1 },
    ]);
    const counts = new Map<string, number>();
    for (let index = 0; index < 600; index++) {
      const moves = movesOf(given, index);
      const kind = `${moves[0] === 3 ? "long" : moves[0] === 0 ? "short" : "start"} ${moves.length}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(["long 3", "long 4", "short 2", "short 3", "start 0"]);
    // 90 expected for each opening with and without a drawn move, with a standard deviation of 9.
    for (const [kind, count] of counts)
      expect(Math.abs(count - (kind === "start 0" ? 240 : 90)), kind).toBeLessThan(50);
  });
});

describe("openings in an experiment", () => {
  const file = (rules: string) => `name: opened
seed: 1
game: { rules: ${rules} }
agents: { learner: { use: random } }
graph:
  games: { use: self-play, agent: learner, games: 4, generation: 2, examples: { use: alphazero } }
`;
  const check = (set: readonly string[], rules = "connect-four") =>
    checkGraph(readExperiment(writeExperiment(scratchFolder(), file(rules)), set));

  it.each<[string, string, RegExp]>([
    [
      "connect-four",
      "[{ share: 0.6, plies: 2 }, { share: 0.5, plies: 3 }]",
      /openings: the shares .* 1\.1 together/,
    ],
    ["connect-four", "[{ share: 0.5 }]", /openings\.0: give plies, a book or forks/],
    [
      "connect-four",
      "[{ book: no-such, forks: { back: 1 } }]",
      /openings\.0: give a book or forks, not both/,
    ],
    ["connect-four", "[{ plies: { least: 3, most: 2 } }]", /openings\.0\.plies: least is 3 and most is 2/],
    ["connect-four", "[{ forks: { back: { least: 3, most: 2 } } }]", /openings\.0\.forks\.back: least is 3/],
    ["connect-four", "[{ book: no-such }]", /openings\.0\.book: opening book .*no-such: cannot be read/],
    [
      "2048",
      "[{ book: no-such }]",
      /openings\.0\.book: 2048 has moves of chance, which a book does not hold/,
    ],
    [
      "2048",
      "[{ forks: { back: 2 } }]",
      /openings\.0\.forks: 2048 has moves of chance, which forks do not hold/,
    ],
  ])("of %s are refused: %s", (rules, given, says) => {
    expect(() => check([`graph.games.openings=${given}`], rules)).toThrow(says);
  });

  it("need an order of the games for forks, and take shares whose sum is 1 but for rounding", () => {
    const given = "graph.games.openings=[{ forks: { back: 2 } }]";
    expect(() => check([given])).not.toThrow();
    expect(() => check([given, "schedule=asynchronous"])).toThrow(/openings\.0\.forks: .* leave forks out/);
    const shares = Array.from({ length: 10 }, () => "{ share: 0.1, plies: 2 }").join();
    expect(() => check([`graph.games.openings=[${shares}]`])).not.toThrow();
  });

  it("name books relative to the file", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "book.txt"), "4 4\n");
    const text = file("connect-four").replace(
      "games: 4,",
      "openings: [{ plies: 1 }, { share: 0.5, book: book.txt }], games: 4,",
    );
    const path = writeExperiment(folder, text.replace("{ plies: 1 }", "{ share: 0.5, plies: 1 }"));
    const { experiment } = readExperiment(path);
    expect(experiment.graph["games"]).toMatchObject({
      openings: [{ plies: 1 }, { book: join(folder, "book.txt") }],
    });
    expect(() => checkGraph(readExperiment(path))).not.toThrow();
  });
});
