import type { Game2048, State2048 } from "../games/2048.ts";
import { CHANCE } from "../games/game.ts";
import type { Random } from "../random.ts";
import type { NTupleNetwork } from "./n-tuple.ts";
import type { LearnedGame, LearnerOptions, NamedArrays, SavedArrays, TablesLearner } from "./tables.ts";

/**
 * Learns the values of 2048's afterstates by TD(lambda), from games that it plays greedily.
 *
 * Weights change at the end of a game, from its last afterstate to its first (offline lambda-return; Sutton and Barto
 * 2018, section 12.1, over afterstates): the target of an afterstate s is G(s) = r + (1 - lambda) V(s') + lambda G(s'),
 * where s' is the next afterstate and r the reward of the move to it; after the last one it is 0. V(s') is taken as its
 * own step has just left it, so that what the end of the game taught reaches the beginning in one pass even with
 * lambda = 0.
 */
export class AfterstateLearner implements TablesLearner {
  readonly #network: NTupleNetwork;
  readonly #game: Game2048;
  readonly #lambda: number;
  readonly #step: ReturnType<NTupleNetwork["kernel"]["stepper"]>;
  readonly #coherent: boolean;
  readonly #restart: number;
  readonly #state: State2048;
  readonly #start: State2048;
  /** The last game: line codes and reward of each afterstate. */
  #lines = new Int32Array(8 * 1024);
  #rewards = new Float64Array(1024);
  #values = new Float64Array(1024);
  #actions = new Int32Array(2 + 2 * 1024);
  #decisions = 0;
  #plies = 0;
  /** How much of the last game comes from the one before it, and how much of it the next one begins with. */
  #first = 0;
  #kept = 0;

  constructor(network: NTupleNetwork, game: Game2048, options: LearnerOptions) {
    this.#network = network;
    this.#game = game;
    this.#lambda = options.lambda;
    this.#step = network.kernel.stepper(options.step);
    this.#restart = options.restart ?? Infinity;
    this.#coherent = options.step.use === "tc";
    this.#start = game.initial();
    this.#state = game.initial();
  }

  get actions(): Int32Array {
    return this.#actions.subarray(0, this.#plies);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#decisions);
  }

  playGame(random: Random): LearnedGame {
    this.#begin();
    this.#play(random);
    this.#learn();
    const made = this.#decisions - this.#first;
    this.#kept = made >= this.#restart ? this.#first + (made >> 1) : 0;
    const state = this.#state;
    return {
      returns: [state.score],
      plies: this.#plies,
      startValue: this.#values[0]!,
      facts: this.#game.facts(state),
    };
  }

  state(): SavedArrays {
    const saved: SavedArrays = this.#coherent ? this.#network.saveCoherence() : new Map();
    if (this.#kept > 0) {
      const actions = Float64Array.from(this.actions);
      saved.set("game", { shape: [actions.length], data: actions });
      saved.set("gameValues", { shape: [this.#decisions], data: this.values.slice() });
      saved.set("kept", { shape: [1], data: Float64Array.of(this.#kept) });
    }
    return saved;
  }

  restore(state: NamedArrays): void {
    const { game, gameValues, kept, ...coherence } = Object.fromEntries(state);
    if (this.#coherent) this.#network.loadCoherence(new Map(Object.entries(coherence)));
    else if (Object.keys(coherence).length > 0) throw new RangeError("a fixed rate remembers nothing");
    if (game === undefined || gameValues === undefined || kept === undefined) return;
    while (this.#rewards.length < gameValues.length) this.#grow();
    this.#actions.set(game);
    this.#values.set(gameValues);
    this.#plies = game.length;
    this.#decisions = gameValues.length;
    this.#kept = kept[0]!;
  }

  /** Takes the state to where the game begins: through the part of the last game that is kept. */
  #begin(): void {
    const game = this.#game;
    const state = this.#state;
    game.copy(this.#start, state);
    const { length } = this.actions;
    this.#plies = 0;
    this.#decisions = 0;
    while (this.#decisions < this.#kept && this.#plies < length) {
      const decides = state.toMove === 0;
      game.play(state, this.#actions[this.#plies++]!);
      if (decides) this.#decisions++;
    }
    this.#first = this.#decisions;
  }

  #play(random: Random): void {
    const game = this.#game;
    const { chance } = game;
    const state = this.#state;
    for (;;) {
      while (state.toMove === CHANCE) {
        const outcome = chance.sample(state, random);
        this.#actions[this.#plies++] = outcome;
        game.play(state, outcome);
      }
      if (state.toMove !== 0) return;
      this.#decide();
    }
  }

  /** Plays the greedy move, the first of equals, and notes it. */
  #decide(): void {
    const { kernel } = this.#network;
    const state = this.#state;
    const value = kernel.best(state.lines);
    const chosen = kernel.chosen();
    if (this.#decisions === this.#rewards.length) this.#grow();
    const decision = this.#decisions++;
    const before = state.score;
    this.#game.play(state, chosen);
    const path = this.#lines;
    const { lines } = state;
    for (let i = 0; i < 8; i++) path[8 * decision + i] = lines[i]!;
    this.#rewards[decision] = state.score - before;
    this.#values[decision] = value;
    this.#actions[this.#plies++] = chosen;
  }

  #learn(): void {
    const step = this.#step;
    const lambda = this.#lambda;
    const lines = this.#lines;
    const rewards = this.#rewards;
    let target = 0;
    for (let decision = this.#decisions - 1; decision >= this.#first; decision--) {
      const stepped = step(lines, 8 * decision, target);
      target = rewards[decision]! + (1 - lambda) * stepped + lambda * target;
    }
  }

  #grow(): void {
    const decisions = 2 * this.#rewards.length;
    this.#lines = longer(this.#lines, new Int32Array(8 * decisions));
    this.#rewards = longer(this.#rewards, new Float64Array(decisions));
    this.#values = longer(this.#values, new Float64Array(decisions));
    this.#actions = longer(this.#actions, new Int32Array(2 + 2 * decisions));
  }
}

function longer<A extends Int32Array | Float64Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
