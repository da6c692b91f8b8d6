import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ticTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";
import type { StageEnv } from "../../src/operators/operator.ts";
import { replayBuffer } from "../../src/operators/replay-buffer.ts";
import { HeldGames, type HeldLimits } from "../../src/operators/learning/replay/held-games.ts";
import type { PlacedExample, PlayedGame } from "../../src/operators/run/items.ts";
import { ExampleCodec, PositionExampleReader } from "../../src/operators/play/examples/position-examples.ts";

const codec = new ExampleCodec(ticTacToe);
const reader = new PositionExampleReader(ticTacToe);

/** A game whose examples carry the numbers given, so that each can be told from all others. */
function gameOf(index: number, generation: number, numbers: readonly number[]): PlayedGame {
  const examples = numbers.map((number) => ({ state: ticTacToe.initial(), values: [number, -number] }));
  const samples = codec.encodeAll(examples);
  return {
    source: "games",
    index,
    generation,
    closes: false,
    last: false,
    record: () => {
      throw new Error("not read");
    },
    layout: "positions",
    samples,
    reread: () => samples.slice(),
  };
}

const numberIn = ({ bytes, number }: PlacedExample) => {
  reader.read(bytes, number);
  return reader.values[0]!;
};

/** A buffer without bounds but these. */
const held = (limits: Partial<HeldLimits>) =>
  new HeldGames({ capacity: Infinity, games: () => Infinity, memory: Infinity, ...limits });

const contents = (buffer: HeldGames) =>
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

  /** The age of every example, where this generation is the newest. */
  ages(newest: number): number[] {
    return this.games.flatMap(({ generation, numbers }) => numbers.map(() => newest - generation));
  }
}

describe("HeldGames", () => {
  it("holds what a list of games would hold, whatever the sizes", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), sizes, (capacity, lengths) => {
        const buffer = held({ capacity });
        const reference = new Reference(capacity);
        let next = 0;
        for (const [index, length] of lengths.entries()) {
          const numbers = Array.from({ length }, () => next++);
          buffer.add(gameOf(index, Math.floor(index / 3), numbers));
          reference.add(Math.floor(index / 3), numbers);
          expect(contents(buffer)).toEqual(reference.games.flatMap((game) => game.numbers));
          expect(buffer.oldestGeneration).toBe(reference.games[0]!.generation);
          const ages = reference.ages(Math.floor(index / 3));
          const sum = ages.reduce((all, age) => all + age, 0);
          expect(buffer.ages.mean).toBeCloseTo(ages.length === 0 ? 0 : sum / ages.length, 9);
          expect(buffer.ages.oldest).toBe(Math.floor(index / 3) - reference.games[0]!.generation);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is empty at first, and of generation 0", () => {
    const buffer = held({ capacity: 10 });
    expect([buffer.size, buffer.oldestGeneration]).toEqual([0, 0]);
    expect(buffer.ages).toEqual({ mean: 0, oldest: 0 });
  });

  it("never holds fewer examples than its capacity once it has been filled", () => {
    const buffer = held({ capacity: 10 });
    for (let game = 0; game < 50; game++) {
      buffer.add(gameOf(game, game, [game, game, game]));
      expect(buffer.size).toBe(game < 3 ? 3 * (game + 1) : 12);
    }
    expect(contents(buffer)).toEqual([46, 46, 46, 47, 47, 47, 48, 48, 48, 49, 49, 49]);
  });

  it("keeps a single game that is larger than the capacity", () => {
    const buffer = held({ capacity: 2 });
    buffer.add(gameOf(0, 0, [1, 2, 3, 4]));
    expect(contents(buffer)).toEqual([1, 2, 3, 4]);
    buffer.add(gameOf(1, 1, [5]));
    expect(contents(buffer)).toEqual([1, 2, 3, 4, 5]);
    buffer.add(gameOf(2, 1, [6]));
    expect(contents(buffer)).toEqual([5, 6]);
  });

  it("holds the same examples whatever fits into memory, and reads the others again", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 1, max: 20 }),
        sizes,
        (memory, games, lengths) => {
          const buffer = held({ games: () => games, memory });
          let rereads = 0;
          let next = 0;
          const all: { readonly generation: number; readonly bytes: number; readonly numbers: number[] }[] =
            [];
          for (const [index, length] of lengths.entries()) {
            const game = gameOf(
              index,
              Math.floor(index / 4),
              Array.from({ length }, () => next++),
            );
            const reread = () => (rereads++, game.reread());
            buffer.add({ ...game, reread });
            const numbers = Array.from({ length }, (_, i) => next - length + i);
            all.push({ generation: game.generation, bytes: game.samples.length, numbers });
            const kept = all.slice(-games);
            expect(contents(buffer)).toEqual(kept.flatMap((each) => each.numbers));
            const open = kept.filter(({ generation }) => generation === game.generation);
            const bytes = (some: typeof all) => some.reduce((sum, each) => sum + each.bytes, 0);
            expect(buffer.bytes).toBeLessThanOrEqual(Math.max(memory, bytes(open)));
          }
          const whole = all.slice(-games).reduce((sum, { bytes }) => sum + bytes, 0);
          rereads = 0;
          contents(buffer);
          expect(rereads > 0).toBe(buffer.bytes < whole);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("a replay buffer", () => {
  it("leaves out games that are held out, and closes generations with them", async () => {
    const games = [0, 1, 2, 3].map((index) => ({
      ...gameOf(index, Math.floor(index / 2), [10 * index, 10 * index + 1]),
      closes: index % 2 === 1,
      last: index === 3,
      ...(index === 0 || index === 3 ? { heldOut: true as const } : {}),
    }));
    const env = { stage: "replay", addFlowSource: () => undefined } as unknown as StageEnv;
    const settings = { games: 10, fill: 0, memory: 1 };
    const found = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(replayBuffer.build(settings, { from: Stream.fromIterable(games) }, env), (replay) =>
          Stream.runCollect(
            Stream.map(replay, ({ at, generation, last, size }) => ({
              generation,
              last,
              numbers: Array.from({ length: size }, (_, position) => numberIn(at(position))),
            })),
          ),
        ),
      ),
    );
    expect(found).toEqual([
      { generation: 0, last: false, numbers: [10, 11] },
      { generation: 1, last: true, numbers: [10, 11, 20, 21] },
    ]);
  });
});
