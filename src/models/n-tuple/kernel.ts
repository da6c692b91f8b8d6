import type { State2048 } from "../../games/2048/2048.ts";
import type { Random } from "../../random.ts";
import type { LearnerOptions } from "../tables.ts";

/**
 * The inner loops of an N-tuple network, on boards as line codes (`State2048.lines`). There is one in WebAssembly
 * (`wasmKernel`) and one in JavaScript (`plainKernel`); both give the same numbers to the last bit.
 */
export interface NTupleKernel {
  /** The value of the afterstate whose eight lines begin at `offset`. */
  value(lines: Int32Array, offset: number): number;
  /**
   * The greatest reward + value of a board's slides, -Infinity if no slide is legal. `chosen` then returns the first
   * direction that reaches it.
   */
  best(lines: Int32Array): number;
  /** The direction that `best` found. */
  chosen(): number;
  /**
   * The value of an afterstate, in which chance moves, through one ply: the mean of `best` over the tiles that may come, in
   * the order of their outcomes; 0 for a board without a legal slide.
   */
  throughChance(state: State2048): number;
  /** A function that moves an afterstate's value towards `target` by a rule, and returns what `StepRule.step` returns. */
  stepper(step: LearnerOptions["step"]): (lines: Int32Array, offset: number, target: number) => number;
  /** Plays and learns whole games. */
  games(options: LearnerOptions): GameKernel;
}

/** Plays games greedily, keeps the last one, and learns from it. */
export interface GameKernel {
  /** By decision: its value when it was taken, reward included. */
  readonly values: Float64Array;
  readonly rewards: Float64Array;
  /** Two numbers for each decision: the direction, and the outcome of chance after it. */
  readonly actions: Int32Array;
  /** Writes the line codes of the afterstate of a decision. */
  afterstate(decision: number, lines: Int32Array): void;
  /**
   * Plays greedily from a state in which the player moves to the end of the game; of equal moves the first. Decisions are
   * numbered from `first` on; earlier ones are kept. Returns the number after the last decision.
   */
  play(state: State2048, random: Random, first: number): number;
  /** Takes the values of a game that will be continued, and makes room for as many decisions. */
  restore(values: ArrayLike<number>): void;
  /** Learns from the decisions in [first, end), as `AfterstateLearner` describes. */
  learn(first: number, end: number): void;
}

/** The tables that a kernel works on: weights, [size], and the state of temporal coherence, [size, 2]. */
export interface NTupleTables {
  readonly weights: Float32Array<SharedArrayBuffer>;
  readonly coherence: Float32Array<SharedArrayBuffer>;
}
