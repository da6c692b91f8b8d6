import type { Static, TObject } from "../schema.ts";
import type { Game } from "../games/game.ts";
import type { Search } from "./search.ts";

/** What a search asks of the net that it is used with. */
export interface Needs {
  /** It asks for values: an agent with this search names a net. */
  readonly value: boolean;
  /** It asks for prior probabilities as well: the net must have a policy. */
  readonly policy: boolean;
  /** It plays out by the net's policy where it names one; absent where it does not play out, or not so. */
  readonly playouts?: true;
}

/** A search as experiment files name it: its options with their schema, what it needs, and how to make one. */
export interface SearchDefinition<O extends TObject = TObject> {
  /** The name after `use:` in an agent. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** A strict object schema; every field is optional, described and carries its default. */
  readonly options: O;
  readonly needs: Needs;
  /** What plays under this name where the agent names no net; absent where it cannot do without. */
  readonly withoutNet?: SearchDefinition<O>;
  /** What the best moves have most of: values, visits, or nothing at all (every move is as good). */
  readonly best: "value" | "visits" | "any";
  /** Options that an analysis adds where they are not given: what it takes to value every move, not the best alone. */
  readonly analysis?: Partial<Required<Static<O>>>;
  /** False where its decisions do not follow from position and draws alone, as those of another program. */
  readonly reproducible?: false;
  /** Why it cannot play this game with these options, in words; undefined where it can. */
  unsuited?<S>(game: Game<S>, options: Required<Static<O>>): string | undefined;
  /** Makes a search for one game from options that are checked and complete. */
  create<S>(game: Game<S>, options: Required<Static<O>>): Search<S>;
}
