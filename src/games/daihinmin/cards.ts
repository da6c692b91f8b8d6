import { bitCount } from "../bits.ts";

/** Number of players of Daihinmin. */
export const PLAYERS = 5;

/** Number of cards: 52 and the joker. */
export const CARDS = 53;

/** The number of the joker; other cards are 13 * suit + rank, suits S, H, D, C from 0, ranks 3, 4, ..., A, 2 from 0. */
export const JOKER = 52;

/** The bit of the joker in a set's low word. */
export const JOKER_BIT = 1 << 15;

/** The suits, in order. */
export const SUITS = "SHDC";

/** The letters of columns: 3 is 1, 2 is 13; 0 and 14 are the virtual ranks below 3 and above 2. */
export const COLUMNS = "-3456789TJQKA2+";

/** The column of rank 8. */
export const EIGHT = 6;

/** The columns of one suit that cards have, as a set of bits: 1 to 13. */
export const RANKS_OF_SUIT = 0x3ffe;

/**
 * Sets of cards are two words of 32 bits, the low one for spades and hearts, the high one for diamonds and clubs. A suit
 * has 16 bits, bit c for column c: so runs of a suit and the cards above a rank are found by shifts. The joker has a bit
 * that no column uses.
 */
export const CARD_LOW: Int32Array = new Int32Array(CARDS);
/** The high words of single cards; see `CARD_LOW`. */
export const CARD_HIGH: Int32Array = new Int32Array(CARDS);
/** The card at 32 * word + bit; -1 if there is none. */
export const CARD_AT: Int8Array = new Int8Array(64).fill(-1);

for (let card = 0; card < JOKER; card++) {
  const suit = Math.floor(card / 13);
  const bit = 16 * (suit & 1) + (card % 13) + 1;
  (suit < 2 ? CARD_LOW : CARD_HIGH)[card] = 1 << bit;
  CARD_AT[32 * (suit >> 1) + bit] = card;
}
CARD_LOW[JOKER] = JOKER_BIT;
CARD_AT[15] = JOKER;

/** The low word of the set of all cards. */
export const ALL_LOW: number = RANKS_OF_SUIT | (RANKS_OF_SUIT << 16) | JOKER_BIT;
/** The high word of the set of all cards. */
export const ALL_HIGH: number = RANKS_OF_SUIT | (RANKS_OF_SUIT << 16);

/** The number of cards of a set. */
export function cardsIn(low: number, high: number): number {
  return bitCount(low) + bitCount(high);
}

/** The columns of one suit of a set, bits 1 to 13. */
export function suitOf(low: number, high: number, suit: number): number {
  return ((suit < 2 ? low : high) >>> (16 * (suit & 1))) & RANKS_OF_SUIT;
}

/** Which suits a set has in a column: bit s for suit s. */
export function suitsIn(low: number, high: number, column: number): number {
  return (
    ((low >>> column) & 1) |
    (((low >>> (column + 16)) & 1) << 1) |
    (((high >>> column) & 1) << 2) |
    (((high >>> (column + 16)) & 1) << 3)
  );
}

/** The columns of which a set has a card at all. */
export function columnsIn(low: number, high: number): number {
  return (low | (low >>> 16) | high | (high >>> 16)) & RANKS_OF_SUIT;
}

/** The columns of which a set has two cards or more. */
export function groupedColumns(low: number, high: number): number {
  const spades = low & RANKS_OF_SUIT;
  const hearts = (low >>> 16) & RANKS_OF_SUIT;
  const diamonds = high & RANKS_OF_SUIT;
  const clubs = (high >>> 16) & RANKS_OF_SUIT;
  return (spades & hearts) | ((spades | hearts) & (diamonds | clubs)) | (diamonds & clubs);
}

/** Writes the numbers of the cards of a set in increasing order but for the joker, which comes last; returns how many. */
export function listCards(low: number, high: number, out: Uint8Array): number {
  let count = 0;
  for (let rest = low & ~JOKER_BIT; rest !== 0; rest &= rest - 1)
    out[count++] = CARD_AT[31 - Math.clz32(rest & -rest)]!;
  for (let rest = high; rest !== 0; rest &= rest - 1) out[count++] = CARD_AT[63 - Math.clz32(rest & -rest)]!;
  if ((low & JOKER_BIT) !== 0) out[count++] = JOKER;
  return count;
}

/**
 * How strong a card is for the exchange: the joker is the strongest, then 2, A, K, ...; of one rank spades, hearts,
 * diamonds, clubs.
 */
export function exchangeStrength(card: number): number {
  return card === JOKER ? 52 : 4 * (card % 13) + (3 - Math.floor(card / 13));
}

/** The cards from the weakest to the strongest in the exchange. */
export const BY_STRENGTH: Uint8Array = Uint8Array.from({ length: CARDS }, (_, card) => card).sort(
  (a, b) => exchangeStrength(a) - exchangeStrength(b),
);

/** A card's text: `S3`, `HT`, `JK`. */
export function cardText(card: number): string {
  return card === JOKER ? "JK" : `${SUITS[Math.floor(card / 13)]!}${COLUMNS[(card % 13) + 1]!}`;
}

const byText = new Map(Array.from({ length: CARDS }, (_, card) => [cardText(card), card]));

/** The card with this text, or undefined. */
export function cardOfText(text: string): number | undefined {
  return byText.get(text);
}

/** The texts of the cards of a set, separated by blanks. */
export function setText(low: number, high: number): string {
  const cards = new Uint8Array(CARDS);
  return Array.from(cards.subarray(0, listCards(low, high, cards)), cardText).join(" ");
}
