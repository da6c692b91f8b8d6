import { bitCount } from "../bits.ts";
import { columnsIn, groupedColumns, JOKER_BIT, RANKS_OF_SUIT, suitOf, suitsIn } from "./cards.ts";
import { returnOf } from "./deal.ts";
import {
  NO_PLAY,
  FIRST_SINGLE,
  GROUP,
  groupPlay,
  JOKER_ALONE,
  LONE_JOKER,
  LONGEST,
  PASS,
  PLAYS,
  SINGLE,
  windowPlay,
} from "./plays.ts";
import {
  HANDS,
  HIGH,
  KIND,
  LOCKED,
  LOW,
  PHASE,
  PLAYING,
  RETURNING_TWO,
  REVOLUTION,
  SIZE,
  SUITS_ON,
  TO_MOVE,
} from "./state.ts";

/** The cards and conditions that one decision depends on. */
interface View {
  readonly low: number;
  readonly high: number;
  readonly joker: boolean;
  readonly revolution: boolean;
  readonly virtual: boolean;
}

/**
 * The player by rule: the move of the contest's default client (UECda, client kit in C).
 *
 * Exchange: returns its weakest cards. Leading: the longest sequence, else the largest group, else its weakest card; of
 * several the weakest. The joker counts wherever it makes a sequence or a group longer. Following a single card: the
 * weakest card that beats it, among the cards in no natural sequence or group; else the joker. Following a group: the
 * weakest rank of which it has exactly as many cards. Following a sequence: the weakest run of exactly that length at its
 * upper end. Groups and sequences are looked for without the joker first, then with it. In all other cases, and on the
 * joker alone, it passes. If the client would break a rule, this player passes.
 */
export function defaultMove(words: Int32Array, virtual: boolean): number {
  const player = words[TO_MOVE]!;
  const low = words[HANDS + 2 * player]!;
  const high = words[HANDS + 2 * player + 1]!;
  if (words[PHASE] !== PLAYING)
    return PLAYS + weakestReturn(low, high, words[PHASE] === RETURNING_TWO ? 2 : 1);
  const view: View = {
    low: low & ~JOKER_BIT,
    high,
    joker: (low & JOKER_BIT) !== 0,
    revolution: words[REVOLUTION] === 1,
    virtual,
  };
  const kind = words[KIND]!;
  if (kind === NO_PLAY) return lead(view);
  if (kind === LONE_JOKER) return PASS;
  const least = view.revolution ? 0 : words[HIGH]! + 1;
  const most = view.revolution ? words[LOW]! - 1 : 14;
  const suits = words[LOCKED] === 1 ? words[SUITS_ON]! : 15;
  if (kind === SINGLE) return followSingle(view, least, most, suits);
  const size = words[SIZE]!;
  if (kind === GROUP) return followGroup(view, least, most, suits, size);
  return followSequence(view, least, most, suits, size);
}

function weakestReturn(low: number, high: number, count: number): number {
  const cards: number[] = [];
  for (let column = 1; column <= 13 && cards.length < count; column++)
    for (let suit = 0; suit < 4 && cards.length < count; suit++)
      if ((suitOf(low, high, suit) >> column) & 1) cards.push(13 * suit + column - 1);
  return returnOf(cards);
}

function lead(view: View): number {
  const { joker, revolution } = view;
  const sequence = longestSequence(view);
  if (sequence !== PASS) return sequence;
  let best = 1;
  let at = 0;
  for (let i = 1; i <= 13; i++) {
    const column = revolution ? 14 - i : i;
    const size = bitCount(suitsIn(view.low, view.high, column)) + (joker ? 1 : 0);
    if (size > best) {
      best = size;
      at = column;
    }
  }
  if (at > 0) return groupOfAll(view, at, 15, joker);
  return weakestSingle(view.low, view.high, revolution, joker);
}

/** The longest sequence, the weakest of equals; PASS if there is none. */
function longestSequence(view: View): number {
  let best = 2;
  let at = -1;
  let inSuit = 0;
  for (let suit = 0; suit < 4; suit++) {
    const held = suitOf(view.low, view.high, suit);
    if (bitCount(held) < (view.joker ? 2 : 3)) continue;
    fillLengths(held, view.joker, view.virtual);
    for (let start = 0; start <= 13; start++) {
      const length = lengths[start]!;
      if (length < best || (length === best && at < 0)) continue;
      // At the same strength the first suit comes first; under a revolution the last.
      if (length === best && (view.revolution ? start < at : start >= at)) continue;
      best = length;
      at = start;
      inSuit = suit;
    }
  }
  return at < 0 ? PASS : sequenceAt(view, inSuit, at, best);
}

