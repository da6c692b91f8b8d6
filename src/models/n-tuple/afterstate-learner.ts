import { setLines } from "../../games/2048/board.ts";
import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import { CHANCE } from "../../games/game.ts";
import { positionForMessage } from "../../games/position-text.ts";
import { NumberUnsound } from "../../messages/number-unsound.ts";
import type { Random } from "../../random.ts";
import type { GameKernel } from "./kernel.ts";
import type { NTupleNetwork } from "./network.ts";
import type { LearnedGame, LearnerOptions, NamedArrays, SavedArrays, TablesLearner } from "../tables.ts";

/** Games that are tried before giving up on the tile that learning begins with. */
const MOST_TRIED = 1000;

/**
 * Learns the values of 2048's afterstates by TD(lambda), from games that it plays greedily.
 *
 * Weights change at the end of a game, from its last afterstate to its first (offline lambda-return; Sutton and Barto
 * 2018, section 12.1, over afterstates): the target of an afterstate s is G(s) = r + (1 - lambda) V(s') + lambda G(s'),
 * where s' is the next afterstate and r the reward of the move to it; the target of the last afterstate is 0. V(s') is the
 * value after the step of s', so the end of a game influences its beginning in one pass even with lambda = 0.
 */
export class AfterstateLearner implements TablesLearner {
  readonly #network: NTupleNetwork;
  readonly #game: Game2048;
  readonly #games: GameKernel;
  readonly #coherent: boolean;
  readonly #restart: number;
  readonly #beginning: LearnerOptions["begin"];
  readonly #state: State2048;
  readonly #start: State2048;
  #actions = new Int32Array(2 + 2 * 1024);
  #decisions = 0;
  #plies = 0;
  /** Decisions of the last game that come from the game before it, and decisions of it that the next game begins with. */
  #first = 0;
  #kept = 0;
  /** The afterstate after which games begin, the number of decisions up to it, and how many games may still begin there. */
  readonly #prelude: State2048;
  #preludeEnd = 0;
  #left = 0;
  /** The first decision of the last game whose afterstate is in memory; earlier ones were made before `restore`. */
  #known = 0;
  readonly #lines = new Int32Array(8);

