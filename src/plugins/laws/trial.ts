import { CHANCE, type Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { differentPart } from "./parts-of-states.ts";

/** A law that a game breaks: what is wrong, in words. Only the first breach of each law is reported. */
export class LawBroken extends Error {
  readonly law: string;

  constructor(law: string, what: string) {
    super(what);
    this.law = law;
  }
}

/** A law of all games, tried in one position with its legal actions or outcomes. Throws LawBroken. */
export type Law = <S>(trial: Trial<S>, state: S, actions: readonly number[]) => void;

/** A game under trial, and what its laws share. */
export class Trial<S> {
  readonly game: Game<S>;
  readonly random: Random;
  /** Whether states are compared part by part, too, not only by what the functions of the game show of them. */
  readonly exact: boolean;
  /** A state that was played on before: each law may overwrite it. */
  readonly spare: S;
  /** Texts of moves and of positions that have occurred. */
  readonly moves: Set<string> = new Set();
  readonly positions: string[] = [];
  /** Positions in which chance was drawn from often. */
  draws = 0;
  /** By kind: different texts that have occurred. */
  readonly #variants = new Map<string, Set<string>>();
  readonly #legal: Int32Array;

  constructor(game: Game<S>, random: Random, exact: boolean) {
    this.game = game;
    this.random = random;
    this.exact = exact;
    this.spare = game.initial();
    // Room for more, so that a game that writes too much is reported and not stopped.
    this.#legal = new Int32Array(Math.max(game.maxLegal, game.actions) + 64);
  }

  broken(law: string, what: string): never {
    throw new LawBroken(law, what);
  }

  legal(state: S): readonly number[] {
    return [...this.#legal.subarray(0, this.game.legal(state, this.#legal))];
  }

  copyOf(state: S): S {
    const copy = this.game.initial();
    this.game.copy(state, copy);
    return copy;
  }

  /** The state after an action, which is played on a copy. */
  after(state: S, action: number): S {
    const next = this.copyOf(state);
    this.game.play(next, action);
    return next;
  }

  /** A random decision, or an outcome as chance draws it. */
  draw(state: S, actions: readonly number[]): number {
    const { chance } = this.game;
    return this.game.toMove(state) === CHANCE
      ? chance!.sample(state, this.random)
      : actions[this.random.below(actions.length)]!;
  }

  /** The image of a state under a symmetry, written over a used state. */
  image(state: S, symmetry: number): S {
    const image = this.copyOf(this.spare);
    this.game.symmetry!.transform(state, symmetry, image);
    return image;
  }

  /** Two states are the same position: all that the rest of the game depends on, as far as the contract shows it. */
  same(law: string, what: string, one: S, other: S, exact = this.exact): void {
    const [first, second] = [this.#view(one), this.#view(other)];
    if (first.position !== second.position)
      this.broken(law, `${what}: ${first.position} and ${second.position}`);
    for (const key of [
      "other seats are to move",
      "other legal actions",
      "other returns",
      "another hash",
    ] as const)
      if (first[key] !== second[key]) this.broken(law, `${what}: ${key}`);
    const part = exact ? differentPart(one, other) : undefined;
    if (part !== undefined) this.broken(law, `${what}: \`${part}\` differs`);
  }

  #view(state: S) {
    const { depthFirst, notation, players } = this.game;
    const returns = new Float64Array(players);
    this.game.returns(state, returns);
    const hash = new Int32Array(2);
    depthFirst?.hash?.(state, hash);
    return {
      position: notation.position(state),
      "other seats are to move": this.game.toMove(state),
      "other legal actions": this.legal(state).join(),
      "other returns": returns.join(),
      "another hash": hash.join(),
    };
  }

  /** Remembers what a game shows of a position. */
  shows(kind: string, what: string): void {
    const seen = this.#variants.get(kind) ?? new Set();
    this.#variants.set(kind, seen.add(what));
  }

  /** The kinds that showed the same for all positions. */
  neverChanged(): readonly string[] {
    return [...this.#variants].filter(([, seen]) => seen.size === 1).map(([kind]) => kind);
  }
}

/** At most `most` of them, evenly spaced from the first on. */
export function everyFew<T>(all: readonly T[], most: number): readonly T[] {
  const every = Math.ceil(all.length / most);
  return all.filter((_, i) => i % every === 0);
}

/** An error that a game has thrown, with its place in the code. */
export function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /(?:file:\/\/|[\s(])(\/[^\s()]*?:\d+:\d+)/.exec(error.stack ?? "")?.[1];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${decodeURI(place)})`}`;
}
