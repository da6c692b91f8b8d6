import { didYouMean } from "../messages/did-you-mean.ts";
import { type Static, type TObject, Type } from "../schema.ts";
import type { Game, Planes } from "../games/game.ts";
import type { ValuesOf } from "../games/outcome.ts";
import type { Net } from "./net.ts";

/** What a net gives. */
export interface Heads {
  readonly value: true;
  readonly policy: boolean;
}

/** A net as experiment files name it: its options with their schema, and how to make one for a game. */
export interface NetDefinition<O extends TObject = TObject> {
  /** The name after `use:` under `nets`. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** A strict object schema; every field is optional, described and carries its default. */
  readonly options: O;
  /** What the net gives with these options. */
  heads(options: Required<Static<O>>): Heads;
  /** Makes the net for one game from options that are checked and complete; the game must have planes. */
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

/** The options that all nets have: what they see, and what their values are of. */
export const netOptions = {
  planes: Type.Union([Type.String(), Type.Null()], {
    default: null,
    description:
      "Which of the game's planes the net sees, by name; null: the first (blokus: history, compact, mobility).",
  }),
  values: Type.Union([Type.Literal("returns"), Type.Literal("outcome"), Type.Literal("result")], {
    default: "returns",
    description:
      "What its values are of: `returns`, what the game gives each seat; `outcome`, a win shared by the winners, 0 to 1; `result`, 1 for every winner and -1 for the others. Agents with this net play for the same.",
  }),
};

/** `netOptions` as values. */
export interface NetOptions {
  readonly planes: string | null;
  readonly values: ValuesOf;
}

/** The planes of this name that the game shows a net; the first where none is named. Throws NetDoesNotFit. */
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
