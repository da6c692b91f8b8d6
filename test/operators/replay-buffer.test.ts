import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ticTacToe } from "../../src/games/tic-tac-toe.ts";
import { ExampleCodec } from "../../src/operators/examples.ts";
import type { PlayedGame } from "../../src/operators/items.ts";
import { ReplayBuffer } from "../../src/operators/replay-buffer.ts";

const codec = new ExampleCodec(ticTacToe);

/** A game whose examples carry the numbers given, so that each can be told from all others. */
function gameOf(generation: number, numbers: readonly number[]): PlayedGame {
  const examples = numbers.map((number) => ({ state: ticTacToe.initial(), values: [number, -number] }));
  const samples = codec.encodeAll(examples);
  return { source: "games", index: 0, generation, closes: false, last: false, samples };
}

const numberIn = (bytes: Uint8Array) => {
  const values = new Float32Array(2);
  codec.decode(bytes, ticTacToe.initial(), values, () => undefined);
  return values[0]!;
};

const contents = (buffer: ReplayBuffer) =>
  Array.from({ length: buffer.size }, (_, position) => numberIn(buffer.at(position)));

/** The same by a list of games: whole games leave from the front while the others alone fill the capacity. */
class Reference {
  games: { readonly generation: number; readonly numbers: readonly number[] }[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(generation: number, numbers: readonly number[]): void {
    this.games.push({ generation, numbers });
    const rest = () => this.games.slice(1).reduce((sum, game) => sum + game.numbers.length, 0);
    while (this.games.length > 1 && rest() >= this.#capacity) this.games.shift();
  }
}

describe("ReplayBuffer", () => {
  it("holds what a list of games would hold, whatever the sizes", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), sizes, (capacity, lengths) => {
        const buffer = new ReplayBuffer(capacity);
        const reference = new Reference(capacity);
        let next = 0;
        for (const [index, length] of lengths.entries()) {
          const numbers = Array.from({ length }, () => next++);
          buffer.add(gameOf(Math.floor(index / 3), numbers));
          reference.add(Math.floor(index / 3), numbers);
          expect(contents(buffer)).toEqual(reference.games.flatMap((game) => game.numbers));
          expect(buffer.oldestGeneration).toBe(reference.games[0]!.generation);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is empty at first, and of generation 0", () => {
    const buffer = new ReplayBuffer(10);
    expect([buffer.size, buffer.oldestGeneration]).toEqual([0, 0]);
  });

  it("never holds fewer examples than its capacity once it has been filled", () => {
    const buffer = new ReplayBuffer(10);
    for (let game = 0; game < 50; game++) {
      buffer.add(gameOf(game, [game, game, game]));
      expect(buffer.size).toBe(game < 3 ? 3 * (game + 1) : 12);
    }
    expect(contents(buffer)).toEqual([46, 46, 46, 47, 47, 47, 48, 48, 48, 49, 49, 49]);
  });

  it("keeps a single game that is larger than the capacity", () => {
    const buffer = new ReplayBuffer(2);
    buffer.add(gameOf(0, [1, 2, 3, 4]));
    expect(contents(buffer)).toEqual([1, 2, 3, 4]);
    buffer.add(gameOf(1, [5]));
    expect(contents(buffer)).toEqual([1, 2, 3, 4, 5]);
    buffer.add(gameOf(1, [6]));
    expect(contents(buffer)).toEqual([5, 6]);
  });
});
