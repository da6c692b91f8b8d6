import { bitCount } from "../bits.ts";
import type { Random } from "../../random.ts";
import { CARD_AT, columnsIn, groupedColumns, JOKER_BIT, RANKS_OF_SUIT, suitOf, suitsIn } from "./cards.ts";
import {
  NO_PLAY,
  FIRST_GROUP,
  FIRST_SINGLE,
  GROUP,
  GROUP_LISTS,
  GROUPS_OF_RANK,
  JOKER_ALONE,
  LOCKED_LISTS,
  LONE_JOKER,
  LONGEST,
  PASS,
  SEQUENCE,
  SINGLE,
  windowPlay,
} from "./plays.ts";
import { HANDS, HIGH, KIND, LOCKED, LOW, REVOLUTION, SIZE, SUITS_ON } from "./state.ts";

const ALL_SUITS = 15;
const SPADE_THREE = FIRST_SINGLE;
const SPADE_THREE_BIT = 1 << 1;

/** By set of suits: the bits of their cards in the low and in the high word. */
const SUIT_LOW = Int32Array.from(
  { length: 16 },
  (_, suits) => (suits & 1 ? RANKS_OF_SUIT : 0) | (suits & 2 ? RANKS_OF_SUIT << 16 : 0),
);
const SUIT_HIGH = Int32Array.from({ length: 16 }, (_, suits) => SUIT_LOW[suits >> 2]!);

/** Writes the legal plays of a player in increasing order, the pass first; returns their number. `virtual` is the option `virtualRanks`. */
export function listPlays(words: Int32Array, player: number, virtual: boolean, out: Int32Array): number {
  const low = words[HANDS + 2 * player]!;
  const high = words[HANDS + 2 * player + 1]!;
  const joker = (low & JOKER_BIT) === 0 ? 0 : 1;
  const kind = words[KIND]!;
  out[0] = PASS;
  if (kind === NO_PLAY) {
    let count = listSingles(low & ~JOKER_BIT, high, out, 1);
    if (joker === 1) out[count++] = JOKER_ALONE;
    // A card by itself makes a group with the joker alone.
    let columns = joker === 1 ? columnsIn(low, high) : groupedColumns(low, high);
    for (; columns !== 0; columns &= columns - 1) {
      const column = 31 - Math.clz32(columns & -columns);
      count = listGroups(GROUP_LISTS, suitsIn(low, high, column), joker, 0, column, out, count);
    }
    for (let suit = 0; suit < 4; suit++)
      count = listSequences(low, high, suit, joker, virtual, 3, LONGEST, 0, 14, out, count);
    return count;
  }
  if (kind === LONE_JOKER) {
    if ((low & SPADE_THREE_BIT) === 0) return 1;
    out[1] = SPADE_THREE;
    return 2;
  }
  const revolution = words[REVOLUTION] === 1;
  // The columns that beat the table.
  const least = revolution ? 0 : words[HIGH]! + 1;
  const most = revolution ? words[LOW]! - 1 : 14;
  const suits = words[LOCKED] === 1 ? words[SUITS_ON]! : ALL_SUITS;
  if (kind === SINGLE) {
    const columns = beating(least, most);
    const mask = columns | (columns << 16);
    const count = listSingles(low & mask & SUIT_LOW[suits]!, high & mask & SUIT_HIGH[suits]!, out, 1);
    if (joker === 0) return count;
    out[count] = JOKER_ALONE;
    return count + 1;
  }
  let count = 1;
  if (kind === GROUP) {
    const lists = suits === ALL_SUITS ? GROUP_LISTS : LOCKED_LISTS;
    const key = suits === ALL_SUITS ? words[SIZE]! : suits;
    let columns = joker === 1 ? columnsIn(low, high) : groupedColumns(low, high);
    for (columns &= beating(least, most); columns !== 0; columns &= columns - 1) {
      const column = 31 - Math.clz32(columns & -columns);
      const present = suitsIn(low, high, column) & suits;
      if (present !== 0) count = listGroups(lists, present, joker, key, column, out, count);
    }
    return count;
  }
  const size = words[SIZE]!;
  for (let suit = 0; suit < 4; suit++)
    if (((suits >> suit) & 1) === 1)
      count = listSequences(low, high, suit, joker, virtual, size, size, least, most, out, count);
  return count;
}

