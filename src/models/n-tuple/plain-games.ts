import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import type { Random } from "../../random.ts";
import type { GameKernel, NTupleKernel } from "./kernel.ts";
import type { LearnerOptions } from "../tables.ts";

/** Whole games without WebAssembly, on boards of any size. */
export class PlainGames implements GameKernel {
  values: Float64Array = new Float64Array(1024);
  rewards: Float64Array = new Float64Array(1024);
  actions: Int32Array = new Int32Array(2 * 1024);
  readonly #kernel: NTupleKernel;
  readonly #game: Game2048;
  readonly #lambda: number;
  readonly #step: ReturnType<NTupleKernel["stepper"]>;
  #path = new Int32Array(8 * 1024);

  constructor(kernel: NTupleKernel, game: Game2048, { lambda, step }: LearnerOptions) {
    this.#kernel = kernel;
    this.#game = game;
    this.#lambda = lambda;
    this.#step = kernel.stepper(step);
  }

  afterstate(decision: number, lines: Int32Array): void {
    for (let i = 0; i < 8; i++) lines[i] = this.#path[8 * decision + i]!;
  }

  play(state: State2048, random: Random, first: number): number {
    const game = this.#game;
    const kernel = this.#kernel;
    let decision = first;
    for (; state.toMove === 0; decision++) {
      if (decision >= this.rewards.length) this.#grow();
      const best = kernel.best(state.lines);
      // No value is a number: the game ends here, as it does in WebAssembly.
      if (best === -Infinity) break;
      this.values[decision] = best;
      const chosen = kernel.chosen();
      this.rewards[decision] = game.slide(state, chosen);
      const path = this.#path;
      const { lines } = state;
      for (let i = 0; i < 8; i++) path[8 * decision + i] = lines[i]!;
      const outcome = game.chance.sample(state, random);
      game.play(state, outcome);
      this.actions[2 * decision] = chosen;
      this.actions[2 * decision + 1] = outcome;
    }
    return decision;
  }

  restore(values: ArrayLike<number>): void {
    while (this.values.length < values.length) this.#grow();
    this.values.set(values);
  }

  learn(first: number, end: number): void {
    const step = this.#step;
    const lambda = this.#lambda;
    const rewards = this.rewards;
    const path = this.#path;
    let target = 0;
    for (let decision = end - 1; decision >= first; decision--) {
      const stepped = step(path, 8 * decision, target);
      target = rewards[decision]! + (1 - lambda) * stepped + lambda * target;
    }
  }

  #grow(): void {
    const decisions = 2 * this.rewards.length;
    this.#path = longer(this.#path, new Int32Array(8 * decisions));
    this.rewards = longer(this.rewards, new Float64Array(decisions));
    this.values = longer(this.values, new Float64Array(decisions));
    this.actions = longer(this.actions, new Int32Array(2 * decisions));
  }
}

function longer<A extends Int32Array | Float64Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