/** By first column: the most cards in sequence from there on, with the joker exactly one that is not held. */
const lengths = new Int8Array(14);

function fillLengths(held: number, joker: boolean, virtual: boolean): void {
  let natural = 0;
  let length = joker && virtual ? 1 : 0;
  lengths[0] = 0;
  for (let column = 13; column >= (joker && virtual ? 0 : 1); column--) {
    if ((held >> column) & 1) {
      length++;
      natural++;
    } else {
      length = joker ? natural + 1 : 0;
      natural = 0;
    }
    lengths[column] = length > 2 && length <= LONGEST ? length : 0;
  }
}

/** The sequence in this window; the joker stands for the card that is not held. */
function sequenceAt({ low, high }: View, suit: number, start: number, length: number): number {
  const held = suitOf(low, high, suit);
  const first = windowPlay(suit, start, length);
  if (start === 0 || start + length === 15) return first;
  for (let i = 0; i < length; i++) if (((held >> (start + i)) & 1) === 0) return first + 1 + i;
  return first;
}

/** All cards of a rank within some suits as a group, with the joker if wanted. */
function groupOfAll({ low, high }: View, column: number, suits: number, joker: boolean): number {
  const held = suitsIn(low, high, column) & suits;
  if (!joker) return groupPlay(column, held, -1);
  if (held === 15) return groupPlay(column, 15, 4);
  const missing = suits & ~held;
  const stood = missing & -missing;
  return groupPlay(column, held | stood, 31 - Math.clz32(stood));
}

function weakestSingle(low: number, high: number, revolution: boolean, joker: boolean): number {
  const suits = columnsIn(low, high);
  if (suits === 0) return joker ? JOKER_ALONE : PASS;
  const column = revolution ? 31 - Math.clz32(suits) : 31 - Math.clz32(suits & -suits);
  const present = suitsIn(low, high, column);
  return FIRST_SINGLE + 13 * (31 - Math.clz32(present & -present)) + column - 1;
}

function followSingle(view: View, least: number, most: number, suits: number): number {
  let low = 0;
  let high = 0;
  const beating = ((RANKS_OF_SUIT >> least) << least) & ((1 << (most + 1)) - 1);
  const grouped = groupedColumns(view.low, view.high);
  for (let suit = 0; suit < 4; suit++) {
    if (((suits >> suit) & 1) === 0) continue;
    const held = suitOf(view.low, view.high, suit);
    const triples = held & (held >> 1) & (held >> 2);
    const free = held & ~(triples | (triples << 1) | (triples << 2)) & ~grouped & beating;
    if (suit < 2) low |= free << (16 * suit);
    else high |= free << (16 * (suit - 2));
  }
  return weakestSingle(low, high, view.revolution, view.joker);
}

function followGroup(view: View, least: number, most: number, suits: number, size: number): number {
  for (const joker of view.joker ? [false, true] : [false])
    for (let i = 1; i <= 13; i++) {
      const column = view.revolution ? 14 - i : i;
      if (column < least || column > most) continue;
      const held = bitCount(suitsIn(view.low, view.high, column) & suits);
      if (held > 0 && held + (joker ? 1 : 0) === size) return groupOfAll(view, column, suits, joker);
    }
  return PASS;
}

function followSequence(view: View, least: number, most: number, suits: number, size: number): number {
  const beating = ((RANKS_OF_SUIT >> least) << least) & ((1 << (most + 1)) - 1);
  for (const joker of view.joker ? [false, true] : [false]) {
    let at = -1;
    let inSuit = 0;
    for (let suit = 0; suit < 4; suit++) {
      if (((suits >> suit) & 1) === 0) continue;
      fillLengths(suitOf(view.low, view.high, suit) & beating, joker, view.virtual);
      for (let start = 0; start <= 13; start++)
        if (lengths[start] === size && (at < 0 || (view.revolution ? start >= at : start < at))) {
          at = start;
          inSuit = suit;
        }
    }
    if (at < 0) continue;
    return at < least || at + size - 1 > most ? PASS : sequenceAt(view, inSuit, at, size);
  }
  return PASS;
}
