import { drawBit } from "../bits.ts";
import type { Random } from "../../random.ts";
import {
  ALL_HIGH,
  ALL_LOW,
  BY_STRENGTH,
  CARD_AT,
  CARD_HIGH,
  CARD_LOW,
  CARDS,
  listCards,
  PLAYERS,
} from "./cards.ts";
import {
  DEALING,
  DEALT,
  DRAWING,
  endGame,
  FIRST_RECEIVER,
  GIFTS,
  givePlace,
  HANDS,
  LAST,
  NEXT,
  PHASE,
  PLACES,
  playerOfRank,
  PLAYING,
  RANKS,
  RECEIVER,
  RETURNING_ONE,
  RETURNING_TWO,
  SEATING,
  TO_MOVE,
} from "./state.ts";
import type { Chance } from "../game.ts";
import type { DaihinminState } from "./state.ts";

/** Orders of five players around the table, by number: 120 permutations. */
const SEATINGS: readonly (readonly number[])[] = permutations([0, 1, 2, 3, 4]);

/** The bit of the 3 of diamonds in a set's high word. */
const DIAMOND_THREE = 1 << 1;

/**
 * Chance decides how players sit (outcome: the number of a permutation), who gets the first card (the player), which card
 * is dealt next (the card), and who gets the next place after twenty passes (the player). All outcomes are equally
 * likely.
 */
export const dealing: Chance<DaihinminState> = {
  outcomes(state, actions, probabilities) {
    const count = listOutcomes(state.words, actions);
    for (let i = 0; i < count; i++) probabilities[i] = 1 / count;
    return count;
  },
  sample({ words }, random) {
    const phase = words[PHASE]!;
    if (phase === SEATING) return random.below(SEATINGS.length);
    if (phase === FIRST_RECEIVER) return random.below(PLAYERS);
    if (phase === DEALING) return drawUndealt(words, random);
    let which = random.below(withoutPlace(words));
    for (let player = 0; ; player++) if (words[PLACES + player]! < 0 && which-- === 0) return player;
  },
};

/** Writes the outcomes of the chance ply in increasing order; returns their number. */
export function listOutcomes(words: Int32Array, out: Int32Array): number {
  const phase = words[PHASE]!;
  let count = 0;
  if (phase === DEALING) {
    for (let card = 0; card < CARDS; card++) if (!isDealt(words, card)) out[count++] = card;
    return count;
  }
  const most = phase === SEATING ? SEATINGS.length : PLAYERS;
  for (let outcome = 0; outcome < most; outcome++)
    if (phase !== DRAWING || words[PLACES + outcome]! < 0) out[count++] = outcome;
  return count;
}

/** Plays an outcome of chance, in place; `games` is the length of the sequence. */
export function takeOutcome(words: Int32Array, outcome: number, games: number): void {
  const phase = words[PHASE]!;
  if (phase === SEATING) {
    const order = SEATINGS[outcome]!;
    for (let i = 0; i < PLAYERS; i++) words[NEXT + order[i]!] = order[(i + 1) % PLAYERS]!;
    words[PHASE] = words[RANKS] === -1 ? FIRST_RECEIVER : DEALING;
  } else if (phase === FIRST_RECEIVER) {
    words[RECEIVER] = outcome;
    words[PHASE] = DEALING;
  } else if (phase === DEALING) {
    const receiver = words[RECEIVER]!;
    words[HANDS + 2 * receiver]! |= CARD_LOW[outcome]!;
    words[HANDS + 2 * receiver + 1]! |= CARD_HIGH[outcome]!;
    words[RECEIVER] = words[NEXT + receiver]!;
    if (++words[DEALT]! === CARDS) afterDeal(words);
  } else if (givePlace(words, outcome)) endGame(words, games);
}

/** After a game before, the daifugo and the fugo get their gifts; else play begins. */
function afterDeal(words: Int32Array): void {
  if (words[RANKS] === -1) {
    beginPlay(words);
    return;
  }
  giveStrongest(words, playerOfRank(words, 4), playerOfRank(words, 0), 2, GIFTS);
  giveStrongest(words, playerOfRank(words, 3), playerOfRank(words, 1), 1, GIFTS + 2);
  words[PHASE] = RETURNING_TWO;
  words[TO_MOVE] = playerOfRank(words, 0);
}

