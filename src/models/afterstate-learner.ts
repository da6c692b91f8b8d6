import { setLines } from "../games/2048-board.ts";
import type { Game2048, State2048 } from "../games/2048.ts";
import { CHANCE } from "../games/game.ts";
import type { Random } from "../random.ts";
import type { GameKernel } from "./n-tuple-kernel.ts";
import type { NTupleNetwork } from "./n-tuple.ts";
import type { LearnedGame, LearnerOptions, NamedArrays, SavedArrays, TablesLearner } from "./tables.ts";

/** Games from the start of which one must make the tile that late games begin with. */
const MOST_TRIED = 1000;

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
  readonly #games: GameKernel;
  readonly #coherent: boolean;
  readonly #restart: number;
  readonly #late: LearnerOptions["begin"];
  readonly #state: State2048;
  readonly #start: State2048;
  #actions = new Int32Array(2 + 2 * 1024);
  #decisions = 0;
  #plies = 0;
  /** How much of the last game comes from the one before it, and how much of it the next one begins with. */
  #first = 0;
  #kept = 0;
  /** Decisions of the game that leads to where late games begin, and how many may still begin there. */
  #prelude = 0;
  #left = 0;
  /** The first decision of the last game whose afterstate is at hand: those before `restore` are not. */
  #known = 0;
  readonly #lines = new Int32Array(8);

  constructor(network: NTupleNetwork, game: Game2048, options: LearnerOptions) {
    this.#network = network;
    this.#game = game;
    this.#games = network.kernel.games(options);
    this.#restart = options.restart ?? Infinity;
    this.#late = options.begin;
    this.#coherent = options.step.use === "tc";
    this.#start = game.initial();
    this.#state = game.initial();
  }

  get actions(): Int32Array {
    return this.#actions.subarray(0, this.#plies);
  }

  get values(): Float64Array {
    return this.#games.values.subarray(0, this.#decisions);
  }

  playGame(random: Random): LearnedGame {
    const games = this.#games;
    const state = this.#state;
    this.#begin(random);
    const first = this.#first;
    const end = games.play(state, random, first);
    this.#note(games.actions.subarray(2 * first, 2 * end));
    games.learn(first, end);
    this.#decisions = end;
    const made = end - first;
    if (made >= this.#restart) this.#kept = first + (made >> 1);
    else if (this.#left > 0) {
      this.#left--;
      this.#kept = this.#prelude;
    } else this.#kept = 0;
    return {
      returns: [state.score],
      plies: this.#plies,
      startValue: games.values[0]!,
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
      if (this.#late !== undefined)
        saved.set("late", { shape: [2], data: Float64Array.of(this.#prelude, this.#left) });
    }
    return saved;
  }

  restore(state: NamedArrays): void {
    const { game, gameValues, kept, late, ...coherence } = Object.fromEntries(state);
    if (this.#coherent) this.#network.loadCoherence(new Map(Object.entries(coherence)));
    else if (Object.keys(coherence).length > 0) throw new RangeError("a fixed rate remembers nothing");
    if (game === undefined || gameValues === undefined || kept === undefined) return;
    this.#plies = 0;
    this.#note(game);
    this.#decisions = gameValues.length;
    this.#games.goOn(gameValues);
    this.#kept = kept[0]!;
    this.#known = this.#kept;
    if (late !== undefined) [this.#prelude, this.#left] = late as unknown as [number, number];
  }

  /** Takes the state to the first decision of the game to be played: through the part of the last one that is kept. */
  #begin(random: Random): void {
    if (this.#kept === 0 && this.#late !== undefined) this.#playTo(this.#late, random);
    this.#game.copy(this.#start, this.#state);
    this.#first = this.#kept;
    // Two tiles, then for each decision its direction and a tile.
    this.#plies = this.#kept === 0 ? 0 : 2 * this.#kept + 1;
    if (this.#kept === 0) this.#known = 0;
    else if (this.#kept > this.#known) this.#recall();
    else this.#replay();
    this.#drawTiles(random);
  }

  /** Draws tiles until the player moves or the game is over. */
  #drawTiles(random: Random): void {
    const game = this.#game;
    const state = this.#state;
    while (state.toMove === CHANCE) {
      const outcome = game.chance.sample(state, random);
      this.#note([outcome]);
      game.play(state, outcome);
    }
  }

  /** Plays games until one makes a tile, and keeps it up to there. Throws RangeError where none of many does. */
  #playTo({ tile, games: begun }: NonNullable<LearnerOptions["begin"]>, random: Random): void {
    const games = this.#games;
    const game = this.#game;
    const state = this.#state;
    const made = (decision: number) => {
      games.afterstate(decision, this.#lines);
      setLines(state, this.#lines, game.size);
      return game.facts(state)["maxTile"]! >= tile;
    };
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      game.copy(this.#start, state);
      this.#plies = 0;
      this.#drawTiles(random);
      const end = games.play(state, random, 0);
      if (end === 0 || !made(end - 1)) continue;
      this.#note(games.actions.subarray(0, 2 * end));
      // A greatest tile never goes: the first decision that made it is between `before` and `at`.
      let [before, at] = [-1, end - 1];
      while (at - before > 1) {
        const middle = (before + at) >> 1;
        if (made(middle)) at = middle;
        else before = middle;
      }
      this.#kept = this.#prelude = at + 1;
      this.#left = begun - 1;
      this.#known = 0;
      return;
    }
    throw new RangeError(
      `none of ${MOST_TRIED.toLocaleString("en")} games made a tile of ${tile}, where learning is to begin; start from weights that get there, or name a lesser tile`,
    );
  }

  /** Takes the state from the start to the last afterstate that is kept. */
  #recall(): void {
    const state = this.#state;
    this.#games.afterstate(this.#kept - 1, this.#lines);
    setLines(state, this.#lines, this.#game.size);
    state.slides = 0;
    state.toMove = CHANCE;
    const { rewards } = this.#games;
    for (let decision = 0; decision < this.#kept; decision++) state.score += rewards[decision]!;
  }

  /** The same by the actions; notes the rewards again. */
  #replay(): void {
    const state = this.#state;
    let decision = 0;
    for (let ply = 0; ply < this.#plies; ply++) {
      const before = state.score;
      const decides = state.toMove === 0;
      this.#game.play(state, this.#actions[ply]!);
      if (decides) this.#games.rewards[decision++] = state.score - before;
    }
  }

  #note(actions: ArrayLike<number>): void {
    const plies = this.#plies + actions.length;
    if (plies > this.#actions.length) {
      const longer = new Int32Array(2 * plies);
      longer.set(this.#actions);
      this.#actions = longer;
    }
    this.#actions.set(actions, this.#plies);
    this.#plies = plies;
  }
}
