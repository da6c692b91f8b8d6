import type { Static, TObject } from "../schema.ts";
import type { Game } from "../games/game.ts";
import type { Search } from "./search.ts";

/** The nets of an agent, by the setting that names them. */
export const netRoles = ["net", "valueNet", "playoutNet"] as const;

/**
 * The role of a net in an agent: `net` gives what the search needs (values, priors, or the moves of playouts), `valueNet`
 * values in place of those of `net`, and `playoutNet` the moves of playouts.
 */
export type NetRole = (typeof netRoles)[number];

/** What the nets of an agent give its search. */
export interface GivenNets {
  /** Whether `net` gives priors. */
  readonly priors: boolean;
  /** The net that gives values; absent: none does. */
  readonly values?: "net" | "valueNet";
}

/** The nets of an agent that names none. */
export const noNets: GivenNets = { priors: false };

/** What a search needs from the net of its agent. */
export interface Needs {
  /** It needs values: an agent with this search names a net. */
  readonly value: boolean;
  /** It needs prior probabilities too: the net must have a policy. */
  readonly policy: boolean;
  /** Its playouts follow the policy of the net, if the agent names one. Absent if a net cannot guide playouts. */
  readonly playouts?: true;
  /**
   * What each of several nets does for it, as a clause of English. An agent may name any of them, and receives what they give
   * (`GivenNets`). Absent if an agent names `net` alone, as the other fields say.
   */
  readonly several?: Readonly<Record<NetRole, string>>;
}

/** A search as experiment files name it: its options with their schema, its needs, and how to create it. */
export interface SearchDefinition<O extends TObject = TObject> {
  /** The name after `use:` in an agent. */
  readonly name: string;
  /** One sentence for the list of searches. */
  readonly description: string;
  /** A strict object schema; every field is optional, described and carries its default. */
  readonly options: O;
  readonly needs: Needs;
  /** The variant of this search for an agent without a net. Absent if the definition serves both, or needs a net. */
  readonly withoutNet?: SearchDefinition<O>;
  /** By which figure the search ranks moves: their values, their visits, or neither. */
  readonly best: "value" | "visits" | "any";
  /** Options that may be schedules by the version of the agent's net. Absent: none. */
  readonly scheduled?: readonly (keyof Static<O> & string)[];
  /** What runs from before an option have in its place, if this is not its default. */
  readonly earlier?: Readonly<Record<string, unknown>>;
  /** Options that an analysis adds unless they are given: with them the search values every move, not only the best. */
  readonly analysis?: Partial<Required<Static<O>>>;
  /**
   * The options that are null by default and differ if an agent plays one game at a time: its evaluations then share no
   * batches with those of other games.
   */
  readonly alone?: Partial<Required<Static<O>>>;
  /** True if values of decisions can be NaN: they were not known when the time was up. Absent: all values are finite. */
  readonly leavesValuesOpen?: true;
  /** False if decisions depend on more than the position and the draws, as those of another program do. */
  readonly reproducible?: false;
  /** The reason, in words, why it cannot play this game with these options and nets; undefined if it can. */
  unsuited?<S>(game: Game<S>, options: Required<Static<O>>, nets: GivenNets): string | undefined;
  /**
   * What the user should know of it in this game with these options, in words; undefined if there is nothing. Called
   * once when an experiment is checked, so it may take a second of processor time, which `processorSeconds` reads.
   */
  warning?<S>(
    game: Game<S>,
    options: Required<Static<O>>,
    processorSeconds: () => number,
  ): string | undefined;
  /** The game whose returns the values of decisions are of. Absent if that is the game itself. */
  valued?<S>(game: Game<S>, options: Required<Static<O>>): Game<S>;
  /**
   * The least and the greatest value of decisions; undefined if there are no bounds, as of points, or if the search
   * values nothing. Absent if they are the bounds of the returns.
   */
  valueBounds?<S>(game: Game<S>, options: Required<Static<O>>): readonly [number, number] | undefined;
  /**
   * Creates a search for one game. The options must be checked and complete. `threadSeconds` reads the processor seconds of
   * the thread that will search, for time limits of the options; absent: they count wall time. `version` is that of the agent's
   * net, for schedules; absent: their last values hold.
   */
  create<S>(
    game: Game<S>,
    options: Required<Static<O>>,
    nets: GivenNets,
    threadSeconds?: () => number,
    version?: number,
  ): Search<S>;
}
