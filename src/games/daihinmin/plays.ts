import { bitCount } from "../bits.ts";
import { CARD_HIGH, CARD_LOW, COLUMNS, EIGHT, JOKER, JOKER_BIT, SUITS } from "./cards.ts";

/** Kinds of plays, and of tables: nothing on it. */
export const NO_PLAY = 0;
/** See `NO_PLAY`: one card that is not the joker. */
export const SINGLE = 1;
/** See `NO_PLAY`: two to five cards of one rank. */
export const GROUP = 2;
/** See `NO_PLAY`: three and more consecutive cards of one suit. */
export const SEQUENCE = 3;
/** See `NO_PLAY`: the joker alone. */
export const LONE_JOKER = 4;

/** The action of passing. */
export const PASS = 0;
/** The action of the first single card: cards follow in the order of their numbers. */
export const FIRST_SINGLE = 1;
/** The action of the joker alone. */
export const JOKER_ALONE = 53;
/** The action of the first group; each rank has `GROUPS_OF_RANK`. */
export const FIRST_GROUP = 54;
/** Groups of one rank, the joker in any place of them or in none. */
export const GROUPS_OF_RANK = 40;
/** The longest sequence that a hand can have: eleven cards. */
export const LONGEST = 11;

/** One play with all its properties. */
interface Play {
  readonly kind: number;
  readonly size: number;
  readonly low: number;
  readonly high: number;
  readonly suits: number;
  /** The cards that leave the hand. */
  readonly cards: readonly [number, number];
  /** Its cells: suit and column, and whether the joker lies there; suit 4 is the fifth card of a group. */
  readonly cells: readonly (readonly [suit: number, column: number, joker: boolean])[];
}

const plays: Play[] = [];

const play = (kind: number, cells: Play["cells"]) => {
  const columns = cells.map(([, column]) => column);
  let low = 0;
  let high = 0;
  for (const [suit, column, joker] of cells) {
    const card = joker ? JOKER : 13 * suit + column - 1;
    low |= CARD_LOW[card]!;
    high |= CARD_HIGH[card]!;
  }
  plays.push({
    kind,
    size: cells.length,
    low: kind === LONE_JOKER ? 0 : Math.min(...columns),
    high: kind === LONE_JOKER ? 0 : Math.max(...columns),
    suits: kind === LONE_JOKER ? 0 : cells.reduce((set, [suit]) => set | ((1 << suit) & 15), 0),
    cards: [low, high],
    cells,
  });
};

plays.push({ kind: NO_PLAY, size: 0, low: 0, high: 0, suits: 0, cards: [0, 0], cells: [] });
for (let suit = 0; suit < 4; suit++)
  for (let column = 1; column <= 13; column++) play(SINGLE, [[suit, column, false]]);
play(LONE_JOKER, [[0, 14, true]]);

/** The suits of a set of them, in order. */
const suitList = (set: number): number[] => [0, 1, 2, 3].filter((suit) => ((set >> suit) & 1) === 1);

/** By place among the groups of one rank: its suits, and the suit that the joker stands for; -1: none, 4: the fifth. */
const groupForms: { readonly suits: number; readonly joker: number }[] = [];
for (let size = 2; size <= 4; size++)
  for (let suits = 0; suits < 16; suits++)
    if (bitCount(suits) === size)
      for (const joker of [-1, ...suitList(suits)]) groupForms.push({ suits, joker });
groupForms.push({ suits: 15, joker: 4 });
for (let column = 1; column <= 13; column++)
  for (const { suits, joker } of groupForms)
    play(GROUP, [
      ...suitList(suits).map((suit) => [suit, column, suit === joker] as const),
      ...(joker === 4 ? [[4, column, true] as const] : []),
    ]);

/** At (13 * suit + start) * 12 + length: the first play of this window. */
const windows = new Int16Array(4 * 13 * 12).fill(-1);
for (let suit = 0; suit < 4; suit++)
  for (let start = 0; start <= 12; start++)
    for (let length = 3; length <= LONGEST && start + length <= 15; length++) {
      const end = start + length - 1;
      windows[(13 * suit + start) * 12 + length] = plays.length;
      // A virtual rank is the joker's; inside, the joker is nowhere or anywhere.
      const places =
        start === 0 ? [0] : end === 14 ? [14] : [-1, ...Array.from({ length }, (_, i) => start + i)];
      for (const joker of places)
        play(
          SEQUENCE,
          Array.from({ length }, (_, i) => [suit, start + i, start + i === joker] as const),
        );
    }

/** Number of plays, pass included: the actions of play, from 0. */
export const PLAYS: number = plays.length;

const column = (value: (play: Play) => number): Int32Array => Int32Array.from(plays, value);

