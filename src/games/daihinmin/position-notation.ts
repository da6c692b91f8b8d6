import { CHANCE, OVER } from "../game.ts";
import type { PositionError, PositionErrorCode, PositionReading } from "../game.ts";
import { noPosition } from "../position-text.ts";
import {
  ALL_HIGH,
  ALL_LOW,
  CARD_HIGH,
  CARD_LOW,
  cardOfText,
  CARDS,
  cardsIn,
  cardText,
  exchangeStrength,
  listCards,
  PLAYERS,
} from "./cards.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  EMPTY,
  HAS_EIGHT,
  HIGH_OF,
  KIND_OF,
  LONE_JOKER,
  LOW_OF,
  PASS,
  playOfText,
  playText,
  SIZE_OF,
  SUITS_OF,
} from "./plays.ts";
import {
  DEALING,
  DEALT,
  type DaihinminState,
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

/** The words for the phases of a deal; a player follows some of them: `play:3`. */
const PHASE_WORDS: Readonly<Record<number, string>> = {
  [SEATING]: "seating",
  [FIRST_RECEIVER]: "receiver",
  [DEALING]: "deal",
  [RETURNING_TWO]: "return",
  [RETURNING_ONE]: "return",
  [PLAYING]: "play",
  [DRAWING]: "draw",
  [ENDED]: "over",
};

const ALL_PLAYERS = [0, 1, 2, 3, 4];

/**
 * A position of Daihinmin as text: parts separated by blanks, the phase first. Players are 1 to 5.
 *
 * - `seating`, `receiver`: chance seats the players, or says who gets the first card. `deal:2`: the next card is dealt to
 *   player 2. `return:4`: player 4 returns cards. `play:3`: player 3 is to move. `draw`: the remaining places are
 *   drawn. `over`: all is over.
 * - `hands=S3,H4/JK/-/...`: the cards of each player, `-` for none
 * - `table=H4,D4`: the play on the table; `lock`: only its suits may be played; `revolution`
 * - `last=2`: who played cards last (before the first play: who leads); `passed=1,5`: who has passed since the table was
 *   cleared; `passes=2`: passes in a row
 * - `places=-,1,-,-,2`: the places of this deal so far
 * - `order=1,3,2,5,4`: how the players sit, from player 1 on
 * - `deal=2`: the number of the deal; `ranks=`: the places of the deal before; `points=`: the sum so far, 4 for a first
 *   place down to 0 for a last one
 * - `gifts=S2,JK/HA/C3,D4/S5`: the cards of the exchange: from fifth to first, from fourth to second, from first to fifth,
 *   from second to fourth
 *
 * A part is left out where it says nothing: nobody, no cards, players in order, first deal.
 */
export function daihinminPositionText({ words }: DaihinminState): string {
  const phase = words[PHASE]!;
  const over = phase === ENDED;
  const playing = phase === PLAYING;
  const byPlayer = (at: number, offset: number) =>
    ALL_PLAYERS.map((player) => words[at + player]! + offset).join();
  const order = seatOrder(words).map((player) => player + 1);
  const parts = [
    PHASE_WORDS[phase]! +
      (phase === DEALING
        ? `:${words[RECEIVER]! + 1}`
        : words[TO_MOVE]! >= 0
          ? `:${words[TO_MOVE]! + 1}`
          : ""),
  ];
  const add = (key: string, value: string, nothing: string) => {
    if (value !== nothing) parts.push(`${key}=${value}`);
  };
  if (!over) add("hands", setsText(words, HANDS, PLAYERS), "-/-/-/-/-");
  if (playing) {
    if (words[KIND] !== EMPTY) parts.push(`table=${playText(words[ON_TABLE]!).replaceAll(" ", ",")}`);
    if (words[LOCKED] === 1) parts.push("lock");
    if (words[REVOLUTION] === 1) parts.push("revolution");
    add("last", String(words[LAST]! + 1), "");
    add(
      "passed",
      ALL_PLAYERS.filter((player) => (words[PASSED]! >> player) & 1)
        .map((player) => player + 1)
        .join(),
      "",
    );
    add("passes", String(words[PASSES]!), "0");
  }
  add("places", byPlayer(PLACES, 1).replaceAll(/\b0\b/g, "-"), "-,-,-,-,-");
  if (!over) add("order", order.join(), "1,2,3,4,5");
  add("deal", String(words[GAME]! + (over ? 0 : 1)), "1");
  if (!over && words[GAME]! > 0) parts.push(`ranks=${byPlayer(RANKS, 1)}`);
  add("points", byPlayer(POINTS, 0), "0,0,0,0,0");
  if (!over) add("gifts", setsText(words, GIFTS, 4), "-/-/-/-");
  return parts.join(" ");
}

/** The players as they sit, from player 0 on. */
function seatOrder(words: Int32Array): number[] {
  const order = [0];
  for (let player = words[NEXT]!; player !== 0; player = words[NEXT + player]!) order.push(player);
  return order;
}

function setsText(words: Int32Array, at: number, sets: number): string {
  return Array.from({ length: sets }, (_, i) => {
    const cards = new Uint8Array(CARDS);
    const count = listCards(words[at + 2 * i]!, words[at + 2 * i + 1]!, cards);
    return count === 0 ? "-" : Array.from(cards.subarray(0, count), cardText).join();
  }).join("/");
}

/** What is wrong with a text; thrown and caught in this file alone. */
class Wrong extends Error {
  readonly reading: { readonly error: PositionError };

  constructor(code: PositionErrorCode, message: string) {
    super(message);
    this.reading = noPosition(code, message);
  }
}

/** Reads what `daihinminPositionText` writes, its parts in any order after the first one. */
export function parseDaihinminPosition(
  text: string,
  options: { readonly games: number; readonly virtualRanks: boolean },
): PositionReading<DaihinminState> {
  try {
    return { state: { words: new PositionReader(text, options).read() } };
  } catch (error) {
    if (error instanceof Wrong) return error.reading;
    throw error;
  }
}

const KEYS = [
  "hands",
  "table",
  "last",
  "passed",
  "passes",
  "places",
  "order",
  "deal",
  "ranks",
  "points",
  "gifts",
];
const FLAGS = ["lock", "revolution"];

/** Reads one position, part after part. */
class PositionReader {
  readonly #games: number;
  readonly #virtualRanks: boolean;
  readonly #phase: string;
  readonly #player: number;
  readonly #parts = new Map<string, string>();
  readonly #words: Int32Array;

  constructor(
    text: string,
    { games, virtualRanks }: { readonly games: number; readonly virtualRanks: boolean },
  ) {
    this.#games = games;
    this.#virtualRanks = virtualRanks;
    this.#words = newDaihinminState(games).words;
    const [first, ...rest] = text.split(" ");
    const phase = /^(seating|receiver|draw|over)$|^(deal|return|play):([1-5])$/.exec(first!);
    if (phase === null)
      throw new Wrong(
        "ERR_SYNTAX",
        `the position begins with "${first}"; it begins with seating, receiver, deal:P, return:P, play:P, draw or over, P a player from 1 to 5`,
      );
    this.#phase = phase[1] ?? phase[2]!;
    this.#player = phase[3] === undefined ? -1 : Number(phase[3]) - 1;
    for (const part of rest) {
      const [key, value] = FLAGS.includes(part) ? [part, ""] : splitOnce(part);
      if (value === undefined || !(KEYS.includes(key) || (FLAGS.includes(key) && part === key)))
        throw new Wrong(
          "ERR_SYNTAX",
          `there is no part "${part}"; parts are ${[...FLAGS, ...KEYS].join(", ")}`,
        );
      if (this.#parts.has(key)) throw new Wrong("ERR_SYNTAX", `the part "${key}" stands twice`);
      this.#parts.set(key, value);
    }
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
    const [unread] = this.#parts.keys();
    if (unread !== undefined)
      throw new Wrong("ERR_SYNTAX", `the part "${unread}" has no meaning in the phase ${this.#phase}`);
    return words;
  }

  /** The value of a part; each is taken once. */
  #take(key: string): string | undefined {
    const value = this.#parts.get(key);
    this.#parts.delete(key);
    return value;
  }

  #number(key: string, least: number, most: number, otherwise: number): number {
    const text = this.#take(key);
    if (text === undefined) return otherwise;
    const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (value < least || value > most)
      throw new Wrong("ERR_SYNTAX", `${key} is "${text}"; it is a whole number from ${least} to ${most}`);
    return value;
  }

  /** Five numbers, one a player, or undefined where the part is missing; `-` is -1. */
  #numbers(key: string, most: number): number[] | undefined {
    const text = this.#take(key);
    if (text === undefined) return undefined;
    const values = text.split(",");
    if (values.length !== PLAYERS)
      throw new Wrong("ERR_SIZE", `${key} has ${values.length} entries, not ${PLAYERS}, one for each player`);
    return values.map((value) => {
      const number = value === "-" ? -1 : /^\d{1,6}$/.test(value) ? Number(value) : Infinity;
      if (number > most)
        throw new Wrong(
          "ERR_SYNTAX",
          `${key} has "${value}"; an entry is "-" or a whole number up to ${most}`,
        );
      return number;
    });
  }

  /** The number of the deal, the places of the deal before and the points. */
  #readDeal(): void {
    const words = this.#words;
    const over = this.#phase === "over";
    const deal = this.#number("deal", 1, this.#games, 1);
    const played = over ? deal : deal - 1;
    if (over && deal !== this.#games)
      throw new Wrong("ERR_SCORE", `all is over after deal ${deal}, but there are ${this.#games} deals`);
    words[GAME] = played;
    const ranks = over ? undefined : this.#numbers("ranks", PLAYERS);
    if (!over && (ranks !== undefined) !== played > 0)
      throw new Wrong(
        "ERR_SCORE",
        played > 0
          ? `deal ${deal} needs ranks, the places of the deal before`
          : "the first deal has no ranks",
      );
    if (ranks !== undefined) {
      if (!isPermutation(ranks, 1))
        throw new Wrong("ERR_SCORE", `ranks is ${ranks.join()}; each place from 1 to 5 is there once`);
      for (const [player, rank] of ranks.entries()) words[RANKS + player] = rank - 1;
    }
    const points = this.#numbers("points", 4 * played) ?? [0, 0, 0, 0, 0];
    if (points.includes(-1) || points.reduce((sum, each) => sum + each, 0) !== 10 * played)
      throw new Wrong(
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
        throw new Wrong(
          "ERR_SCORE",
          `player ${player + 1} has ${this.#words[POINTS + player]} points, which place ${place} in the last of ${played} deals cannot give`,
        );
    }
  }

  #readOrder(): void {
    const order = this.#numbers("order", PLAYERS) ?? [1, 2, 3, 4, 5];
    if (order[0] !== 1 || !isPermutation(order, 1))
      throw new Wrong("ERR_TURN", `order is ${order.join()}; each player is there once, player 1 first`);
    for (const [i, player] of order.entries()) this.#words[NEXT + player - 1] = order[(i + 1) % PLAYERS]! - 1;
  }

  #readSets(key: string, at: number, count: number): void {
    const sets = (this.#take(key) ?? Array.from({ length: count }, () => "-").join("/")).split("/");
    if (sets.length !== count)
      throw new Wrong("ERR_SIZE", `${key} has ${sets.length} sets of cards between its "/", not ${count}`);
    for (const [i, set] of sets.entries())
      for (const text of set === "-" ? [] : set.split(",")) {
        const card = cardOfText(text);
        if (card === undefined)
          throw new Wrong(
            "ERR_SYNTAX",
            `${key} has "${text}", which is no card; cards are S3, HT, DA, C2, JK`,
          );
        if (this.#words[at + 2 * i]! & CARD_LOW[card]! || this.#words[at + 2 * i + 1]! & CARD_HIGH[card]!)
          throw new Wrong("ERR_CARDS", `${key} has ${text} twice`);
        this.#words[at + 2 * i]! |= CARD_LOW[card]!;
        this.#words[at + 2 * i + 1]! |= CARD_HIGH[card]!;
      }
  }

  /** No card is in two hands. */
  #distinct(): void {
    let low = 0;
    let high = 0;
    for (const player of ALL_PLAYERS) {
      const [l, h] = this.#hand(player);
      if (low & l || high & h)
        throw new Wrong(
          "ERR_CARDS",
          `player ${player + 1} holds ${setText(low & l, high & h)}, as a player before does`,
        );
      low |= l;
      high |= h;
    }
  }

  #hand(player: number): readonly [low: number, high: number] {
    return [this.#words[HANDS + 2 * player]!, this.#words[HANDS + 2 * player + 1]!];
  }

  #cards(player: number): number {
    return cardsIn(...this.#hand(player));
  }

  #readPlaces(): void {
    const places = this.#numbers("places", PLAYERS) ?? [-1, -1, -1, -1, -1];
    const given = places.filter((place) => place > 0);
    if (places.includes(0) || !isPermutation(given, 1))
      throw new Wrong(
        "ERR_SCORE",
        `places are ${places.join().replaceAll("-1", "-")}; those given are 1, 2, ... once each`,
      );
    for (const [player, place] of places.entries()) this.#words[PLACES + player] = place < 0 ? -1 : place - 1;
    this.#words[PLACED] = given.length;
  }

  #readTable(): void {
    const words = this.#words;
    const text = this.#take("table");
    words[LOCKED] = this.#take("lock") === undefined ? 0 : 1;
    words[REVOLUTION] = this.#take("revolution") === undefined ? 0 : 1;
    if (text === undefined) {
      if (words[LOCKED] === 1)
        throw new Wrong("ERR_CARDS", "the suits are locked, but nothing is on the table");
      return;
    }
    const play = playOfText(text.replaceAll(",", " "));
    if (play === undefined || play === PASS)
      throw new Wrong(
        "ERR_SYNTAX",
        `the table has "${text}", which is no play; plays are S3 or H4,*D4 or JK`,
      );
    if (HAS_EIGHT[play] === 1)
      throw new Wrong("ERR_CARDS", `the table has ${text}; a play with an 8 clears it`);
    const virtual = KIND_OF[play] !== LONE_JOKER && (LOW_OF[play] === 0 || HIGH_OF[play] === 14);
    if (virtual && !this.#virtualRanks)
      throw new Wrong("ERR_CARDS", `the table has ${text}; here the joker does not stand above 2 or below 3`);
    for (const player of ALL_PLAYERS) {
      const [low, high] = this.#hand(player);
      if (low & CARDS_LOW[play]! || high & CARDS_HIGH[play]!)
        throw new Wrong("ERR_CARDS", `player ${player + 1} holds a card of the play on the table, ${text}`);
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
    if (words[PLACED] !== PLAYERS) throw new Wrong("ERR_SCORE", "all is over, so every player has a place");
    const places = ALL_PLAYERS.map((player) => words[PLACES + player]! + 1);
    this.#checkPoints(places, this.#games);
    for (const player of ALL_PLAYERS) words[RANKS + player] = words[PLACES + player]!;
    words[PHASE] = ENDED;
  }

  #noneInHand(): void {
    if (ALL_PLAYERS.some((player) => this.#cards(player) > 0))
      throw new Wrong("ERR_CARDS", `there are hands, but no card is dealt before ${this.#phase} is over`);
  }

  /** Chance moves before any card is dealt, or deals: no place is given and no card has been given. */
  #nothingYet(): void {
    if (this.#words[PLACED] !== 0) throw new Wrong("ERR_SCORE", "there are places before play has begun");
    if (this.#gifts().some((count) => count > 0))
      throw new Wrong("ERR_CARDS", "there are gifts before all cards are dealt");
  }

  #beforeDealing(): void {
    const words = this.#words;
    this.#noneInHand();
    this.#nothingYet();
    const deal = words[GAME]! + 1;
    if (this.#phase === "receiver" && deal > 1)
      throw new Wrong("ERR_TURN", `in deal ${deal} the winner of the deal before gets the first card`);
    if (this.#phase === "seating" && (this.#games === 1 || deal % 3 !== 1))
      throw new Wrong("ERR_TURN", "players are seated before the deals 1, 4, 7, ... of several");
    words[PHASE] = this.#phase === "seating" ? SEATING : FIRST_RECEIVER;
    words[RECEIVER] = deal === 1 ? 0 : playerOfRank(words, 0);
  }

  #dealing(): void {
    const words = this.#words;
    this.#nothingYet();
    const order = seatOrder(words);
    const to = order.indexOf(this.#player);
    const dealt = ALL_PLAYERS.reduce((sum, player) => sum + this.#cards(player), 0);
    if (dealt === CARDS) throw new Wrong("ERR_CARDS", "all cards are dealt; the phase is return or play");
    for (let i = 1; i <= PLAYERS; i++) {
      // Those who got a card in the last round, which is not complete, sit just before the next receiver.
      const player = order[(to - i + PLAYERS) % PLAYERS]!;
      const count = Math.floor(dealt / PLAYERS) + (i <= dealt % PLAYERS ? 1 : 0);
      if (this.#cards(player) !== count)
        throw new Wrong(
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
    if (words[GAME] === 0) throw new Wrong("ERR_TURN", "there is no exchange in the first deal");
    if (words[PLACED] !== 0) throw new Wrong("ERR_SCORE", "there are places before play has begun");
    const two = this.#player === playerOfRank(words, 0);
    if (!two && this.#player !== playerOfRank(words, 1))
      throw new Wrong(
        "ERR_TURN",
        `player ${this.#player + 1} was neither first nor second and returns nothing`,
      );
    this.#checkGifts(two ? [2, 1, 0, 0] : [2, 1, 2, 0]);
    const more = two ? [2, 1, 0, -1, -2] : [0, 1, 0, -1, 0];
    let low = 0;
    let high = 0;
    for (const player of ALL_PLAYERS) {
      const dealt = this.#cards(player) - more[words[RANKS + player]!]!;
      if (dealt !== 10 && dealt !== 11)
        throw new Wrong(
          "ERR_CARDS",
          `player ${player + 1} has ${this.#cards(player)} cards, so ${dealt} were dealt to it, not 10 or 11`,
        );
      low |= this.#hand(player)[0];
      high |= this.#hand(player)[1];
    }
    if (low !== ALL_LOW || high !== ALL_HIGH)
      throw new Wrong("ERR_CARDS", `in nobody's hand: ${setText(ALL_LOW & ~low, ALL_HIGH & ~high)}`);
    words[PHASE] = two ? RETURNING_TWO : RETURNING_ONE;
    words[TO_MOVE] = this.#player;
    words[DEALT] = CARDS;
  }

  /** Who has no card left has a place, in the order of places before all who have one by lot. */
  #checkGone(drawn: boolean): void {
    const words = this.#words;
    const gone = ALL_PLAYERS.filter((player) => this.#cards(player) === 0);
    for (const player of ALL_PLAYERS) {
      const place = words[PLACES + player]!;
      if (gone.includes(player) ? place < 0 || place >= gone.length : place >= 0 && !drawn)
        throw new Wrong(
          "ERR_SCORE",
          `player ${player + 1} has ${this.#cards(player)} cards and ${place < 0 ? "no place" : `place ${place + 1}`}; those without cards have the places from 1 on`,
        );
    }
    if (words[PLACED]! > PLAYERS - 2)
      throw new Wrong("ERR_SCORE", `${words[PLACED]} players have a place; with the fourth the deal is over`);
    for (const player of gone) words[GONE]! |= 1 << player;
    words[DEALT] = CARDS;
  }

  #drawing(): void {
    this.#checkGone(true);
    this.#checkGifts(this.#words[GAME] === 0 ? [0, 0, 0, 0] : [2, 1, 2, 1]);
    this.#words[PHASE] = DRAWING;
    this.#words[PASSES] = MOST_PASSES;
  }

  #playing(): void {
    const words = this.#words;
    this.#checkGone(false);
    this.#checkGifts(words[GAME] === 0 ? [0, 0, 0, 0] : [2, 1, 2, 1]);
    const last = this.#number("last", 1, PLAYERS, 0);
    if (last === 0)
      throw new Wrong("ERR_SYNTAX", "the part last is missing: who played cards last, or leads");
    const passed = this.#take("passed")?.split(",") ?? [];
    for (const text of passed) {
      if (!/^[1-5]$/.test(text))
        throw new Wrong("ERR_SYNTAX", `passed has "${text}", which is no player from 1 to 5`);
      const bit = 1 << (Number(text) - 1);
      if (words[PASSED]! & bit) throw new Wrong("ERR_SYNTAX", `passed has player ${text} twice`);
      if (words[GONE]! & bit) throw new Wrong("ERR_TURN", `player ${text} has passed, but has no cards left`);
      words[PASSED]! |= bit;
    }
    if (((words[PASSED]! | words[GONE]!) >> this.#player) & 1)
      throw new Wrong(
        "ERR_TURN",
        `player ${this.#player + 1} is to move, but has passed or has no cards left`,
      );
    words[PASSES] = this.#number("passes", 0, MOST_PASSES - 1, 0);
    words[LAST] = last - 1;
    words[PHASE] = PLAYING;
    words[TO_MOVE] = this.#player;
  }

  /** By gift: its number of cards. */
  #gifts(): number[] {
    return [0, 1, 2, 3].map((i) => cardsIn(this.#words[GIFTS + 2 * i]!, this.#words[GIFTS + 2 * i + 1]!));
  }

  /**
   * The gifts have so many cards, lie where they were given or have been played, and who gave its strongest cards holds
   * no stronger one of its own: what `determinize` relies on.
   */
  #checkGifts(counts: readonly number[]): void {
    const words = this.#words;
    const given = this.#gifts();
    if (given.join() !== counts.join())
      throw new Wrong(
        "ERR_CARDS",
        `the gifts have ${given.join(", ")} cards; here they have ${counts.join(", ")}`,
      );
    if (given[0] === 0) return;
    for (const [rank, gift] of [
      [4, GIFTS],
      [3, GIFTS + 2],
    ] as const) {
      const giver = playerOfRank(words, rank);
      const receiver = playerOfRank(words, 4 - rank);
      const [low, high] = [words[gift]!, words[gift + 1]!];
      const [backLow, backHigh] = [words[gift + 4]!, words[gift + 5]!];
      for (const player of ALL_PLAYERS) {
        const [handLow, handHigh] = this.#hand(player);
        if (player !== receiver && (handLow & low & ~backLow || handHigh & high & ~backHigh))
          throw new Wrong(
            "ERR_CARDS",
            `player ${player + 1} holds a card that was given to player ${receiver + 1}`,
          );
        if (player !== giver && (handLow & backLow || handHigh & backHigh))
          throw new Wrong(
            "ERR_CARDS",
            `player ${player + 1} holds a card that was returned to player ${giver + 1}`,
          );
      }
      const [ownLow, ownHigh] = this.#hand(giver);
      if (strongest(ownLow & ~backLow, ownHigh & ~backHigh) > weakest(low, high))
        throw new Wrong(
          "ERR_CARDS",
          `player ${giver + 1} holds a card stronger than the strongest that it gave`,
        );
    }
  }
}

function strengths(low: number, high: number): number[] {
  const cards = new Uint8Array(CARDS);
  return Array.from(cards.subarray(0, listCards(low, high, cards)), exchangeStrength);
}

function strongest(low: number, high: number): number {
  return Math.max(-1, ...strengths(low, high));
}

function weakest(low: number, high: number): number {
  return Math.min(CARDS, ...strengths(low, high));
}

function setText(low: number, high: number): string {
  const cards = new Uint8Array(CARDS);
  return Array.from(cards.subarray(0, listCards(low, high, cards)), cardText).join();
}

/** Whether the numbers are `first`, first + 1, ... in any order. */
function isPermutation(numbers: readonly number[], first: number): boolean {
  return numbers.toSorted((a, b) => a - b).every((number, i) => number === first + i);
}

function splitOnce(text: string): [key: string, value: string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
