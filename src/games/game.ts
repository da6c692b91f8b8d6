import type { Board, BoardPlace, PieceShape } from "../figures/boards/board.ts";
import type { Random } from "../random.ts";

/** `toMove` when chance moves next (a tile appears, cards are dealt). */
export const CHANCE = -1;
/** `toMove` when the game is over. */
export const OVER = -2;

/**
 * The rules of one game.
 *
 * A state is a flat structure of typed arrays and numbers, changed in place by `play`. Everything random
 * is a chance ply: `initial` is always the same, and the list of actions played, chance outcomes included,
 * is the whole game. Decisions and chance outcomes are numbered separately, each from 0.
 */
export interface Game<S> extends Abilities<S> {
  /** The name in experiment files: `2048`, `tic-tac-toe`. */
  readonly name: string;
  /** Number of seats. */
  readonly players: number;
  /** Size of the fixed numbering of decisions: actions are 0 .. actions - 1. */
  readonly actions: number;
  /** Upper bound of `legal`'s count at any ply, chance plies included: the size of its buffer. */
  readonly maxLegal: number;
  /** The least and greatest return of a seat; infinite if the rules set no bound. */
  readonly returnBounds: readonly [number, number];

  /** A new state at the start of the game. */
  initial(): S;
  /** The seat to move, or CHANCE, or OVER. */
  toMove(state: S): number;
  /** Writes the legal actions (at a chance ply: the possible outcomes) in increasing order; returns their number. */
  legal(state: S, out: Int32Array): number;
  /** Plays a legal action in place. An illegal one is a bug of the caller and is not checked here. */
  play(state: S, action: number): void;
  /** Copies `from` over `into`. */
  copy(from: S, into: S): void;
  /** Writes one return per seat: the sum of its rewards so far, final when the game is over. */
  returns(state: S, out: Float64Array): void;
}

/**
 * Abilities of a game beyond its rules, grouped by their users. Every game has `notation` and `drawing`; the others are
 * optional. A user reads its abilities once, before play starts, and reports an ability that is missing.
 */
export interface Abilities<S> {
  /**
   * Why a game may go on for ever, in words, and what ends it: "under ... a game may go on for ever: set ...". Absent
   * if every game ends. Used by checks and by searches to the end of the game.
   */
  readonly endless?: string;
  /** Used by everything that plays. Required if `toMove` is ever CHANCE. */
  readonly chance?: Chance<S>;
  /** Used by records, the referee, GTP, reports and tests. */
  readonly notation: Notation<S>;
  /** Used by reports, `play` and `replay`. */
  readonly drawing: Drawing<S>;
  /** Used in training and evaluation of nets. */
  readonly symmetry?: Symmetry<S>;
  /** Used by reports and the referee. */
  readonly figures?: Figures<S>;
  /** Used by nets and by replay buffers of positions. */
  readonly nets?: NetAbilities<S>;
  /** Used by linear value functions and linear policies. */
  readonly linear?: LinearAbilities<S>;
  /** Used by searches of several families. */
  readonly search?: SearchAbilities<S>;
  /** Used by depth-first searches: max-n, paranoid and best-reply. */
  readonly depthFirst?: DepthFirstAbilities<S>;
  /** Used by searches with playouts. */
  readonly playouts?: Playouts<S>;
  /** Used by searches over information sets and by flat Monte Carlo. Required for hidden information. */
  readonly information?: Information<S>;
  /** Makes what solves positions exactly; it keeps what it has found. Used by the examples of self-play. */
  readonly solver?: () => Solve<S>;
}

/** Abilities for reports and the referee: numbers about positions and games. */
export interface Figures<S> {
  readonly facts?: Facts<S>;
  /** The expected return of perfect play from the start, if it is known exactly (games of one player). */
  readonly optimum?: number;
  readonly legalCounts?: LegalCounts<S>;
}

/** Abilities for nets and for replay buffers of positions. */
export interface NetAbilities<S> {
  /** The input planes that a net can choose from, by name; the first is the default. */
  readonly planes: Readonly<Record<string, Planes<S>>>;
  readonly actionPlanes?: ActionPlanes;
  readonly ownership?: Ownership<S>;
  /** Absent: the returns are the score. */
  readonly score?: Score<S>;
  readonly packing?: Packing<S>;
  readonly turnStep?: TurnStep<S>;
}

