import type { Static, TObject } from "../schema.ts";
import type { Evaluator } from "../games/evaluation.ts";
import type { Game } from "../games/game.ts";
import type { ValueKind } from "../games/outcome.ts";
import type { SharedMemory } from "../compute/wasm/webassembly.ts";
import type { Random } from "../random.ts";

/** Arrays by name, as a checkpoint gives them back. */
export type NamedArrays = ReadonlyMap<string, NumberArray>;

/** The element types that tables are saved in. */
export type NumberArray = Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array;

/** Arrays to be saved, each with its shape; their content does not change any more. */
export type SavedArrays = Map<
  string,
  { readonly shape: readonly number[]; readonly data: Float32Array | Float64Array | Uint32Array }
>;

/** A value function or a policy on tables, as experiment files name it. */
export interface TablesDefinition<O extends TObject = TObject> {
  /** The name after `use:` under `nets`. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** A strict object schema; every field is described and carries its default. */
  readonly options: O;
  /** Opens it for a game, from options that are checked and complete. Throws NetDoesNotFit. Allocates no tables. */
  open<S>(game: Game<S>, options: Static<O>): OpenTables;
  /** Whether one with these options can begin with the weights of one with others, `saved`; absent: never. */
  takesWeightsOf?(options: Static<O>, saved: Static<O>): boolean;
}

/** Tables in memory that threads share: a buffer, or the memory of WebAssembly code that works on it. */
export type SharedTables = SharedArrayBuffer | SharedMemory;

/** The bytes of tables, wherever they lie. */
export function tablesBuffer(tables: SharedTables): SharedArrayBuffer {
  return tables instanceof SharedArrayBuffer ? tables : tables.buffer;
}

/** A value function or a policy on tables opened for a game: evaluated in every thread on memory that the threads share. */
export interface OpenTables {
  readonly kind: "tables";
  /** The name after `use:`. */
  readonly use: string;
  readonly hasPolicy: false;
  /** What its values are of; a search that asks it plays the game for the same (see `playedFor`). */
  readonly values: ValueKind;
  /** What names its weights, where each means something by itself: they are told while it learns. */
  readonly named?: InterpretableWeights;
  /**
   * Tables with the weights that `save` gave, or fresh ones where the map is empty. Throws RangeError where the
   * arrays are not those of such tables.
   */
  load(weights: NamedArrays): SharedTables;
  /** The weights as a checkpoint holds them: the inverse of `load`. */
  save(tables: SharedTables): SavedArrays;
  /** Evaluates by these tables, as they are at the moment; absent where they give no values. */
  evaluator?(tables: SharedTables): Evaluator<any>;
  /** For policies: draws moves of playouts by these tables, as they are at the moment. */
  playouts?(tables: SharedTables): DrawsMoves<any>;
  /** For value functions of afterstates: moving the value of one by hand, and making one the copy of another. */
  readonly afterstates?: {
    /** Moves the value of the afterstate in a state towards a target by a rule; returns the value it has then. */
    stepper(tables: SharedTables, step: LearnerOptions["step"]): (state: any, target: number) => number;
    copy(from: SharedTables, into: SharedTables): void;
  };
  /** Whether several learners may change the same tables at once, all that they remember lying in them. */
  readonly sharedLearning?: true;
  /** What speaks against learning it so: which of a learner's settings, and why. */
  refusal(options: LearnerOptions, explores: boolean): Refusal | undefined;
  /** A learner that changes these tables in place. */
  learner(tables: SharedTables, options: LearnerOptions): TablesLearner;
}

/** Draws one of the legal actions at a decision ply. */
export interface DrawsMoves<S> {
  draw(state: S, random: Random): number;
}

/** Why a value function cannot be learned as asked; `key` is the setting it is about. */
export interface Refusal {
  readonly key: "net" | "step" | "decay" | "traces" | "exploration" | "restart" | "begin";
  readonly message: string;
}

/** Weights few enough, and clear enough each, to be looked at. */
export interface InterpretableWeights {
  readonly names: readonly string[];
  /** The weights as they are at the moment, in the order of the names. */
  read(tables: SharedTables): number[];
}

/** How a learner steps. */
export interface LearnerOptions {
  /** Mixture of the returns of all lengths, in [0, 1]: 0 looks one ply ahead, 1 at the whole rest of the game. */
  readonly lambda: number;
  /**
   * `td`: every weight moves by the same rate, shared among the weights of a board. `tc`: each weight has a rate
   * of its own (temporal coherence), which multiplies this one.
   */
  readonly step: { readonly use: "td" | "tc"; readonly rate: number };
  /** N0 of a rate that falls with the games, rate (N0 + 1) / (N0 + game^1.1); absent where it stays. */
  readonly decay?: number;
  /** Whether learning reaches back across a move that was not the greedy one. Default `cut`. */
  readonly traces?: "cut" | "keep";
  /**
   * Begins a game halfway through the decisions that the one before made after its own beginning, as long as there were
   * this many; absent: every game begins at the start.
   */
  readonly restart?: number;
  /**
   * Begins games where one from the start could make this tile first, and has made it: that part is not learned from, and
   * that many games go on from there before the next such part is played.
   */
  readonly begin?: { readonly tile: number; readonly games: number };
  /** For policy gradients, and only there: how often each deal is played, 2 or more. */
  readonly replays?: number;
}

/** How the moves of one game to learn from are chosen besides greedily. */
export interface Exploration {
  /** The game's first actions, each legal in its turn. */
  readonly opening: ArrayLike<number>;
  /** Probability that a decision after the opening is drawn uniformly. */
  readonly epsilon: number;
}

/** No exploration: every move is the greedy one. */
export const greedily: Exploration = { opening: [], epsilon: 0 };

/** Learns on line, one whole game after the other, in one thread; a function of its tables and the draws alone. */
export interface TablesLearner {
  /** Plays one game from the start, greedily by the tables but for `exploration`, and learns from it. */
  playGame(random: Random, exploration?: Exploration): LearnedGame;
  /** Decisions and chance outcomes of the last game, in order: a view, valid until the next game. */
  readonly actions: Int32Array;
  /**
   * Row-major [decisions, seats]: what each seat was expected to earn by each decision of the last game, by the weights
   * at that moment: a view, as `actions`.
   */
  readonly values: Float64Array;
  /** What the learner must have besides the weights to go on as if it had not stopped. */
  state(): SavedArrays;
  /**
   * Makes a new learner go on from what `state` gave; an empty map is the beginning. Throws RangeError where it does
   * not fit.
   */
  restore(state: NamedArrays): void;
}

/** One game that a learner has played and learned from. */
export interface LearnedGame {
  /** What each seat has earned, in the units of the values. */
  readonly returns: readonly number[];
  /** Length, chance plies included. */
  readonly plies: number;
  /** What the first to decide expected to earn by its decision. */
  readonly startValue: number;
  /** The game's further facts: for 2048 `maxTile`. */
  readonly facts: Readonly<Record<string, number>>;
}
