import { ALL_OVER, GAME_OVER, CONTINUES, newTable, readStatus, REJECTED, type UecdaTable } from "./table.ts";
import { CARD_HIGH, CARD_LOW } from "../../games/daihinmin/cards.ts";
import { cardsOfReturn } from "../../games/daihinmin/deal.ts";
import { PLAYS } from "../../games/daihinmin/plays.ts";
import type { DaihinminState } from "../../games/daihinmin/state.ts";
import { tableOfPlay, writeCards } from "./cards.ts";
import type { UecdaObserver } from "./observer.ts";

/**
 * Chooses the action in a state in which the player is to move; `decisions` counts those of all players in the series so
 * far. The hands of the others in the state are made up; see `UecdaObserver`.
 */
export type Choose = (state: DaihinminState, decisions: number) => number;

/** What a player waits for next. */
export type Awaited = "table" | "number" | "nothing";

/** What is known of a player's games after them. */
export interface UecdaTally {
  readonly games: number;
  /** How often the player had each place, from the first on. Games whose last places were drawn by lot are not counted. */
  readonly places: readonly number[];
  /** The number of plays that the server has rejected, without passes. */
  readonly rejected: number;
}

type Step = "deal" | "turn" | "taken" | "played" | "end";

/**
 * The player's side of the UECda protocol, message by message, after its number is known.
 *
 * `awaits` says whether a table or a number comes next from the server: give it to `take` or `takeNumber`. `take` returns
 * the response, if one is due. Both throw `UecdaNonsense` if the server has sent something impossible.
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

  /** `differs` receives each contradiction between the tables of the server and our rules. */
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

  /** Takes a table; returns the table to respond with, or undefined if none is due. */
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
    this.#step = number === CONTINUES ? "turn" : "deal";
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
