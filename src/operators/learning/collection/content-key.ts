import type { Game } from "../../../games/game.ts";

/** 64 bits of a game's start and moves, twice. */
export interface ContentKey {
  /** Equal for equal games. */
  readonly exact: bigint;
  /** Equal also for images of each other under symmetries that keep the seats. */
  readonly canonical: bigint;
}

/** Computes keys of games. */
export class ContentKeys {
  readonly #game: Game<unknown>;
  /** The symmetries that keep the seats, the identity first. */
  readonly #symmetries: readonly number[];
  /** By symmetry: the image of each action. */
  readonly #images: readonly Int32Array[];
  readonly #image: unknown;

  constructor(game: Game<unknown>) {
    this.#game = game;
    this.#image = game.initial();
    const { actions, chance, players, symmetry } = game;
    const seats = Array.from({ length: players }, (_, seat) => seat);
    // Outcomes of chance are numbered apart, and symmetries say nothing of them.
    const count = symmetry === undefined || chance !== undefined ? 1 : symmetry.count;
    this.#symmetries = Array.from({ length: count }, (_, each) => each).filter(
      (each) => each === 0 || seats.every((seat) => symmetry!.seat(seat, each) === seat),
    );
    this.#images = this.#symmetries.map((each) =>
      Int32Array.from({ length: actions }, (_, action) =>
        each === 0 ? action : symmetry!.action(action, each),
      ),
    );
  }

  /** The key of a game by its moves, and its first state if it does not begin as the rules say. */
  key(moves: ArrayLike<number>, start: unknown): ContentKey {
    let exact = 0n;
    let canonical = 0n;
    for (const [index, image] of this.#images.entries()) {
      const key = hash(
        moves,
        image,
        start === undefined ? "" : this.#startText(start, this.#symmetries[index]!),
      );
      if (index === 0) exact = key;
      if (index === 0 || key < canonical) canonical = key;
    }
    return { exact, canonical };
  }

  #startText(start: unknown, symmetry: number): string {
    const { notation, symmetry: symmetries } = this.#game;
    if (symmetry === 0) return notation.position(start);
    symmetries!.transform(start, symmetry, this.#image);
    return notation.position(this.#image);
  }
}

/** Two hashes of 32 bits. Two steps each spread every move over all bits. */
function hash(moves: ArrayLike<number>, image: Int32Array, start: string): bigint {
  let a = moves.length;
  let b = 0x9e3779b9;
  for (let i = 0; i < start.length; i++) {
    a = Math.imul(a ^ start.charCodeAt(i), 0x85ebca6b);
    a ^= a >>> 15;
    b = Math.imul(b + start.charCodeAt(i), 0xc2b2ae35);
    b ^= b >>> 13;
  }
  for (let i = 0; i < moves.length; i++) {
    const action = image[moves[i]!]!;
    a = Math.imul(a ^ action, 0x85ebca6b);
    a ^= a >>> 15;
    b = Math.imul(b + action, 0xc2b2ae35);
    b ^= b >>> 13;
  }
  a = Math.imul(a, 0x27d4eb2f);
  b = Math.imul(b, 0x165667b1);
  return (BigInt((a ^ (a >>> 16)) >>> 0) << 32n) | BigInt((b ^ (b >>> 16)) >>> 0);
}