/** By play: its kind. */
export const KIND_OF: Int32Array = column(({ kind }) => kind);
/** By play: how many cards it has. */
export const SIZE_OF: Int32Array = column(({ size }) => size);
/** By play: its lowest column. */
export const LOW_OF: Int32Array = column(({ low }) => low);
/** By play: its highest column. */
export const HIGH_OF: Int32Array = column(({ high }) => high);
/** By play: its set of suits, the joker counting as the card it stands for; 0 for a pass and for the joker alone. */
export const SUITS_OF: Int32Array = column(({ suits }) => suits);
/** By play: the low word of the cards that leave the hand. */
export const CARDS_LOW: Int32Array = column(({ cards }) => cards[0]);
/** By play: the high word of the cards that leave the hand. */
export const CARDS_HIGH: Int32Array = column(({ cards }) => cards[1]);
/** By play: 1 if it has an 8, the joker as one too. */
export const HAS_EIGHT: Int32Array = column(({ cells }) => (cells.some(([, at]) => at === EIGHT) ? 1 : 0));
/** By play: 1 if it begins or ends a revolution: groups of 4 and more, sequences of 5 and more. */
export const TOGGLES_REVOLUTION: Int32Array = column(({ kind, size }) =>
  (kind === GROUP && size >= 4) || (kind === SEQUENCE && size >= 5) ? 1 : 0,
);

/** The cells of a play: suit (4 is the fifth card of a group), column, and whether the joker lies there. */
export function cellsOfPlay(action: number): Play["cells"] {
  return plays[action]!.cells;
}

/**
 * The first play of a sequence's window, or -1 if none begins there. If a window has a virtual rank it is the only
 * one; else it is without the joker, and the one with the joker in the i-th place is 1 + i further.
 */
export function windowPlay(suit: number, start: number, length: number): number {
  return windows[(13 * suit + start) * 12 + length]!;
}

/**
 * Lists of places among the groups of a rank, one behind another, each begun by its length. At
 * 32 * present + 16 * joker + (size, 0: any) it says where the list of a leading or free hand is.
 */
export const GROUP_LISTS: { readonly at: Int32Array; readonly items: Uint8Array } = groupLists(
  8,
  (form, size) => (size === 0 ? true : sizeOfForm(form) === size),
);
/** The same at 32 * present + 16 * joker + (set of suits): the groups of exactly these suits. */
export const LOCKED_LISTS: { readonly at: Int32Array; readonly items: Uint8Array } = groupLists(
  16,
  (form, suits) => form.joker < 4 && form.suits === suits,
);

function sizeOfForm({ suits, joker }: (typeof groupForms)[number]): number {
  return bitCount(suits) + (joker === 4 ? 1 : 0);
}

function groupLists(
  keys: number,
  fits: (form: (typeof groupForms)[number], key: number) => boolean,
): { at: Int32Array; items: Uint8Array } {
  const at = new Int32Array(512);
  const items: number[] = [];
  for (let present = 0; present < 16; present++)
    for (let joker = 0; joker < 2; joker++)
      for (let key = 0; key < keys; key++) {
        at[32 * present + 16 * joker + key] = items.length;
        const held = groupForms.flatMap((form, place) => {
          const needed = form.joker >= 0 && form.joker < 4 ? form.suits & ~(1 << form.joker) : form.suits;
          return fits(form, key) && (needed & ~present) === 0 && (form.joker < 0 || joker === 1)
            ? [place]
            : [];
        });
        items.push(held.length, ...held);
      }
  return { at, items: Uint8Array.from(items) };
}

/** At 6 * (set of suits) + 1 + (what the joker stands for): the place among the groups of a rank. */
const formAt = new Int8Array(6 * 16).fill(-1);
for (const [place, { suits, joker }] of groupForms.entries()) formAt[6 * suits + 1 + joker] = place;

/** The group of a rank with these suits. `joker` is the suit that the joker stands for, 4 for the fifth card, -1 without the joker. */
export function groupPlay(column: number, suits: number, joker: number): number {
  return FIRST_GROUP + GROUPS_OF_RANK * (column - 1) + formAt[6 * suits + 1 + joker]!;
}

/** The text of a play: its cards separated by blanks, `*` before what the joker stands for; `pass`. */
export function playText(action: number): string {
  if (action === PASS) return "pass";
  if (action === JOKER_ALONE) return "JK";
  return cellsOfPlay(action)
    .map(([suit, at, joker]) => `${joker ? "*" : ""}${suit === 4 ? "X" : SUITS[suit]!}${COLUMNS[at]!}`)
    .join(" ");
}

let byText: Map<string, number> | undefined;

const ordered = (text: string) => text.split(" ").toSorted().join(" ");

/** The play with these cards, in any order, or undefined. */
export function playOfText(text: string): number | undefined {
  byText ??= new Map(Array.from({ length: PLAYS }, (_, action) => [ordered(playText(action)), action]));
  return byText.get(ordered(text));
}

/** Whether a play takes the joker. */
export function takesJoker(action: number): boolean {
  return (CARDS_LOW[action]! & JOKER_BIT) !== 0;
}
