import type { Static, TObject } from "../schema.ts";
import type { Evaluator } from "../games/evaluation.ts";
import type { Game } from "../games/game.ts";
import type { PlayoutGuide } from "../games/guided-playouts.ts";
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
  /** Opens it for a game, with checked and complete options. Allocates no tables. Throws NetDoesNotFit. */
  open<S>(game: Game<S>, options: Static<O>): OpenTables;
  /** Whether a value function with these options can start from weights of one with the options `saved`; absent: never. */
  takesWeightsOf?(options: Static<O>, saved: Static<O>): boolean;
}

/** Tables in memory that threads share: a buffer, or the memory of WebAssembly code that works on it. */
export type SharedTables = SharedArrayBuffer | SharedMemory;

/** The bytes of tables of either kind. */
export function tablesBuffer(tables: SharedTables): SharedArrayBuffer {
  return tables instanceof SharedArrayBuffer ? tables : tables.buffer;
}

/** A value function or a policy on tables, opened for a game. All threads evaluate it on one shared memory. */
export interface OpenTables {
  readonly kind: "tables";
  /** The name after `use:`. */
  readonly use: string;
  readonly hasPolicy: false;
  /** Policies for playouts predict no values. */
  readonly hasValue: boolean;
  /** The kind of value that it predicts. A search that uses it plays for the same kind (see `playedFor`). */
  readonly values: ValueKind;
  /** The names of its weights, if each weight has its own meaning: they are reported while it learns. */
  readonly named?: InterpretableWeights;
  /**
   * Tables with weights from `save`, or with initial weights if the map is empty. Throws RangeError if the arrays do not fit
   * these tables.
   */
  load(weights: NamedArrays): SharedTables;
  /** The weights as a checkpoint holds them: the inverse of `load`. */
  save(tables: SharedTables): SavedArrays;
  /** Copies the weights alone. Absent if tables are small: `save` and `load` do it. */
  copyWeights?(from: SharedTables, into: SharedTables): void;
  /** Evaluates by the current contents of these tables; absent if they give no values. */
  evaluator?(tables: SharedTables): Evaluator<any>;
  /** For policies: draws moves of playouts by the current contents of these tables. */
  playouts?(tables: SharedTables): PlayoutGuide<any>;
  /** For value functions of afterstates: single learning steps, and copies of tables. */
  readonly afterstates?: {
    /** Moves the value of the afterstate in a state towards a target; returns the new value. */
    stepper(tables: SharedTables, step: LearnerOptions["step"]): (state: any, target: number) => number;
    copy(from: SharedTables, into: SharedTables): void;
  };
  /** True if several learners may change the same tables at once, because their whole state is in the tables. */
  readonly sharedLearning?: true;
  /** The setting of a learner with which it cannot learn, and the reason; undefined if it can. */
  refusal(options: LearnerOptions, explores: boolean): Refusal | undefined;
  /** A learner that changes these tables in place. */
  learner(tables: SharedTables, options: LearnerOptions): TablesLearner;
}

/** The reason why a value function cannot be learned with these settings; `key` is the setting to change. */
export interface Refusal {
  readonly key: "net" | "step" | "decay" | "traces" | "exploration" | "restart" | "begin";
  readonly message: string;
}

/** Weights that people can read: few, each with a name. */
export interface InterpretableWeights {
  readonly names: readonly string[];
  /** The current weights, in the order of the names. */
  read(tables: SharedTables): number[];
}

/** How a learner steps. */
export interface LearnerOptions {
  /** lambda of TD(lambda), in [0, 1]: 0 uses the value one ply ahead, 1 the return of the whole rest of the game. */
  readonly lambda: number;
  /**
   * `td`: one rate for all weights, divided among the weights of a board. `tc`: each weight has a rate of its own (temporal
   * coherence), which multiplies this rate.
   */
  readonly step: { readonly use: "td" | "tc"; readonly rate: number };
  /** N0 of a decreasing rate, rate (N0 + 1) / (N0 + game^1.1); absent for a constant rate. */
  readonly decay?: number;
  /** Whether traces continue (`keep`) after a move that was not greedy. Default `cut`. */
  readonly traces?: "cut" | "keep";
  /**
   * A game starts halfway through the decisions of the previous game after its start, if there were at least this many.
   * Absent: every game starts at the start position.
   */
  readonly restart?: number;
  /**
   * A game is played until it can make this tile and has made it; nothing is learned from that part. Then this number of games
   * start from there, before the next such part is played.
   */
  readonly begin?: { readonly tile: number; readonly games: number };
  /** Only for policy gradients: how often each deal is played, 2 or more. */
  readonly replays?: number;
  /** Only for policy gradients: what a game pays a seat, its return or its share of a win. Default `score`. */
  readonly payoff?: "score" | "share";
}

/** The moves of a training game that are not greedy. */
export interface Exploration {
  /** The first actions of the game; all must be legal. */
  readonly opening: ArrayLike<number>;
  /** Probability that a decision after the opening is drawn uniformly. */
  readonly epsilon: number;
}

/** No exploration: every move is greedy. */
export const greedily: Exploration = { opening: [], epsilon: 0 };

/** Learns on line, one whole game after another, in one thread. It is a function of its tables and of the draws. */
export interface TablesLearner {
  /** Plays one game from the start and learns from it. Moves are greedy by the tables, except for `exploration`. */
  playGame(random: Random, exploration?: Exploration): LearnedGame;
  /** Decisions and chance outcomes of the last game, in order. A view, valid until the next game. */
  readonly actions: Int32Array;
  /**
   * The values of the decisions of the last game, row-major [decisions, seats]: the expected return of each seat by the
   * weights at that moment. A view, like `actions`.
   */
  readonly values: Float64Array;
  /** The state of the learner without the weights, for a resumption with identical results. */
  state(): SavedArrays;
  /**
   * Restores the state of a new learner from `state`; an empty map is the initial state. Throws RangeError if it does not
   * fit.
   */
  restore(state: NamedArrays): void;
}

/** A game that a learner has played and learned from. */
export interface LearnedGame {
  /** The return of each seat, of the kind that the values predict. */
  readonly returns: readonly number[];
  /** Length, chance plies included. */
  readonly plies: number;
  /** The value of the first decision, for the seat that made it. */
  readonly startValue: number;
  /** Facts of the game: for 2048 `maxTile`. */
  readonly facts: Readonly<Record<string, number>>;
}
