import { didYouMean } from "../messages/did-you-mean.ts";
import { type Static, type TObject, Type } from "../schema.ts";
import type { Game, Planes } from "../games/game.ts";
import type { ValueKind } from "../games/outcome.ts";
import type { Net } from "./net.ts";

/** The heads of a net: at least one. */
export interface Heads {
  readonly value: boolean;
  readonly policy: boolean;
}

/** A net as experiment files name it: the schema of its options, and a function that builds it for a game. */
export interface NetDefinition<O extends TObject = TObject> {
  /** The name after `use:` under `nets`. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** A strict object schema; every field is optional, described and carries its default. */
  readonly options: O;
  /** The heads of the net with these options. */
  heads(options: Required<Static<O>>): Heads;
  /**
   * For a net that is read from a file: the options with the digest of the file's content, so that a run keeps what it was
   * begun with; a digest that is there already stays. Throws Error if the file cannot be read.
   */
  withContent?(options: Required<Static<O>>): Required<Static<O>>;
  /** Builds the net for a game, with checked and complete options. Throws NetDoesNotFit, for example without planes. */
  build<S>(game: Game<S>, options: Required<Static<O>>): Net;
}

/** The net does not fit the game. */
export class NetDoesNotFit extends Error {
  readonly _tag = "NetDoesNotFit";

  constructor(net: string, game: string, why: string) {
    super(`the net ${net} cannot play ${game}: ${why}`);
    this.name = "NetDoesNotFit";
  }
}

/** The options that all nets have: their input planes, and the quantity that they predict. */
export const netOptions = {
  planes: Type.Union([Type.String(), Type.Null()], {
    default: null,
    description:
      "Which of the game's planes the net sees, by name; null: the first (blokus: history, compact, mobility).",
  }),
  values: Type.Union([Type.Literal("returns"), Type.Literal("win-share"), Type.Literal("win-loss")], {
    default: "returns",
    renamed: { outcome: "win-share", result: "win-loss" },
    description:
      "What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An agent with this net plays for the same quantity.",
  }),
};

/** `netOptions` as values. */
export interface NetOptions {
  readonly planes: string | null;
  readonly values: ValueKind;
}

/** The game's planes of this name; its first planes for null. Throws NetDoesNotFit. */
export function planesOf<S>(game: Game<S>, net: string, name: string | null): Planes<S> {
  const known = Object.keys(game.nets?.planes ?? {});
  const chosen = name ?? known[0];
  if (chosen !== undefined && known.includes(chosen)) return game.nets!.planes[chosen]!;
  throw new NetDoesNotFit(
    net,
    game.name,
    known.length === 0
      ? "the game has no planes for nets"
      : `the game has no planes "${name}"${didYouMean(String(name), known)} (known: ${known.join(", ")})`,
  );
}
