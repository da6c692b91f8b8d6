import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Game2048, type State2048 } from "../../../src/games/2048/2048.ts";
import type { EvaluationRequest } from "../../../src/games/evaluation.ts";
import { NTupleNetwork } from "../../../src/models/n-tuple/network.ts";
import { nTuple } from "../../../src/models/n-tuple/n-tuple.ts";
import { weightNumbers } from "../../../src/models/n-tuple/indexing.ts";
import { tupleLookup } from "../../../src/models/n-tuple/tuple-lookup.ts";
import { tupleLayout, type TupleSetName, tupleSetNames } from "../../../src/models/n-tuple/tuple-sets.ts";
import { openNet } from "../../../src/models/registry.ts";
import { tablesBuffer } from "../../../src/models/tables.ts";
import { openGame } from "../../../src/games/registry.ts";
import { allCases, casesOf } from "../../number-of-cases.ts";

const boardOf: Record<TupleSetName, readonly [number, number]> = {
  "4x6": [4, 4],
  "8x6": [4, 4],
  "2x6": [3, 3],
  board: [2, 3],
};

/** An afterstate with these exponents; the packed form is one exponent a cell. */
function boardWith(game: Game2048, exponents: readonly number[]): State2048 {
  const state = game.initial();
  game.nets.packing.unpack(Uint8Array.from(exponents), 0, state);
  return state;
}

const exponents = (cells: number) =>
  fc.array(fc.integer({ min: 0, max: 17 }), { minLength: cells, maxLength: cells });

/** The weights of a board by the definition, numbered: transform the board, read the cells. */
function referenceWeights(game: Game2048, set: TupleSetName, state: State2048): number[] {
  const { tuples, bits } = tupleLayout(set, game.rows, game.columns);
  const image = game.initial();
  const found: number[] = [];
  for (const [table, tuple] of tuples.entries())
    for (let symmetry = 0; symmetry < game.symmetry.count; symmetry++) {
      game.symmetry.transform(state, symmetry, image);
      let number = table * 2 ** (bits * tuple.length);
      for (const [slot, cell] of tuple.entries())
        number += Math.min(game.exponent(image, cell), 2 ** bits - 1) * 2 ** (bits * slot);
      found.push(number);
    }
  return found.toSorted((a, b) => a - b);
}

/** The tables of boards of 4x4 are of hundreds of megabytes, and are read as those of smaller boards. */
const summedUp = tupleSetNames.filter((set) => allCases || boardOf[set][0] < 4);

