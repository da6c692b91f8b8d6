import type { Static, TObject } from "../schema.ts";
import type { Game } from "../games/game.ts";
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

/** The shape of the planes that the game shows a net. */
export function planesOf<S>(game: Game<S>, net: string): readonly [number, number, number] {
  if (game.planes === undefined) throw new NetDoesNotFit(net, game.name, "the game has no planes for nets");
  return game.planes.shape;
}