/** Abilities for linear models. */
export interface LinearAbilities<S> {
  readonly features?: Features<S>;
  readonly moveFeatures?: MoveFeatures<S>;
  readonly playoutsBy?: PlayoutsBy<S>;
}

/** Abilities for searches of several families. */
export interface SearchAbilities<S> {
  readonly preference?: Preference;
  readonly movePriors?: MovePriors<S>;
  readonly passTo?: PassTo<S>;
  readonly passes?: Passes<S>;
  readonly deal?: DealIndex<S>;
  readonly groupings?: Readonly<Record<string, Grouping<S>>>;
  readonly rulePlayer?: RulePlayer<S>;
  readonly downgrade?: Downgrade<S>;
  readonly bestMoves?: BestMoves<S>;
}

/** Abilities for depth-first searches. */
export interface DepthFirstAbilities<S> {
  readonly staticEvaluations?: StaticEvaluations<S>;
  readonly finalBounds?: FinalBounds<S>;
  readonly growth?: Growth<S>;
  readonly gains?: Gains<S>;
  readonly moveBounds?: MoveBounds<S>;
  readonly isLegal?: IsLegal<S>;
  readonly hash?: Hash<S>;
}

/** Games with chance plies. */
export interface Chance<S> {
  /** Writes the outcomes and their probabilities (summing to 1) at a chance ply; returns their number. */
  outcomes(state: S, actions: Int32Array, probabilities: Float64Array): number;
  /** Draws one outcome; same distribution as `outcomes`, without the list. */
  sample(state: S, random: Random): number;
}

/** Moves and positions as text. */
export interface Notation<S> {
  /** The text of a legal action (at a chance ply: of an outcome). */
  format(state: S, action: number): string;
  /** The action that the text names in this state, or undefined if it names none that is legal. */
  parse(state: S, text: string): number | undefined;
  /** Why a text names no legal action in this state, in a few words. Absent if the game gives no reasons. */
  whyIllegal?(state: S, text: string): string | undefined;
  /**
   * The text of a position: one line, holding all that the rest of the game depends on. Two states with one text play
   * on identically.
   */
  position(state: S): string;
  /**
   * The state that the text of a position names, or the error that says why it names none. Never throws.
   *
   * Every text of `position` is read. Other texts are read if the position is sound, which includes positions that
   * no game reaches; then `position` of the state that was read gives a text of that same position.
   */
  parsePosition(text: string): PositionReading<S>;
}

/** What reading a position gives: its state, or what is wrong with the text. */
export type PositionReading<S> = { readonly state: S } | { readonly error: PositionError };

/**
 * What is wrong with the text of a position, by kind. These codes are stable: programs may compare them.
 *
 * - `ERR_SYNTAX`: the text does not have the parts of a position of this game, or a part cannot be read
 * - `ERR_SIZE`: the board has another number of rows or columns, or there is another number of players
 * - `ERR_PIECES`: stones, tiles or pieces that cannot be there, alone or together
 * - `ERR_CARDS`: cards that cannot be there, alone or together
 * - `ERR_TURN`: the mover contradicts the rest of the position
 * - `ERR_SCORE`: a score, a place or points contradict the rest of the position
 */
export type PositionErrorCode =
  | "ERR_SYNTAX"
  | "ERR_SIZE"
  | "ERR_PIECES"
  | "ERR_CARDS"
  | "ERR_TURN"
  | "ERR_SCORE";

/** Why the text of a position names no position. */
export interface PositionError {
  readonly code: PositionErrorCode;
  /** Where in the text, what is wrong there, and what was expected. */
  readonly message: string;
}

