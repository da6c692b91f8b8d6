import { ALL_OVER, GAME_OVER, CONTINUES, type UecdaTable } from "./table.ts";
import { PLAYERS } from "../../games/daihinmin/cards.ts";
import { GAME, PHASE, PLAYING, RANKS } from "../../games/daihinmin/state.ts";
import type { DaihinminState, GameDaihinmin } from "../../games/daihinmin/daihinmin.ts";
import { CHANCE, OVER } from "../../games/game.ts";
import { dealTable, judgePlay, judgeReturn, playedTable, turnTable } from "./server-tables.ts";
import type { Random } from "../../random.ts";
import type { UecdaSeat } from "./seat.ts";

/** A finished game of a series. */
export interface UecdaResult {
  /** Counted from 0. */
  readonly game: number;
  /** By player: its place, from 0. */
  readonly places: readonly number[];
}

/** A series and its players. */
export interface UecdaMatchOptions {
  readonly game: GameDaihinmin;
  /** Five players, by number. */
  readonly seats: readonly UecdaSeat[];
  /** For seats, deals, and places that are drawn. */
  readonly random: Random;
  /** Whether another series of these players follows, which begins without places: to the players, it is one sequence of games. */
  readonly continues?: boolean;
  readonly onGame?: (result: UecdaResult) => void;
}

/**
 * Plays a series of games as a UECda server does: deals, has cards exchanged, requests each play and sends everyone what was
 * played. The series is played to its end, whatever the players do. Returns its actions as an episode has them: outcomes
 * of chance and decisions in order.
 */
export async function playUecdaMatch(options: UecdaMatchOptions): Promise<Int32Array> {
  const match = new UecdaMatch(options);
  await match.run();
  return Int32Array.from(match.actions);
}

class UecdaMatch {
  readonly actions: number[] = [];
  readonly #game: GameDaihinmin;
  readonly #seats: readonly UecdaSeat[];
  readonly #random: Random;
  readonly #onGame: (result: UecdaResult) => void;
  readonly #atEnd: number;
  readonly #state: DaihinminState;
  readonly #legal: Int32Array;

  constructor({ game, continues = false, seats, random, onGame = () => undefined }: UecdaMatchOptions) {
    if (seats.length !== PLAYERS) throw new RangeError(`a match has ${PLAYERS} players, not ${seats.length}`);
    this.#game = game;
    this.#seats = seats;
    this.#random = random;
    this.#onGame = onGame;
    this.#atEnd = continues ? GAME_OVER : ALL_OVER;
    this.#state = game.initial();
    this.#legal = new Int32Array(game.maxLegal);
  }

  async run(): Promise<void> {
    this.#drawChance();
    while (this.#mover() !== OVER) {
      const game = this.#state.words[GAME]!;
      this.#sendTables((player) => dealTable(this.#state, player));
      while (this.#state.words[PHASE] !== PLAYING) {
        const table = await this.#seats[this.#mover()]!.response();
        this.#play(judgeReturn(this.#state, table).action);
      }
      while (this.#state.words[GAME] === game) await this.#turn();
      this.#drawChance();
    }
  }

  async #turn(): Promise<void> {
    const { words } = this.#state;
    const game = words[GAME]!;
    const seat = this.#seats[this.#mover()]!;
    this.#sendTables((player) => turnTable(this.#state, player));
    const { action, acknowledgement } = judgePlay(
      this.#game,
      this.#state,
      await seat.response(),
      this.#legal,
    );
    seat.sendNumber(acknowledgement);
    const played = playedTable(this.#state, action);
    this.#sendTables(() => played);
    this.#play(action);
    // Places may be drawn now. The deal of the next game waits until all players know that this one is over.
    while (words[GAME] === game && this.#mover() === CHANCE) this.#drawOnce();
    const over = words[GAME] !== game;
    const afterTurn = this.#mover() === OVER ? this.#atEnd : over ? GAME_OVER : CONTINUES;
    for (const each of this.#seats) each.sendNumber(afterTurn);
    if (over) this.#onGame({ game, places: [...words.subarray(RANKS, RANKS + PLAYERS)] });
  }

  #mover(): number {
    return this.#game.toMove(this.#state);
  }

  #play(action: number): void {
    this.#game.play(this.#state, action);
    this.actions.push(action);
  }

  #drawOnce(): void {
    this.#play(this.#game.chance.sample(this.#state, this.#random));
  }

  #drawChance(): void {
    while (this.#mover() === CHANCE) this.#drawOnce();
  }

  #sendTables(tableFor: (player: number) => UecdaTable): void {
    for (const [player, seat] of this.#seats.entries()) seat.sendTable(tableFor(player));
  }
}
