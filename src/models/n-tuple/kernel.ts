import { Afterstates } from "../../games/2048/afterstates.ts";
import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import type { Random } from "../../random.ts";
import type { TupleLookup } from "./lookup.ts";
import { PlainGames } from "./games.ts";
import { FixedRate, type StepRule, TemporalCoherence } from "./step-rule.ts";
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

/** The kernel without WebAssembly, for boards of any size. */
export function plainKernel(
  lookup: TupleLookup,
  { weights, coherence }: NTupleTables,
  game: Game2048,
): NTupleKernel {
  const after = new Afterstates(game.rows, game.columns);
  const { stages } = lookup;
  const next = game.initial();
  const outcomes = new Int32Array(game.maxLegal);
  const probabilities = new Float64Array(game.maxLegal);
  let chosen = 0;
  const kernel: NTupleKernel = {
    value: (lines, offset) => lookup.value(weights, lines, offset),
    best(lines) {
      const legal = after.slide(lines);
      let best = -Infinity;
      for (let direction = 0; direction < 4; direction++) {
        if (((legal >> direction) & 1) === 0) continue;
        const value = after.rewards[direction]! + lookup.value(weights, after.lines, 8 * direction);
        if (value > best) {
          best = value;
          chosen = direction;
        }
      }
      return best;
    },
    chosen: () => chosen,
    throughChance(state) {
      const count = game.chance.outcomes(state, outcomes, probabilities);
      let mean = 0;
      for (let i = 0; i < count; i++) {
        game.copy(state, next);
        game.play(next, outcomes[i]!);
        if (next.toMove === 0) mean += probabilities[i]! * kernel.best(next.lines);
      }
      return mean;
    },
    stepper(step) {
      const indices = new Int32Array(lookup.lookups);
      const rule: StepRule =
        step.use === "tc"
          ? new TemporalCoherence(step.rate, coherence, lookup.lookups)
          : new FixedRate(step.rate, lookup.lookups);
      return (lines, offset, target) => {
        lookup.indices(lines, offset, indices);
        if (!stages.promotes) return rule.step(weights, indices, target);
        stages.promote(weights, indices);
        const stepped = rule.step(weights, indices, target);
        stages.touch(weights, indices);
        return stepped;
      };
    },
    games: (options) => new PlainGames(kernel, game, options),
  };
  return kernel;
}