/** Boards for people. */
export interface Drawing<S> {
  /** The names of the seats, if the rules have them: Black, White. `seatName` has those of all games. */
  readonly seats?: readonly string[];
  /** Lines of plain text. */
  text(state: S): string;
  /**
   * Of a game with hidden information: lines of plain text with what a seat sees, for a person on a terminal. Absent: people play
   * it on the page alone.
   */
  seatText?(state: S, seat: number): string;
  /** A self-contained SVG element. */
  svg(state: S): string;
  /**
   * The position as data that reports and pages draw, with marks over it. For a `seat` of a game with hidden information:
   * only what this seat sees. Absent: they show `svg`, and show nothing to a seat that must not see everything.
   */
  board?(state: S, seat?: number): Board;
  /** Where a legal decision lies on that board; undefined if it lies nowhere, as a pass. */
  place?(state: S, action: number): BoardPlace | undefined;
  /**
   * Why no legal decision reaches a cell of that board, as a sentence for the person to move. Absent, or undefined: the page says that
   * the cell is taken, or that no legal move lies there.
   */
  refusal?(state: S, cell: number): string | undefined;
  /** The pieces of a seat by name, if a board names those that are left. */
  readonly pieceShapes?: Readonly<Record<string, PieceShape>>;
}

/** Input planes of a net: a float32 tensor of `shape` (height, width, channels). */
export interface Planes<S> {
  readonly shape: readonly [height: number, width: number, channels: number];
  /** Writes the planes at `offset`; every element is written. */
  write(state: S, out: Float32Array, offset: number): void;
  /**
   * How the numbers of the channels fit into few bytes: groups of consecutive channels that together are all of them.
   * Rows then travel packed (`packed-planes.ts`) and nets see the same floats. Absent: every number travels as a float.
   */
  readonly encoding?: readonly PlaneEncoding[];
}

/**
 * The numbers of some consecutive channels of planes:
 *
 * - `bits`: each is 0 or 1
 * - `bytes`: each is n / divisor (1 when absent), in float32, with an integer n from 0 to 255
 * - `uniform`: any float, in all cells of a channel the same
 * - `floats`: any float
 */
export type PlaneEncoding =
  | { readonly as: "bits" | "uniform" | "floats"; readonly channels: number }
  | { readonly as: "bytes"; readonly channels: number; readonly divisor?: number };

/**
 * The plane and the cell of each action, for convolutional policy heads.
 *
 * Cells are numbered row by row from the top left, over the height and width that all `planes` of the game have.
 */
export interface ActionPlanes {
  /** Number of planes. */
  readonly planes: number;
  /** Number of actions that lie on no cell, such as a pass; 0 when absent. */
  readonly offBoard?: number;
  /** plane * cells + cell of an action; planes * cells + k of off-board action k. No two actions share an index. */
  readonly index: (action: number) => number;
}

/**
 * The score of a position in points, one number for each seat: the auxiliary target `score` of nets. For games whose
 * returns give only the winner.
 */
export interface Score<S> {
  /** The least and greatest score of a seat. */
  readonly bounds: readonly [number, number];
  /** Writes one score per seat, as if the game ended now. */
  write(state: S, out: Float64Array): void;
}

/** Writes the seat that holds each cell, or -1 for none; cells as in `planes`, row by row. Every element is written. */
export type Ownership<S> = (state: S, out: Int8Array) => void;

/**
 * The input of a linear value function: a row of named numbers, from the side of one seat.
 *
 * The game scales each number to [0, 1] or close to it. Weights are then comparable, and one learning rate suits all. A
 * constant is a feature like the others.
 */
export interface Features<S> {
  /** In the order of the row: `own placed`. */
  readonly names: readonly string[];
  /** Writes one number per name, as `seat` sees the state, to move or not; every element is written. */
  write(state: S, seat: number, out: Float64Array): void;
  /**
   * Makes what writes the features of all positions that one position leads to, faster than playing each move. Absent if
   * the game knows no faster way.
   */
  ahead?(): FeaturesAhead<S>;
}

/** Writes features of positions one ply ahead, from what they have in common. The numbers are those of `Features.write`. */
export interface FeaturesAhead<S> {
  /** Begins with an unfinished state and its first `count` legal actions. The state must stay as it is until the last `write`. */
  from(state: S, actions: Int32Array, count: number): void;
  /**
   * Writes the features of the position after a legal action, as `seat` sees it. Returns false if the game is then over;
   * the row is undefined in that case.
   */
  write(action: number, seat: number, out: Float64Array): boolean;
}

