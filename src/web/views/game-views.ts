import type { Board, BoardPlace, PieceShape } from "../../figures/boards/board.ts";

/** The stored games of one stage. */
export interface StageGames {
  readonly stage: string;
  readonly games: number;
  /** When the last one was written, in milliseconds of the clock. */
  readonly newest: number;
}

/** A stored game in the list of games. */
export interface GameRow {
  readonly stage: string;
  readonly game: number;
  /** What was learned before it: the version of the learner. */
  readonly learned: number;
  /** The players and the result, as markup with `b` alone. */
  readonly sentence: string;
  readonly plies: number;
  /** Whether its players' thoughts were kept. */
  readonly thoughts: boolean;
}

/** The stages of a run that have stored games, and some games of one of them, the newest first. */
export interface GameList {
  readonly stages: readonly StageGames[];
  readonly stage: string;
  /** The place of the first row among the stage's games; 0 is the newest. */
  readonly from: number;
  readonly rows: readonly GameRow[];
}

/** A stored game whose newest position a run's page shows. */
export interface NewestGame extends GameRow {
  readonly board: Board;
}

/** A decision of a game: its ply, counted from 0, the seat, and the move as text, with the piece that it lays. */
export type StepShown = readonly [ply: number, seat: number, move: string, piece?: string];

/** The expectation of one player for its own seat in the course of a game. */
export interface ExpectationCurve {
  readonly seat: number;
  /** What 1 means: `points at the end`, `1 is a win, 0 a loss`. */
  readonly unit: string;
  /** The index of the step, and the expected return. */
  readonly points: readonly (readonly [step: number, value: number])[];
}

/** A decision after which the player expected less for itself. */
export interface TurningPoint {
  /** The index of the step. */
  readonly step: number;
  readonly seat: number;
  /** By how much less it expected at its next decision. */
  readonly drop: number;
  /** How much of it the choice cost: the best move's value less the played one's. Absent: not known. */
  readonly choice?: number;
}

/** Something that can analyse a game. */
export interface OfferedAnalyst {
  readonly name: string;
  /** What it is in a few words: `uct, 1,000 simulations`. */
  readonly about: string;
}

/** A game as a whole. What a chosen seat has not seen is not in it. */
export interface GameView {
  readonly stage: string;
  readonly game: number;
  readonly rules: string;
  /** The options in which it differs from the usual game, as the players of `PlayOffers` have it. */
  readonly variant: string;
  readonly learned: number;
  readonly sentence: string;
  /** `33 plies`, `largest tile 4,096`. */
  readonly facts: readonly string[];
  /** By seat: the agent, and the name of the seat if the rules have one. */
  readonly seats: readonly { readonly agent: string; readonly name?: string }[];
  readonly plies: number;
  readonly steps: readonly StepShown[];
  readonly curves: readonly ExpectationCurve[];
  /** The largest first. */
  readonly turningPoints: readonly TurningPoint[];
  /** What was kept of what the players thought. */
  readonly kept: "thoughts" | "values" | "nothing";
  /** Hidden information: `yes` if a seat can be chosen, `undrawn` if the game draws no board for one seat. */
  readonly hidden: "no" | "yes" | "undrawn";
  /** The seat whose view this is; absent: all is open. */
  readonly seen?: number;
  readonly pieceShapes?: Readonly<Record<string, PieceShape>>;
  readonly analysts: readonly OfferedAnalyst[];
  readonly sgf: boolean;
}

/** One of the moves that a player thought of. */
export interface MoveThought {
  readonly move: string;
  readonly place?: BoardPlace;
  readonly visits: number;
  /** The net's probability. */
  readonly prior?: number;
  /** The expected return of the mover after it. */
  readonly value?: number;
  readonly played: boolean;
}

/** What a player, or an analyst, thought at a decision. */
export interface ThoughtShown {
  readonly legal: number;
  /** Simulations; 0 if the search does not simulate. */
  readonly visits: number;
  /** By seat; null: not known. */
  readonly values: readonly (number | null)[];
  /** What the net says without search. */
  readonly net?: { readonly values: readonly (number | null)[]; readonly rank: number };
  /** By an analysis: what the played move loses against the best one. */
  readonly loss?: number;
  readonly moves: readonly MoveThought[];
}

/** A position of a game: that before ply `ply` (from 0), or the last one. */
export interface PositionShown {
  readonly ply: number;
  readonly board: Board;
  /** The seat to move; absent if chance moves, or the game is over. */
  readonly mover?: number;
  /** Where the next move lies. */
  readonly next?: BoardPlace;
  readonly thought?: ThoughtShown;
}

/** How far an analysis on demand is. */
export interface AnalysisState {
  readonly state: "running" | "done" | "failed";
  readonly by: string;
  /** Decisions analysed so far. */
  readonly done: number;
  readonly message?: string;
  readonly curves: readonly ExpectationCurve[];
  readonly turningPoints: readonly TurningPoint[];
}