/** The holder of the 3 of diamonds leads. */
export function beginPlay(words: Int32Array): void {
  let leader = 0;
  while ((words[HANDS + 2 * leader + 1]! & DIAMOND_THREE) === 0) leader++;
  words[PHASE] = PLAYING;
  words[TO_MOVE] = leader;
  words[LAST] = leader;
}

function giveStrongest(words: Int32Array, giver: number, receiver: number, count: number, gift: number) {
  for (let i = CARDS - 1, left = count; left > 0; i--) {
    const card = BY_STRENGTH[i]!;
    const low = words[HANDS + 2 * giver]! & CARD_LOW[card]!;
    const high = words[HANDS + 2 * giver + 1]! & CARD_HIGH[card]!;
    if ((low | high) === 0) continue;
    moveCards(words, giver, receiver, low, high);
    words[gift]! |= low;
    words[gift + 1]! |= high;
    left--;
  }
}

function moveCards(words: Int32Array, giver: number, receiver: number, low: number, high: number): void {
  words[HANDS + 2 * giver]! &= ~low;
  words[HANDS + 2 * giver + 1]! &= ~high;
  words[HANDS + 2 * receiver]! |= low;
  words[HANDS + 2 * receiver + 1]! |= high;
}

/** Number of the returns of one card or two: 53 single cards, then the pairs a < b at 53 + b (b - 1) / 2 + a. */
export const RETURNS: number = CARDS + (CARDS * (CARDS - 1)) / 2;

const RETURN_CARDS: readonly (readonly number[])[] = [
  ...Array.from({ length: CARDS }, (_, card) => [card]),
  ...Array.from({ length: CARDS }, (_, b) => Array.from({ length: b }, (_, a) => [a, b])).flat(),
];

/** The cards of a return. */
export function cardsOfReturn(number: number): readonly number[] {
  return RETURN_CARDS[number]!;
}

/** The number of a return of one card, or of two in any order. */
export function returnOf(cards: readonly number[]): number {
  const [a, b] = cards.toSorted((x, y) => x - y);
  return b === undefined ? a! : CARDS + (b * (b - 1)) / 2 + a!;
}

const listed = new Uint8Array(CARDS);

/** Writes the returns that the daifugo or the fugo can choose among, each plus `first`; returns their number. */
export function listReturns(words: Int32Array, first: number, out: Int32Array): number {
  const player = words[TO_MOVE]!;
  const cards = listCards(words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!, listed);
  let count = 0;
  if (words[PHASE] === RETURNING_ONE) {
    for (let i = 0; i < cards; i++) out[count++] = first + listed[i]!;
    return count;
  }
  for (let j = 1; j < cards; j++)
    for (let i = 0; i < j; i++)
      out[count++] = first + CARDS + (listed[j]! * (listed[j]! - 1)) / 2 + listed[i]!;
  return count;
}

/** Plays a return; then the fugo returns a card, or play begins. */
export function takeReturn(words: Int32Array, number: number): void {
  const two = words[PHASE] === RETURNING_TWO;
  let low = 0;
  let high = 0;
  for (const card of RETURN_CARDS[number]!) {
    low |= CARD_LOW[card]!;
    high |= CARD_HIGH[card]!;
  }
  const gift = GIFTS + (two ? 4 : 6);
  words[gift] = low;
  words[gift + 1] = high;
  moveCards(words, words[TO_MOVE]!, playerOfRank(words, two ? 4 : 3), low, high);
  if (!two) {
    beginPlay(words);
    return;
  }
  words[PHASE] = RETURNING_ONE;
  words[TO_MOVE] = playerOfRank(words, 1);
}

function isDealt(words: Int32Array, card: number): boolean {
  const low = CARD_LOW[card]!;
  const high = CARD_HIGH[card]!;
  for (let at = HANDS; at < HANDS + 2 * PLAYERS; at += 2)
    if (((words[at]! & low) | (words[at + 1]! & high)) !== 0) return true;
  return false;
}

/** One of the cards in the pack, each equally likely. */
function drawUndealt(words: Int32Array, random: Random): number {
  let low = ALL_LOW;
  let high = ALL_HIGH;
  for (let at = HANDS; at < HANDS + 2 * PLAYERS; at += 2) {
    low &= ~words[at]!;
    high &= ~words[at + 1]!;
  }
  return CARD_AT[drawBit(low, high, random)]!;
}

function withoutPlace(words: Int32Array): number {
  let count = 0;
  for (let player = 0; player < PLAYERS; player++) if (words[PLACES + player]! < 0) count++;
  return count;
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