/**
 * The input of a linear policy: binary features of each legal decision, the same number for every move. A move may have
 * a feature several times.
 */
export interface MoveFeatures<S> {
  /** How many features there are. */
  readonly count: number;
  /** In the order of their numbers: `lead pair, 4 left`. */
  readonly names: readonly string[];
  /** How many a move has. */
  readonly perMove: number;
  /** Writes the numbers of the features of the first `moves` of these legal actions, row-major [moves, perMove]. */
  write(state: S, actions: Int32Array, moves: number, out: Int32Array): void;
  /**
   * Writes the decisions that the policy chooses from, in increasing order: some of the legal ones, at least one. Returns
   * their number. Absent: all legal decisions.
   */
  moves?(state: S, out: Int32Array): number;
}

/**
 * Playouts by a linear policy, faster than move by move: makes a function that plays to the end with weights in the order
 * of `moveFeatures`. Their current contents count in each playout.
 */
export type PlayoutsBy<S> = (weights: Float64Array) => PlaysToEnd<S>;

/** A state in few bytes, for replay buffers; the bytes hold everything that `planes` shows. */
export interface Packing<S> {
  readonly bytes: number;
  pack(state: S, out: Uint8Array, offset: number): void;
  unpack(from: Uint8Array, offset: number, into: S): void;
}

/** Symmetries of state, action and seat together; number 0 is the identity. */
export interface Symmetry<S> {
  readonly count: number;
  transform(state: S, symmetry: number, into: S): void;
  action(action: number, symmetry: number): number;
  seat(seat: number, symmetry: number): number;
}

/** Static evaluations of unfinished positions by name, one value per seat: in Blokus `placed` and `score`. */
export type StaticEvaluations<S> = Readonly<Record<string, (state: S, out: Float64Array) => void>>;

/**
 * Writes bounds of a static evaluation at the end of the game, for each seat: the least that it can be sure of, however
 * the others play, and the most that the others can leave it. By the name of the evaluation. Not when the game is over.
 */
export type FinalBounds<S> = Readonly<
  Record<string, (state: S, least: Float64Array, most: Float64Array) => void>
>;

/**
 * How much the game prefers an action, whatever the position; a greater number is preferred. In Blokus: the squares of the
 * piece. Orders moves in depth-first searches and guides playouts.
 */
export type Preference = (action: number) => number;

/** Prior values of moves, by name: what the game knows of moves before any search. */
export type MovePriors<S> = Readonly<Record<string, MovePrior<S>>>;

/**
 * Writes the prior value of each of the first `count` of these legal actions: what the mover may expect of it, from 0
 * for a loss to 1 for a win. `out` has room for more than `count` numbers.
 */
export type MovePrior<S> = (state: S, actions: Int32Array, count: number, out: Float64Array) => void;

/**
 * Draws moves for playouts, faster than from a list; only at decision plies.
 *
 * A game may leave out legal actions that make playouts worse or endless, such as filling an own eye in Go; it says
 * which.
 */
export interface Playouts<S> {
  /** One of the legal actions, those left out excepted, each with the same probability. */
  uniform(state: S, random: Random): number;
  /**
   * One of the actions that the game prefers in playouts. If it has a `preference`: one of the legal actions with the
   * greatest, each with the same probability.
   */
  preferred(state: S, random: Random): number;
  /** Plays to the end, drawing each move uniformly. */
  readonly finish?: PlaysToEnd<S>;
  /** Plays to the end, drawing each move as `preferred` does. */
  readonly finishPreferred?: PlaysToEnd<S>;
}

/**
 * Plays to the end of the game, or of the current deal. Reports every decision in order to `recorder`, if one is given.
 *
 * The state then has `toMove`, `returns`, ownership and the board of the end; what else it holds, such as a history,
 * may be that of before. The game may end playouts earlier than games, by a bound on their length.
 */
export type PlaysToEnd<S> = (state: S, random: Random, recorder?: PlayoutRecorder) => void;

/** Records the decisions of a playout. */
export interface PlayoutRecorder {
  add(seat: number, action: number): void;
}

