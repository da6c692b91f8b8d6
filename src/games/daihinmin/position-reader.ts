import { CHANCE, OVER } from "../game.ts";
import {
  ALL_HIGH,
  ALL_LOW,
  CARD_HIGH,
  CARD_LOW,
  cardOfText,
  CARDS,
  cardsIn,
  cardText,
  listCards,
  PLAYERS,
} from "./cards.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  HAS_EIGHT,
  HIGH_OF,
  KIND_OF,
  LONE_JOKER,
  LOW_OF,
  PASS,
  playOfText,
  SIZE_OF,
  SUITS_OF,
} from "./plays.ts";
import {
  DEALING,
  DEALT,
  DRAWING,
  ENDED,
  FIRST_RECEIVER,
  GAME,
  GIFTS,
  GONE,
  HANDS,
  HIGH,
  KIND,
  LAST,
  LOCKED,
  LOW,
  MOST_PASSES,
  newDaihinminState,
  NEXT,
  ON_TABLE,
  PASSED,
  PASSES,
  PHASE,
  PLACED,
  PLACES,
  playerOfRank,
  PLAYING,
  POINTS,
  RANKS,
  RECEIVER,
  RETURNING_ONE,
  RETURNING_TWO,
  REVOLUTION,
  SEATING,
  SIZE,
  SUITS_ON,
  TO_MOVE,
} from "./state.ts";
import { checkGifts, giftSizes, handOf } from "./position-gifts.ts";
import { ALL_PLAYERS, PositionParts, seatOrder, WrongPosition } from "./position-parts.ts";

/**
 * Reads one position, part after part, and refuses what the rules cannot make sense of: a card in two hands, points that
 * no deals give, gifts that lie with nobody.
 */
export class PositionReader {
  readonly #games: number;
  readonly #virtualRanks: boolean;
  readonly #phase: string;
  readonly #player: number;
  readonly #parts: PositionParts;
  readonly #words: Int32Array;

  constructor(
    text: string,
    { games, virtualRanks }: { readonly games: number; readonly virtualRanks: boolean },
  ) {
    this.#games = games;
    this.#virtualRanks = virtualRanks;
    this.#words = newDaihinminState(games).words;
    this.#parts = new PositionParts(text);
    this.#phase = this.#parts.phase;
    this.#player = this.#parts.player;
  }