describe.each(tupleSetNames)("the tuples %s", (set) => {
  const [rows, columns] = boardOf[set];
  const game = new Game2048({ rows, columns });
  const lookup = tupleLookup(tupleLayout(set, rows, columns));

  it("are looked up as their definition says", () => {
    const indices = new Int32Array(lookup.lookups);
    fc.assert(
      fc.property(exponents(rows * columns), (tiles) => {
        const state = boardWith(game, tiles);
        lookup.indices(state.lines, 0, indices);
        const numbers = Uint32Array.from(indices);
        const weights = weightNumbers(lookup.plan);
        weights.numbered(numbers);
        expect([...numbers].toSorted((a, b) => a - b)).toEqual(referenceWeights(game, set, state));
        weights.placed(numbers);
        expect([...numbers]).toEqual([...indices]);
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("have indices inside the tables", () => {
    const indices = new Int32Array(lookup.lookups);
    const fullest = boardWith(
      game,
      Array.from({ length: rows * columns }, () => 17),
    );
    lookup.indices(fullest.lines, 0, indices);
    expect(Math.max(...indices)).toBe(lookup.size - 1);
    expect(Math.min(...indices)).toBeGreaterThanOrEqual(0);
  });
});

describe.each(summedUp)("the tuples %s", (set) => {
  const [rows, columns] = boardOf[set];
  const game = new Game2048({ rows, columns });
  const lookup = tupleLookup(tupleLayout(set, rows, columns));

  it("give symmetric boards the same value, the sum of the weights at the indices", () => {
    const network = NTupleNetwork.create(game, { tuples: set, initialValue: 0 });
    const indices = new Int32Array(lookup.lookups);
    const image = game.initial();
    fc.assert(
      fc.property(
        exponents(rows * columns),
        fc.integer({ min: 0, max: game.symmetry.count - 1 }),
        (tiles, symmetry) => {
          const state = boardWith(game, tiles);
          lookup.indices(state.lines, 0, indices);
          for (const index of indices) network.weights[index] = (index % 1009) / 7;
          let sum = 0;
          for (const index of indices) sum += network.weights[index]!;
          game.symmetry.transform(state, symmetry, image);
          // Each of the additions rounds to float32; the weights are all of one sign.
          const rounding = sum * indices.length * 2 ** -24;
          expect(Math.abs(network.value(state) - sum)).toBeLessThanOrEqual(rounding);
          expect(Math.abs(network.value(image) - sum)).toBeLessThanOrEqual(rounding);
        },
      ),
      { numRuns: casesOf(100) },
    );
  });
});

describe("an N-tuple network", () => {
  const game = new Game2048({ rows: 2, columns: 3 });

  function requestOf(states: readonly State2048[]): EvaluationRequest<State2048> {
    return { states, count: states.length, values: new Float64Array(states.length).fill(NaN) };
  }

  it("begins with the same value everywhere", () => {
    const network = NTupleNetwork.create(game, { tuples: "board", initialValue: 640 });
    expect(network.value(boardWith(game, [1, 2, 0, 0, 5, 3]))).toBe(640);
    expect(network.value(boardWith(game, [0, 0, 0, 0, 0, 0]))).toBe(640);
  });

  it("evaluates afterstates, decisions and finished games by what they are", () => {
    const network = NTupleNetwork.create(game, { tuples: "board", initialValue: 100 });
    const afterstate = boardWith(game, [1, 0, 0, 0, 0, 0]);
    const decision = game.fromBoard([8, 8, 0, 4, 4, 0]);
    const over = game.fromBoard([2, 4, 2, 4, 2, 4]);
    const request = requestOf([afterstate, decision, over]);
    network.evaluate(request);
    // Left or right earns 16 + 8.
    expect([...request.values]).toEqual([100, 124, 0]);
  });

  it("answers for the first `count` states only", () => {
    const network = NTupleNetwork.create(game, { tuples: "board", initialValue: 1 });
    const request = requestOf([boardWith(game, [1, 0, 0, 0, 0, 0]), boardWith(game, [2, 0, 0, 0, 0, 0])]);
    request.count = 1;
    network.evaluate(request);
    expect(request.values[0]).toBe(1);
    expect(request.values[1]).toBeNaN();
  });

  it("refuses memory of another size", () => {
    expect(
      () => new NTupleNetwork(game, { tuples: "board", initialValue: 0 }, new SharedArrayBuffer(4)),
    ).toThrow("tables of 4 bytes, expected 3145728");
  });
});

describe("the net n-tuple", () => {
  it("saves what differs from the beginning, and loads it back", () => {
    const game = new Game2048({ rows: 2, columns: 3 });
    const open = nTuple.open(game, { tuples: "board", initialValue: 12, stages: [] });
    const tables = open.load(new Map());
    const places = Uint32Array.of(77, 4001);
    weightNumbers(tupleLookup(tupleLayout("board", 2, 3)).plan).placed(places);
    const weights = new Float32Array(tablesBuffer(tables));
    weights[places[0]!] = 1.5;
    weights[places[1]!] = 0;
    const saved = open.save(tables);
    const values = new Map(
      [...saved.get("weights")!.data].map((number, i) => [number, saved.get("values")!.data[i]]),
    );
    expect(values).toEqual(
      new Map([
        [77, 1.5],
        [4001, 0],
      ]),
    );
    const again = open.load(new Map([...saved].map(([name, { data }]) => [name, data])));
    expect(new Float32Array(tablesBuffer(again))).toEqual(weights);
  });

  it("is opened by its name in the registry", () => {
    const open = openNet("n-tuple", openGame("2048", { rows: 3, columns: 3 }), {
      tuples: "2x6",
      initialValue: 0,
    });
    expect(open).toMatchObject({ kind: "tables", use: "n-tuple", hasPolicy: false });
  });

  it("says where it does not fit the game", () => {
    const open = (rows: number, columns: number, tuples: string) => () =>
      openNet("n-tuple", openGame("2048", { rows, columns }), { tuples, initialValue: 0 });
    expect(open(3, 4, "4x6")).toThrow("the tuples 4x6 are not made for a 3x4 board; none is");
    expect(open(3, 3, "board")).toThrow("the tuples board are not made for a 3x3 board; 2x6 would fit");
    const chess = { ...openGame("2048"), name: "chess" };
    expect(() => openNet("n-tuple", chess, { tuples: "4x6", initialValue: 0 })).toThrow("cannot play chess");
  });
});
