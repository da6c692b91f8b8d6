import { examplesIn } from "../../play/examples/examples.ts";
import type { PlacedExample, PlayedGame } from "../../run/items.ts";
import { exampleOffsets } from "../../play/examples/position-examples.ts";

/** Bounds of the games held. */
export interface HeldLimits {
  /** Maximum number of examples: the oldest game is dropped as soon as the others have this number. */
  readonly capacity: number;
  /** Maximum number of games held, as a function of the number of games played. */
  readonly games: (played: number) => number;
  /** Maximum size of the examples in memory in bytes, without those of the current generation. */
  readonly memory: number;
}

interface HeldGame {
  readonly generation: number;
  readonly index: number;
  /** Index of the first example of the game, counted from the first example ever held. */
  readonly first: number;
  readonly reread: () => Uint8Array;
  /** Absent while the examples are only in the files of the run. */
  bytes: Uint8Array | undefined;
  /** Where each example begins in `bytes`; only for the layout of single positions. */
  offsets: Uint32Array | undefined;
}

/**
 * The examples of the newest games. Games are dropped whole, and which games are held depends only on the games. So they
 * can be restored after a kill from the files of the run.
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
  /** The sums of the generations and of the games' indices of the examples held. */
  #generations = 0;
  #indices = 0;

  constructor(limits: HeldLimits) {
    this.#limits = limits;
  }

  /** Adds a game and drops the games that exceed the bounds. */
  add(game: Omit<PlayedGame, "record">): void {
    const { generation, index, layout, samples, reread } = game;
    const offsets = layout === "positions" ? exampleOffsets(samples) : undefined;
    this.#games.push({ generation, index, first: this.#end, reread, bytes: samples, offsets });
    this.#bytes += samples.length;
    const examples = offsets?.length ?? examplesIn(samples, layout);
    this.#end += examples;
    this.#generations += generation * examples;
    this.#indices += index * examples;
    const most = this.#limits.games(index + 1);
    while (
      this.#head + 1 < this.#games.length &&
      (this.#games.length - this.#head > most ||
        this.#end - this.#games[this.#head + 1]!.first >= this.#limits.capacity)
    )
      this.#drop();
    // The files of the current generation are still being written: its games must stay in memory.
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

  /** Number of examples added so far. */
  get added(): number {
    return this.#end;
  }

  /** Mean age of the examples held, in games: 0 for those of the newest game. 0 while there are none. */
  get ageInGames(): number {
    return this.size === 0 ? 0 : this.#games.at(-1)!.index - this.#indices / this.size;
  }

  /** Size of the examples in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The generation of the oldest game held; 0 while there is none. */
  get oldestGeneration(): number {
    return this.#games[this.#head]?.generation ?? 0;
  }

  /** Ages of the examples held, in generations: 0 for those of the newest generation. Both are 0 while there are none. */
  get ages(): { readonly mean: number; readonly oldest: number } {
    const newest = this.#games.at(-1)?.generation ?? 0;
    const mean = this.size === 0 ? 0 : newest - this.#generations / this.size;
    return { mean, oldest: newest - this.oldestGeneration };
  }

  /** The example at an index; 0 is the oldest. */
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

  /** Drops the oldest game; a newer one is held. */
  #drop(): void {
    const { first, generation, index } = this.#games[this.#head]!;
    const examples = this.#games[this.#head + 1]!.first - first;
    this.#generations -= generation * examples;
    this.#indices -= index * examples;
    this.#forget(this.#head++);
  }

  #forget(index: number): void {
    const game = this.#games[index]!;
    this.#bytes -= game.bytes?.length ?? 0;
    game.bytes = undefined;
    game.offsets = undefined;
  }
}
