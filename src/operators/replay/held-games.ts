import { examplesIn } from "./examples.ts";
import type { PlacedExample, PlayedGame } from "../run/items.ts";
import { exampleOffsets } from "./position-examples.ts";

/** How much is held. */
export interface HeldLimits {
  /** Games leave as soon as the others alone have so many examples. */
  readonly capacity: number;
  /** The most games held after so many have been played. */
  readonly games: (played: number) => number;
  /** Bytes of examples in memory, those of the generation under way aside. */
  readonly memory: number;
}

interface HeldGame {
  readonly generation: number;
  /** Number of the game's first example, counted from the first one ever held. */
  readonly first: number;
  readonly reread: () => Uint8Array;
  /** Absent while they are in the run's files alone. */
  bytes: Uint8Array | undefined;
  /** Where its examples begin in `bytes`, where they are kept one by one. */
  offsets: Uint32Array | undefined;
}

/**
 * Examples of the newest games. Games leave whole, and what is held depends on the games alone: it can be rebuilt from
 * them after a kill, whatever was in memory.
 */
export class HeldGames {
  readonly #limits: HeldLimits;
  #games: HeldGame[] = [];
  /** The oldest game held. */
  #head = 0;
  /** The oldest game in memory. */
  #inMemory = 0;
  #bytes = 0;
  #end = 0;

  constructor(limits: HeldLimits) {
    this.#limits = limits;
  }

  /** Takes in one game and drops those that are no longer needed. */
  add(game: PlayedGame): void {
    const { generation, layout, samples, reread } = game;
    const offsets = layout === "positions" ? exampleOffsets(samples) : undefined;
    this.#games.push({ generation, first: this.#end, reread, bytes: samples, offsets });
    this.#bytes += samples.length;
    this.#end += offsets?.length ?? examplesIn(samples, layout);
    const most = this.#limits.games(game.index + 1);
    while (
      this.#head + 1 < this.#games.length &&
      (this.#games.length - this.#head > most ||
        this.#end - this.#games[this.#head + 1]!.first >= this.#limits.capacity)
    )
      this.#forget(this.#head++);
    // The files of a generation under way are still being written.
    for (
      this.#inMemory = Math.max(this.#inMemory, this.#head);
      this.#bytes > this.#limits.memory && this.#games[this.#inMemory]!.generation < generation;
      this.#inMemory++
    )
      this.#forget(this.#inMemory);
    if (2 * this.#head > this.#games.length) {
      this.#games = this.#games.slice(this.#head);
      this.#inMemory -= this.#head;
      this.#head = 0;
    }
  }

  /** Number of examples held. */
  get size(): number {
    const oldest = this.#games[this.#head];
    return oldest === undefined ? 0 : this.#end - oldest.first;
  }

  /** Bytes of examples in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The generation of the oldest game held; 0 while there is none. */
  get oldestGeneration(): number {
    return this.#games[this.#head]?.generation ?? 0;
  }

  /** The example at a position, 0 the oldest. */
  at(position: number): PlacedExample {
    const wanted = this.#games[this.#head]!.first + position;
    let low = this.#head;
    let high = this.#games.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#games[middle]!.first <= wanted) low = middle;
      else high = middle - 1;
    }
    const { bytes, offsets, reread, first } = this.#games[low]!;
    const number = wanted - first;
    if (bytes === undefined) return { bytes: reread(), number };
    return offsets === undefined ? { bytes, number } : { bytes: bytes.subarray(offsets[number]), number: 0 };
  }

  #forget(index: number): void {
    const game = this.#games[index]!;
    this.#bytes -= game.bytes?.length ?? 0;
    game.bytes = undefined;
    game.offsets = undefined;
  }
}
