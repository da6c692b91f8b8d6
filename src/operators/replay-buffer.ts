import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import { exampleSpans } from "./examples.ts";
import type { PlayedGame, ReplayReady } from "./items.ts";
import { operator } from "./operator.ts";

/** Keeps the newest examples of the games that come in; tells the reader when a generation is complete. */
export const replayBuffer = operator({
  use: "replay-buffer",
  description:
    "Keeps the newest examples and lets a trainer draw from them, a generation of games at a time.",
  example: "replay: { use: replay-buffer, from: games, capacity: 100000 }",
  settings: {
    capacity: Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      description: "Examples held; the oldest are dropped first, in whole games.",
    }),
  },
  inputs: { from: { kind: "games", description: "Where finished games come from" } },
  output: "replay",
  bounds: (settings) => [`at most ${settings.capacity} examples, and the game that exceeds them`],
  build: (settings, { from }, env) =>
    Effect.sync(() => {
      const buffer = new ReplayBuffer(settings.capacity);
      return from.pipe(
        // One at a time: the games of a whole chunk would be in the buffer before the first generation is drawn from.
        Stream.rechunk(1),
        Stream.map((game) => {
          buffer.add(game);
          return game;
        }),
        Stream.filter((game) => game.closes && buffer.size > 0),
        Stream.map((game): ReplayReady => {
          const oldest = buffer.oldestGeneration;
          return {
            generation: game.generation,
            last: game.last,
            size: buffer.size,
            at: (position) => buffer.at(position),
            keep: (reader) => env.files.keepExamples(game.source, `${env.stage}/${reader}`, oldest),
          };
        }),
      );
    }),
});

interface HeldGame {
  readonly generation: number;
  readonly bytes: Uint8Array;
  readonly spans: readonly { readonly offset: number; readonly length: number }[];
  /** Number of the game's first example, counted from the beginning of the run. */
  readonly first: number;
}

/**
 * Examples of the newest games. Games leave whole, as soon as the others alone fill the capacity, so what is held
 * depends on the games alone and can be rebuilt from them after a kill.
 */
export class ReplayBuffer {
  readonly #capacity: number;
  #games: HeldGame[] = [];
  #head = 0;
  #end = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Takes in one game and drops those that are no longer needed. */
  add(game: PlayedGame): void {
    const spans = exampleSpans(game.samples);
    this.#games.push({ generation: game.generation, bytes: game.samples, spans, first: this.#end });
    this.#end += spans.length;
    while (
      this.#head + 1 < this.#games.length &&
      this.#end - this.#games[this.#head + 1]!.first >= this.#capacity
    )
      this.#head++;
    if (2 * this.#head > this.#games.length) {
      this.#games = this.#games.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Number of examples held. */
  get size(): number {
    const oldest = this.#games[this.#head];
    return oldest === undefined ? 0 : this.#end - oldest.first;
  }

  /** The generation of the oldest game held; 0 while there is none. */
  get oldestGeneration(): number {
    return this.#games[this.#head]?.generation ?? 0;
  }

  /** The encoded example at a position, 0 the oldest. */
  at(position: number): Uint8Array {
    const number = this.#games[this.#head]!.first + position;
    let low = this.#head;
    let high = this.#games.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#games[middle]!.first <= number) low = middle;
      else high = middle - 1;
    }
    const game = this.#games[low]!;
    const span = game.spans[number - game.first]!;
    return game.bytes.subarray(span.offset, span.offset + span.length);
  }
}
