import type { State2048 } from "../../games/2048/2048.ts";
import type { Random } from "../../random.ts";
import type { LearnerOptions } from "../tables.ts";

/**
 * The inner loops of an N-tuple network, on boards as line codes (`State2048.lines`): in WebAssembly (`wasmKernel`) or
 * plain, with the same numbers to the last bit.
 */
export interface NTupleKernel {
  /** The value of the afterstate whose eight lines begin at `offset`. */
  value(lines: Int32Array, offset: number): number;
  /**
   * The greatest reward + value of the slides of a board, -Infinity where none is legal; the first direction that has it
   * is `chosen`.
   */
  best(lines: Int32Array): number;
  /** The direction that `best` found. */
  chosen(): number;
  /**
   * The value of an afterstate, in which chance moves, through one ply: the mean over the tiles that may come, in the order
   * of their outcomes, of what `best` finds then, 0 where no slide is legal.
   */
  throughChance(state: State2048): number;
  /** The step of an afterstate's value towards `target` by a rule: what `StepRule.step` returns. */
  stepper(step: LearnerOptions["step"]): (lines: Int32Array, offset: number, target: number) => number;
  /** Playing and learning whole games. */
  games(options: LearnerOptions): GameKernel;
}

/** Plays games greedily, keeps the last one, and learns from it. */
export interface GameKernel {
  /** By decision: what it was expected to earn, its reward with it. */
  readonly values: Float64Array;
  readonly rewards: Float64Array;
  /** Two by decision: the direction, and the outcome of chance after it. */
  readonly actions: Int32Array;
  /** Writes the line codes of the afterstate of a decision. */
  afterstate(decision: number, lines: Int32Array): void;
  /**
   * Plays from a state in which the player moves to the end, the first of equal moves, and numbers the decisions from
   * `first` on, leaving those before it; returns the number after the last.
   */
  play(state: State2048, random: Random, first: number): number;
  /** Takes the values of a game that is gone on with, and makes room for as many decisions. */
  goOn(values: ArrayLike<number>): void;
  /** Learns from the decisions from `first` to before `end` as `AfterstateLearner` says. */
  learn(first: number, end: number): void;
}

/** The tables that a kernel works on: [size] weights, and [size, 2] what temporal coherence keeps of each. */
export interface NTupleTables {
  readonly weights: Float32Array<SharedArrayBuffer>;
  readonly coherence: Float32Array<SharedArrayBuffer>;
}