  constructor(network: NTupleNetwork, game: Game2048, options: LearnerOptions) {
    this.#network = network;
    this.#game = game;
    this.#games = network.kernel.games(options);
    this.#restart = options.restart ?? Infinity;
    this.#beginning = options.begin;
    this.#coherent = options.step.use === "tc";
    this.#start = game.initial();
    this.#state = game.initial();
    this.#prelude = game.initial();
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
    if (state.toMove === 0)
      throw new NumberUnsound(
        `its values have diverged: those of all moves are NaN in ${positionForMessage(this.#game, state)}; start from an earlier checkpoint, and learn with a lower rate`,
      );
    this.#note(games.actions.subarray(2 * first, 2 * end));
    games.learn(first, end);
    this.#decisions = end;
    const made = end - first;
    if (made >= this.#restart) this.#kept = first + (made >> 1);
    else if (this.#left > 0) {
      this.#left--;
      this.#kept = this.#preludeEnd;
    } else this.#kept = 0;
    return {
      returns: [state.score],
      plies: this.#plies,
      startValue: games.values[0]!,
      facts: this.#game.figures.facts(state),
    };
  }

  state(): SavedArrays {
    const saved: SavedArrays = this.#coherent ? this.#network.saveCoherence() : new Map();
    if (this.#kept > 0) {
      const actions = Float64Array.from(this.actions);
      saved.set("game", { shape: [actions.length], data: actions });
      saved.set("gameValues", { shape: [this.#decisions], data: this.values.slice() });
      saved.set("kept", { shape: [1], data: Float64Array.of(this.#kept) });
      if (this.#beginning !== undefined)
        saved.set("begin", { shape: [2], data: Float64Array.of(this.#preludeEnd, this.#left) });
    }
    return saved;
  }

  restore(state: NamedArrays): void {
    const { game, gameValues, kept, begin, ...coherence } = Object.fromEntries(state);
    if (this.#coherent) this.#network.loadCoherence(new Map(Object.entries(coherence)));
    else if (Object.keys(coherence).length > 0) throw new RangeError("a fixed rate has no state to restore");
    if (game === undefined || gameValues === undefined || kept === undefined) return;
    this.#decisions = gameValues.length;
    this.#games.restore(gameValues);
    this.#kept = kept[0]!;
    this.#known = this.#kept;
    this.#plies = 0;
    this.#note(game);
    if (begin === undefined) return;
    this.#preludeEnd = begin[0]!;
    this.#left = begin[1]!;
    this.#plies = pliesTo(this.#preludeEnd);
    this.#game.copy(this.#start, this.#state);
    this.#replay();
    this.#game.copy(this.#state, this.#prelude);
    this.#plies = game.length;
  }

  /** Brings the state to the first decision to be played, through the decisions kept from the last game. */
  #begin(random: Random): void {
    if (this.#kept === 0 && this.#beginning !== undefined) this.#playTo(this.#beginning, random);
    this.#game.copy(this.#start, this.#state);
    this.#first = this.#kept;
    this.#plies = pliesTo(this.#kept);
    if (this.#kept === 0) this.#known = 0;
    else if (this.#kept === this.#preludeEnd) this.#game.copy(this.#prelude, this.#state);
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

  /**
   * Plays games until one of them can make a tile, and keeps that game up to the first slide that makes the tile, even if
   * another slide was played there: greedy play avoids a later stage whose tables are still untrained. Throws RangeError if
   * none of `MOST_TRIED` games can.
   */
  #playTo({ tile, games: begun }: NonNullable<LearnerOptions["begin"]>, random: Random): void {
    const game = this.#game;
    const state = this.#state;
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      game.copy(this.#start, state);
      this.#plies = 0;
      this.#drawTiles(random);
      const end = this.#games.play(state, random, 0);
      this.#note(this.#games.actions.subarray(0, 2 * end));
      if (!this.#findTile(tile)) continue;
      this.#left = begun - 1;
      this.#known = 0;
      return;
    }
    throw new RangeError(
      `none of ${MOST_TRIED.toLocaleString("en")} games made the tile ${tile}, with which learning begins; start from weights that reach it, or name a smaller tile`,
    );
  }

  /** Replays the game up to the first slide that can make the tile, and keeps it up to there. */
  #findTile(tile: number): boolean {
    const game = this.#game;
    const { actions } = this;
    const at = this.#state;
    const next = this.#prelude;
    const legal = new Int32Array(game.maxLegal);
    game.copy(this.#start, at);
    for (const [ply, action] of actions.entries()) {
      if (at.toMove !== CHANCE && game.board(at).filter((each) => each === tile / 2).length >= 2)
        for (const slide of legal.subarray(0, game.legal(at, legal))) {
          game.copy(at, next);
          game.play(next, slide);
          if (game.figures.facts(next)["maxTile"]! < tile) continue;
          const decision = ply / 2 - 1;
          this.#actions[ply] = slide;
          this.#games.rewards[decision] = next.score - at.score;
          this.#kept = this.#preludeEnd = decision + 1;
          return true;
        }
      game.play(at, action);
    }
    return false;
  }

  /** Brings the state from the start of the game to the last afterstate that is kept. */
  #recall(): void {
    const state = this.#state;
    this.#games.afterstate(this.#kept - 1, this.#lines);
    setLines(state, this.#lines, this.#game.size);
    state.slides = 0;
    state.toMove = CHANCE;
    const { rewards } = this.#games;
    for (let decision = 0; decision < this.#kept; decision++) state.score += rewards[decision]!;
  }

  /** Brings the state there by replaying the actions, which gives the rewards again. */
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

/**
 * The number of plies of a game up to the last of its first `decisions` decisions. The game begins with two tiles; then
 * each decision is one ply, and between two decisions there is a tile.
 */
function pliesTo(decisions: number): number {
  return decisions === 0 ? 0 : 2 * decisions + 1;
}