/** Hidden information: states that a seat cannot distinguish. */
export interface Information<S> {
  /**
   * Writes over `into` a state that `seat` cannot distinguish from this one, at a decision ply. It is drawn from all states that
   * agree with everything the seat has seen, each as likely as the rules make it before any player decides anything.
   */
  determinize(state: S, seat: number, random: Random, into: S): void;
  /**
   * What a seat sees of a legal action that is about to be played: a number in the range of actions, the same for actions
   * that the seat cannot distinguish. Absent if every seat sees every action.
   */
  observed?(state: S, action: number, seat: number): number;
}

/** Decisions in groups, for searches that first choose a group and then an action of it. */
export interface Grouping<S> {
  /** Whether the decisions of this state are grouped. */
  applies(state: S): boolean;
  /** Groups are numbered 0 .. groups - 1. */
  readonly groups: number;
  /** The group of an action. */
  group(action: number): number;
}

/** The player by rule that belongs to the game: gives its legal action at a decision ply. */
export type RulePlayer<S> = (state: S) => number;

/**
 * For a match of several deals: the index of the current deal, from 0. Searches stop at its end and use the rewards up
 * to there.
 */
export type DealIndex<S> = (state: S) => number;

/** Writes the number of legal actions that each seat would have if it were to move. */
export type LegalCounts<S> = (state: S, out: Int32Array) => void;

/**
 * Makes a seat the seat to move; the seats between are passed over this once. Returns false, and changes nothing, if
 * that seat has no legal move. Not at chance plies. For searches in which one of several opponents replies for all.
 */
export type PassTo<S> = (state: S, seat: number) => boolean;

/** Passes, if they can end the game before all is settled on the board. */
export interface Passes<S> {
  /** The action. */
  readonly pass: number;
  /** Whether a legal action other than the pass may still settle something for the mover, and not only harm it. */
  readonly settles: (state: S, action: number) => boolean;
}

/**
 * The most that a static evaluation of `seat` can grow by within `moves` moves of its own from this state, by the name
 * of the evaluation; `returns` names the returns. Never less for more moves; 0 for none.
 *
 * Only for evaluations that never fall, and that a move changes for the mover alone.
 */
export type Growth<S> = Readonly<Record<string, (state: S, seat: number, moves: number) => number>>;

/**
 * How much a static evaluation of `seat` grows by its best legal move, were it to move now; -1 if it has no move. By
 * the name of the evaluation, for those that have a `growth`. The number is exact whichever seat moves next, so that a
 * depth-first search need not play the last move.
 */
export type Gains<S> = Readonly<Record<string, (state: S, seat: number) => number>>;

/**
 * Writes, for each seat, the most moves that it can make within the next `plies` plies (1 or more), in the turn order of
 * the rules. An upper bound; the closer, the more a depth-first search can cut. Not at chance plies, nor when the game
 * is over.
 */
export type MoveBounds<S> = (state: S, plies: number, out: Int32Array) => void;

/**
 * The step of the turn order: after seat s comes seat (s + step) modulo the players. It is 1, or players - 1 in mirror
 * images. Games without this ability have step 1.
 */
export type TurnStep<S> = (state: S) => number;

/** Whether an action is legal at a decision ply, without listing all that are. */
export type IsLegal<S> = (state: S, action: number) => boolean;

/**
 * Writes a 64-bit hash of a position as two words. Two states have the same hash if returns, static evaluations and
 * the rest of the game are the same for both; hashes of other states differ as if drawn at random.
 */
export type Hash<S> = (state: S, out: Int32Array) => void;

/**
 * Writes a state with the same legal actions as a given state at a decision ply and with lesser tiles: none as great as
 * `tile`, if that is possible. Values that were learned on lesser tiles fit it better.
 */
export type Downgrade<S> = (state: S, tile: number, into: S) => void;

/** Writes the final return of each seat under perfect play by all, from a position at a decision ply. */
export type Solve<S> = (state: S, out: Float64Array) => void;

/**
 * Writes the best moves of a position under perfect play and returns their number: the winner ends the game as early, the loser
 * as late as possible.
 */
export type BestMoves<S> = (state: S, out: Int32Array) => number;

/** Figures of a finished game for reports, other than its returns: for 2048 `{ maxTile: 2048 }`. */
export type Facts<S> = (state: S) => Readonly<Record<string, number>>;