/** The columns from `least` to `most` that cards have. */
function beating(least: number, most: number): number {
  return ((RANKS_OF_SUIT >> least) << least) & ((1 << (most + 1)) - 1);
}

/**
 * Draws one of the legal plays of a player, each with the same probability. If a single card is on the table, which is
 * most frequent, cards are counted and not listed. Spends no draw if the player must pass.
 */
export function drawPlay(
  words: Int32Array,
  player: number,
  virtual: boolean,
  random: Random,
  list: Int32Array,
): number {
  if (words[KIND] !== SINGLE) {
    const count = listPlays(words, player, virtual, list);
    return count === 1 ? PASS : list[random.below(count)]!;
  }
  const held = words[HANDS + 2 * player]!;
  const revolution = words[REVOLUTION] === 1;
  const columns = revolution ? beating(0, words[LOW]! - 1) : beating(words[HIGH]! + 1, 14);
  const mask = columns | (columns << 16);
  const suits = words[LOCKED] === 1 ? words[SUITS_ON]! : ALL_SUITS;
  let low = held & mask & SUIT_LOW[suits]!;
  let high = words[HANDS + 2 * player + 1]! & mask & SUIT_HIGH[suits]!;
  const joker = (held >>> 15) & 1;
  if ((low | high | joker) === 0) return PASS;
  const inLow = bitCount(low);
  const single = inLow + bitCount(high);
  let which = random.below(1 + single + joker);
  if (which === 0) return PASS;
  if (which > single) return JOKER_ALONE;
  if (which <= inLow) {
    while (--which > 0) low &= low - 1;
    return FIRST_SINGLE + CARD_AT[31 - Math.clz32(low & -low)]!;
  }
  for (which -= inLow; which > 1; which--) high &= high - 1;
  return FIRST_SINGLE + CARD_AT[63 - Math.clz32(high & -high)]!;
}

function listSingles(low: number, high: number, out: Int32Array, count: number): number {
  for (let rest = low; rest !== 0; rest &= rest - 1)
    out[count++] = FIRST_SINGLE + CARD_AT[31 - Math.clz32(rest & -rest)]!;
  for (let rest = high; rest !== 0; rest &= rest - 1)
    out[count++] = FIRST_SINGLE + CARD_AT[63 - Math.clz32(rest & -rest)]!;
  return count;
}

function listGroups(
  lists: typeof GROUP_LISTS,
  present: number,
  joker: number,
  key: number,
  column: number,
  out: Int32Array,
  count: number,
): number {
  const { items } = lists;
  const at = lists.at[32 * present + 16 * joker + key]!;
  const first = FIRST_GROUP + GROUPS_OF_RANK * (column - 1);
  for (let i = at + 1, end = i + items[at]!; i < end; i++) out[count++] = first + items[i]!;
  return count;
}

/** Sequences of `shortest` to `longest` cards of a suit within the columns `least` to `most`. */
function listSequences(
  low: number,
  high: number,
  suit: number,
  joker: number,
  virtual: boolean,
  shortest: number,
  longest: number,
  least: number,
  most: number,
  out: Int32Array,
  count: number,
): number {
  const held = suitOf(low, high, suit);
  if (joker === 0 ? (held & (held >> 1) & (held >> 2)) === 0 : (held & ((held >> 1) | (held >> 2))) === 0)
    return count;
  const from = Math.max(least, virtual ? 0 : 1);
  const end = Math.min(most, virtual ? 14 : 13);
  for (let start = from; start <= end - shortest + 1; start++) {
    // With the joker, one card may be missing.
    let missing = -1;
    for (let column = start, length = 1; column <= end && length <= longest; column++, length++) {
      if (((held >> column) & 1) === 0) {
        if (joker === 0 || missing >= 0) break;
        missing = column;
      }
      if (length < shortest) continue;
      const first = windowPlay(suit, start, length);
      if (missing >= 0) out[count++] = start === 0 || column === 14 ? first : first + 1 + missing - start;
      else for (let i = first, last = first + joker * length; i <= last; i++) out[count++] = i;
    }
  }
  return count;
}

/** The kind of a table's plays, for those that list them by name. */
export const TABLE_KINDS: Readonly<Record<string, number>> = {
  single: SINGLE,
  group: GROUP,
  sequence: SEQUENCE,
  joker: LONE_JOKER,
};