  read(): Int32Array {
    const words = this.#words;
    this.#readDeal();
    const over = this.#phase === "over";
    if (!over) {
      this.#readOrder();
      this.#readSets("hands", HANDS, PLAYERS);
      this.#readSets("gifts", GIFTS, 4);
      this.#distinct();
    }
    this.#readPlaces();
    if (this.#phase === "play") this.#readTable();
    words[TO_MOVE] = over ? OVER : CHANCE;
    if (over) this.#over();
    else if (this.#phase === "seating" || this.#phase === "receiver") this.#beforeDealing();
    else if (this.#phase === "deal") this.#dealing();
    else if (this.#phase === "return") this.#returning();
    else if (this.#phase === "draw") this.#drawing();
    else this.#playing();
    this.#parts.end();
    return words;
  }

  /** The number of the deal, the places of the deal before and the points. */
  #readDeal(): void {
    const words = this.#words;
    const over = this.#phase === "over";
    const deal = this.#parts.number("deal", 1, this.#games, 1);
    const played = over ? deal : deal - 1;
    if (over && deal !== this.#games)
      throw new WrongPosition(
        "ERR_SCORE",
        `the match is over after deal ${deal}, but it has ${this.#games} deals`,
      );
    words[GAME] = played;
    const ranks = over ? undefined : this.#parts.numbers("ranks", PLAYERS);
    if (!over && (ranks !== undefined) !== played > 0)
      throw new WrongPosition(
        "ERR_SCORE",
        played > 0
          ? `deal ${deal} needs ranks, the places of the deal before`
          : "the first deal has no ranks",
      );
    if (ranks !== undefined) {
      if (!isPermutation(ranks, 1))
        throw new WrongPosition(
          "ERR_SCORE",
          `ranks is ${ranks.join()}; each place from 1 to 5 is there once`,
        );
      for (const [player, rank] of ranks.entries()) words[RANKS + player] = rank - 1;
    }
    const points = this.#parts.numbers("points", 4 * played) ?? [0, 0, 0, 0, 0];
    if (points.includes(-1) || points.reduce((sum, each) => sum + each, 0) !== 10 * played)
      throw new WrongPosition(
        "ERR_SCORE",
        `points are ${points.join()}; after ${played} deals their sum is ${10 * played}, 4, 3, 2, 1, 0 for each deal`,
      );
    for (const [player, each] of points.entries()) words[POINTS + player] = each;
    if (ranks !== undefined) this.#checkPoints(ranks, played);
  }

  /** Points that a place of the last deal has given, and what the deals before it may have given. */
  #checkPoints(places: readonly number[], played: number): void {
    for (const [player, place] of places.entries()) {
      const before = this.#words[POINTS + player]! - (PLAYERS - place);
      if (before < 0 || before > 4 * (played - 1))
        throw new WrongPosition(
          "ERR_SCORE",
          `player ${player + 1} has ${this.#words[POINTS + player]} points, which place ${place} in the last of ${played} deals cannot give`,
        );
    }
  }

  #readOrder(): void {
    const order = this.#parts.numbers("order", PLAYERS) ?? [1, 2, 3, 4, 5];
    if (order[0] !== 1 || !isPermutation(order, 1))
      throw new WrongPosition(
        "ERR_TURN",
        `order is ${order.join()}; each player is there once, player 1 first`,
      );
    for (const [i, player] of order.entries()) this.#words[NEXT + player - 1] = order[(i + 1) % PLAYERS]! - 1;
  }

  #readSets(key: string, at: number, count: number): void {
    const sets = (this.#parts.take(key) ?? Array.from({ length: count }, () => "-").join("/")).split("/");
    if (sets.length !== count)
      throw new WrongPosition(
        "ERR_SIZE",
        `${key} has ${sets.length} sets of cards between its "/", not ${count}`,
      );
    for (const [i, set] of sets.entries())
      for (const text of set === "-" ? [] : set.split(",")) {
        const card = cardOfText(text);
        if (card === undefined)
          throw new WrongPosition(
            "ERR_SYNTAX",
            `${key} has "${text}", which is not a card; cards are S3, HT, DA, C2, JK`,
          );
        if (this.#words[at + 2 * i]! & CARD_LOW[card]! || this.#words[at + 2 * i + 1]! & CARD_HIGH[card]!)
          throw new WrongPosition("ERR_CARDS", `${key} has ${text} twice`);
        this.#words[at + 2 * i]! |= CARD_LOW[card]!;
        this.#words[at + 2 * i + 1]! |= CARD_HIGH[card]!;
      }
  }

  /** No card is in two hands. */
  #distinct(): void {
    let low = 0;
    let high = 0;
    for (const player of ALL_PLAYERS) {
      const [l, h] = handOf(this.#words, player);
      if (low & l || high & h)
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} holds ${setText(low & l, high & h)}, as a player before does`,
        );
      low |= l;
      high |= h;
    }
  }

  #cards(player: number): number {
    return cardsIn(...handOf(this.#words, player));
  }

  #readPlaces(): void {
    const places = this.#parts.numbers("places", PLAYERS) ?? [-1, -1, -1, -1, -1];
    const given = places.filter((place) => place > 0);
    if (places.includes(0) || !isPermutation(given, 1))
      throw new WrongPosition(
        "ERR_SCORE",
        `places are ${places.join().replaceAll("-1", "-")}; those given are 1, 2, ... once each`,
      );
    for (const [player, place] of places.entries()) this.#words[PLACES + player] = place < 0 ? -1 : place - 1;
    this.#words[PLACED] = given.length;
  }

  #readTable(): void {
    const words = this.#words;
    const text = this.#parts.take("table");
    words[LOCKED] = this.#parts.take("lock") === undefined ? 0 : 1;
    words[REVOLUTION] = this.#parts.take("revolution") === undefined ? 0 : 1;
    if (text === undefined) {
      if (words[LOCKED] === 1)
        throw new WrongPosition("ERR_CARDS", "the suits are locked, but nothing is on the table");
      return;
    }
    const play = playOfText(text.replaceAll(",", " "));
    if (play === undefined || play === PASS)
      throw new WrongPosition(
        "ERR_SYNTAX",
        `the table has "${text}", which is not a play; plays are S3 or H4,*D4 or JK`,
      );
    if (HAS_EIGHT[play] === 1)
      throw new WrongPosition("ERR_CARDS", `the table has ${text}; a play with an 8 clears it`);
    const virtual = KIND_OF[play] !== LONE_JOKER && (LOW_OF[play] === 0 || HIGH_OF[play] === 14);
    if (virtual && !this.#virtualRanks)
      throw new WrongPosition(
        "ERR_CARDS",
        `the table has ${text}; here the joker does not stand above 2 or below 3`,
      );
    for (const player of ALL_PLAYERS) {
      const [low, high] = handOf(this.#words, player);
      if (low & CARDS_LOW[play]! || high & CARDS_HIGH[play]!)
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} holds a card of the play on the table, ${text}`,
        );
    }
    words[KIND] = KIND_OF[play]!;
    words[SIZE] = SIZE_OF[play]!;
    words[LOW] = LOW_OF[play]!;
    words[HIGH] = HIGH_OF[play]!;
    words[SUITS_ON] = SUITS_OF[play]!;
    words[ON_TABLE] = play;
  }

  #over(): void {
    const words = this.#words;
    if (words[PLACED] !== PLAYERS)
      throw new WrongPosition("ERR_SCORE", "the match is over, so every player has a place");
    const places = ALL_PLAYERS.map((player) => words[PLACES + player]! + 1);
    this.#checkPoints(places, this.#games);
    for (const player of ALL_PLAYERS) words[RANKS + player] = words[PLACES + player]!;
    words[PHASE] = ENDED;
  }

  #noneInHand(): void {
    if (ALL_PLAYERS.some((player) => this.#cards(player) > 0))
      throw new WrongPosition(
        "ERR_CARDS",
        `there are hands, but no card is dealt before ${this.#phase} is over`,
      );
  }

  /** Chance moves before any card is dealt, or deals: no place is given and no card has been given. */
  #nothingYet(): void {
    if (this.#words[PLACED] !== 0)
      throw new WrongPosition("ERR_SCORE", "there are places before play has begun");
    if (giftSizes(this.#words).some((count) => count > 0))
      throw new WrongPosition("ERR_CARDS", "there are gifts before all cards are dealt");
  }

  #beforeDealing(): void {
    const words = this.#words;
    this.#noneInHand();
    this.#nothingYet();
    const deal = words[GAME]! + 1;
    if (this.#phase === "receiver" && deal > 1)
      throw new WrongPosition(
        "ERR_TURN",
        `in deal ${deal} the winner of the deal before gets the first card`,
      );
    if (this.#phase === "seating" && (this.#games === 1 || deal % 3 !== 1))
      throw new WrongPosition("ERR_TURN", "players are seated before the deals 1, 4, 7, ... of several");
    words[PHASE] = this.#phase === "seating" ? SEATING : FIRST_RECEIVER;
    words[RECEIVER] = deal === 1 ? 0 : playerOfRank(words, 0);
  }

  #dealing(): void {
    const words = this.#words;
    this.#nothingYet();
    const order = seatOrder(words);
    const to = order.indexOf(this.#player);
    const dealt = ALL_PLAYERS.reduce((sum, player) => sum + this.#cards(player), 0);
    if (dealt === CARDS)
      throw new WrongPosition("ERR_CARDS", "all cards are dealt; the phase is return or play");
    for (let i = 1; i <= PLAYERS; i++) {
      // Those who got a card in the last round, which is not complete, sit just before the next receiver.
      const player = order[(to - i + PLAYERS) % PLAYERS]!;
      const count = Math.floor(dealt / PLAYERS) + (i <= dealt % PLAYERS ? 1 : 0);
      if (this.#cards(player) !== count)
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} has ${this.#cards(player)} of the ${dealt} cards dealt, not ${count}`,
        );
    }
    words[PHASE] = DEALING;
    words[DEALT] = dealt;
    words[RECEIVER] = this.#player;
  }

  #returning(): void {
    const words = this.#words;
    if (words[GAME] === 0) throw new WrongPosition("ERR_TURN", "there is no exchange in the first deal");
    if (words[PLACED] !== 0) throw new WrongPosition("ERR_SCORE", "there are places before play has begun");
    const two = this.#player === playerOfRank(words, 0);
    if (!two && this.#player !== playerOfRank(words, 1))
      throw new WrongPosition(
        "ERR_TURN",
        `player ${this.#player + 1} was neither first nor second and returns nothing`,
      );
    checkGifts(this.#words, two ? [2, 1, 0, 0] : [2, 1, 2, 0]);
    const more = two ? [2, 1, 0, -1, -2] : [0, 1, 0, -1, 0];
    let low = 0;
    let high = 0;
    for (const player of ALL_PLAYERS) {
      const dealt = this.#cards(player) - more[words[RANKS + player]!]!;
      if (dealt !== 10 && dealt !== 11)
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} has ${this.#cards(player)} cards, so ${dealt} were dealt to it, not 10 or 11`,
        );
      low |= handOf(this.#words, player)[0];
      high |= handOf(this.#words, player)[1];
    }
    if (low !== ALL_LOW || high !== ALL_HIGH)
      throw new WrongPosition("ERR_CARDS", `in nobody's hand: ${setText(ALL_LOW & ~low, ALL_HIGH & ~high)}`);
    words[PHASE] = two ? RETURNING_TWO : RETURNING_ONE;
    words[TO_MOVE] = this.#player;
    words[DEALT] = CARDS;
  }

  /** Players without a card have a place, in the order of places before all that have one by lot. */
  #checkGone(drawn: boolean): void {
    const words = this.#words;
    const gone = ALL_PLAYERS.filter((player) => this.#cards(player) === 0);
    for (const player of ALL_PLAYERS) {
      const place = words[PLACES + player]!;
      if (gone.includes(player) ? place < 0 || place >= gone.length : place >= 0 && !drawn)
        throw new WrongPosition(
          "ERR_SCORE",
          `player ${player + 1} has ${this.#cards(player)} cards and ${place < 0 ? "no place" : `place ${place + 1}`}; those without cards have the places from 1 on`,
        );
    }
    if (words[PLACED]! > PLAYERS - 2)
      throw new WrongPosition(
        "ERR_SCORE",
        `${words[PLACED]} players have a place; with the fourth the deal is over`,
      );
    for (const player of gone) words[GONE]! |= 1 << player;
    words[DEALT] = CARDS;
  }

  #drawing(): void {
    this.#checkGone(true);
    checkGifts(this.#words, this.#words[GAME] === 0 ? [0, 0, 0, 0] : [2, 1, 2, 1]);
    this.#words[PHASE] = DRAWING;
    this.#words[PASSES] = MOST_PASSES;
  }

  #playing(): void {
    const words = this.#words;
    this.#checkGone(false);
    checkGifts(this.#words, words[GAME] === 0 ? [0, 0, 0, 0] : [2, 1, 2, 1]);
    const last = this.#parts.number("last", 1, PLAYERS, 0);
    if (last === 0)
      throw new WrongPosition("ERR_SYNTAX", "the part last is missing: who played cards last, or leads");
    const passed = this.#parts.take("passed")?.split(",") ?? [];
    for (const text of passed) {
      if (!/^[1-5]$/.test(text))
        throw new WrongPosition("ERR_SYNTAX", `passed has "${text}", which is not a player from 1 to 5`);
      const bit = 1 << (Number(text) - 1);
      if (words[PASSED]! & bit) throw new WrongPosition("ERR_SYNTAX", `passed has player ${text} twice`);
      if (words[GONE]! & bit)
        throw new WrongPosition("ERR_TURN", `player ${text} has passed, but has no cards left`);
      words[PASSED]! |= bit;
    }
    if (((words[PASSED]! | words[GONE]!) >> this.#player) & 1)
      throw new WrongPosition(
        "ERR_TURN",
        `player ${this.#player + 1} is to move, but has passed or has no cards left`,
      );
    words[PASSES] = this.#parts.number("passes", 0, MOST_PASSES - 1, 0);
    words[LAST] = last - 1;
    words[PHASE] = PLAYING;
    words[TO_MOVE] = this.#player;
  }
}

function setText(low: number, high: number): string {
  const cards = new Uint8Array(CARDS);
  return Array.from(cards.subarray(0, listCards(low, high, cards)), cardText).join();
}

/** Whether the numbers are `first`, first + 1, ... in any order. */
function isPermutation(numbers: readonly number[], first: number): boolean {
  return numbers.toSorted((a, b) => a - b).every((number, i) => number === first + i);
}
