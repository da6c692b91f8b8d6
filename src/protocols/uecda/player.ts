import { ALL_OVER, GAME_OVER, GOES_ON, newTable, readStatus, REJECTED, type UecdaTable } from "./table.ts";
import { CARD_HIGH, CARD_LOW } from "../../games/daihinmin/cards.ts";
import { cardsOfReturn } from "../../games/daihinmin/deal.ts";
import { PLAYS } from "../../games/daihinmin/plays.ts";
import type { DaihinminState } from "../../games/daihinmin/state.ts";
import { tableOfPlay, writeCards } from "./cards.ts";
import type { UecdaObserver } from "./observer.ts";

/**
 * Decides: the action to play in a state in which the player is to move, after so many decisions of everyone in the series.
 * What the others hold in the state is made up; see `UecdaObserver`.
 */
export type Choose = (state: DaihinminState, decisions: number) => number;

/** What a player waits for next. */
export type Awaited = "table" | "number" | "nothing";

/** What is known of a player's games at the end of them. */
export interface UecdaTally {
  readonly games: number;
  /** By place, from the first: how often; a game whose places were drawn by lot in the end is in none. */
  readonly places: readonly number[];
  /** Plays that the server has not taken, passes apart. */
  readonly rejected: number;
}

type Step = "deal" | "turn" | "taken" | "played" | "end";

/**
 * The player's side of the UECda protocol, message by message, after its number is known.
 *
 * `take` and `takeNumber` are given what comes from the server, as `awaits` says; `take` returns what is to be answered.
 * Throws `UecdaNonsense` where the server says what cannot be.
 */
export class UecdaPlayer {
  readonly #observer: UecdaObserver;
  readonly #choose: Choose;
  readonly #differs: (what: string) => void;
  #step: Step = "deal";
  #over = false;
  #decisions = 0;
  #passed = true;
  #games = 0;
  readonly #places = [0, 0, 0, 0, 0];
  #rejected = 0;

  /** `differs` is told where the server's word and our rules disagree. */
  constructor(observer: UecdaObserver, choose: Choose, differs: (what: string) => void = () => undefined) {
    this.#observer = observer;
    this.#choose = choose;
    this.#differs = differs;
  }

  get awaits(): Awaited {
    if (this.#over) return "nothing";
    return this.#step === "taken" || this.#step === "end" ? "number" : "table";
  }

  get tally(): UecdaTally {
    return { games: this.#games, places: this.#places, rejected: this.#rejected };
  }

  /** Takes a table; the table to answer with, or undefined where none is asked for. */
  take(table: UecdaTable): UecdaTable | undefined {
    if (this.#step === "deal") return this.#deal(table);
    if (this.#step === "turn") return this.#turn(table);
    this.#observer.played(table);
    this.#decisions++;
    this.#step = "end";
    return undefined;
  }

  /** Takes a number. */
  takeNumber(number: number): void {
    if (this.#step === "taken") {
      if (number === REJECTED && !this.#passed) this.#rejected++;
      this.#step = "played";
      return;
    }
    this.#step = number === GOES_ON ? "turn" : "deal";
    this.#over = number === ALL_OVER;
    if (number !== GAME_OVER && number !== ALL_OVER) return;
    this.#games++;
    const place = this.#observer.place();
    if (place !== undefined) this.#places[place]!++;
  }

  #deal(table: UecdaTable): UecdaTable | undefined {
    this.#step = "turn";
    const returns = this.#observer.deal(table);
    // The daifugo decides before the fugo, and both before anyone plays.
    const before = this.#decisions;
    if (this.#observer.exchanges) this.#decisions += 2;
    if (returns === 0) return undefined;
    const action = this.#choose(this.#observer.state, before + 2 - returns);
    const response = newTable();
    for (const card of cardsOfReturn(action - PLAYS)) writeCards(CARD_LOW[card]!, CARD_HIGH[card]!, response);
    return response;
  }

  #turn(table: UecdaTable): UecdaTable | undefined {
    const difference = this.#observer.turn(table);
    if (difference !== undefined) this.#differs(difference);
    this.#step = "played";
    if (!readStatus(table).yourTurn) return undefined;
    this.#step = "taken";
    const response = tableOfPlay(this.#choose(this.#observer.state, this.#decisions));
    this.#passed = response.every((value) => value === 0);
    return response;
  }
}
