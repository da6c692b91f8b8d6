import { bitCount } from "../bits.ts";
import { columnsIn, groupedColumns, JOKER_BIT, PLAYERS, RANKS_OF_SUIT, suitOf, suitsIn } from "./cards.ts";
import { cardsOfReturn } from "./deal.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  NO_PLAY,
  GROUP,
  HAS_EIGHT,
  HIGH_OF,
  KIND_OF,
  LOW_OF,
  PASS,
  PLAYS,
  SEQUENCE,
  SINGLE,
  SIZE_OF,
  SUITS_OF,
  TOGGLES_REVOLUTION,
} from "./plays.ts";
import {
  type DaihinminState,
  GONE,
  HANDS,
  HIGH,
  KIND,
  LAST,
  LOCKED,
  LOW,
  PASSED,
  PHASE,
  PLAYING,
  REVOLUTION,
  SUITS_ON,
  TO_MOVE,
} from "./state.ts";
import type { MoveFeatures } from "../game.ts";

const names: string[] = ["nothing"];

/** Names the combinations of some properties, the last varying fastest; returns the number of the first. */
function family(...properties: readonly (readonly string[])[]): number {
  const first = names.length;
  const all = properties.reduce((some, values) =>
    some.flatMap((left) => values.map((value) => `${left} ${value}`.trim())),
  );
  names.push(...all);
  return first;
}

const upTo = (most: number, text: (n: number) => string) =>
  Array.from({ length: most + 1 }, (_, n) => text(n));
const CARDS = upTo(11, (n) => `${n} cards`);
const FEW_CARDS = ["0 left", "1 left", "2 left", "3 left", "4-6 left", "7+ left"];
const STRONGER = [...upTo(3, (n) => `${n} above`), "4-5 above", "6-7 above", "8-9 above", "10+ above"];
const ROLES = ["lead", "follow"];
const CLASSES = ["single", "group", "sequence", "joker"];
const FORMS = ["single", "joker", "pair", "triple", "quadruple", "sequence 3", "sequence 4", "sequence 5+"];
const WEAK = upTo(7, (n) => `${n} weak ranks`);
const SURE = upTo(5, (n) => `${n} sure ranks`);
const WAITING = upTo(4, (n) => `${n} to answer`);
const NEAREST = ["nearest 1", "nearest 2-3", "nearest 4+"];

const PASSING = family(["pass on"], ["nothing", ...CLASSES, "own"], ["without joker", "with joker"]);
const PASS_HAND = family(["pass"], ROLES, CARDS);
const PASS_NEAREST = family(["pass"], ROLES, NEAREST);
const PASS_TABLE = family(["pass on"], ["nothing", ...CLASSES], STRONGER);
const PASS_WAITING = family(["pass"], ROLES, WAITING);
const PASS_OWN = family(["pass on own"], WAITING);
const PASS_WEAK = family(["pass"], ROLES, WEAK);
const PASS_SURE = family(["pass"], ROLES, SURE);
const LEAVES = family(ROLES, FORMS, CARDS);
const BEATEN = family(ROLES, CLASSES, STRONGER, NEAREST);
const STRENGTH = family(
  ROLES,
  CLASSES,
  upTo(14, (n) => `strength ${n}`),
);
const BREAKS = family(
  ROLES,
  CLASSES,
  upTo(7, (n) => `breaking ${n}`),
);
const USES = family(ROLES, ["", "with joker"], ["", "with eight"], FEW_CARDS);
const LOCKS = family(["locks"], CLASSES, ["0 above", "1-2 above", "3+ above"]);
const ON_OWN = family(["on own"], CLASSES);
const REST = family(ROLES, ["stays", "clears"], WEAK, SURE);
const REVOLUTION_REST = family(
  ["turns to"],
  ["order", "revolution"],
  upTo(14, (n) => `rest ${n}`),
);
const RETURNED = family(
  ["returns"],
  upTo(14, (n) => `column ${n}`),
);

const PER_MOVE = 8;

const FEW_OF = Int8Array.from({ length: 12 }, (_, cards) => (cards < 4 ? cards : cards < 7 ? 4 : 5));
const NEAREST_OF = Int8Array.from({ length: 12 }, (_, cards) => (cards < 2 ? 0 : cards < 4 ? 1 : 2));
/** The number of columns in a set of them. */
const COUNT_OF = Uint8Array.from({ length: 1 << 15 }, (_, columns) => bitCount(columns));
/** By set of columns: the place of their number in `STRONGER`. */
const STRONGER_OF = COUNT_OF.map((ranks) => (ranks < 4 ? ranks : Math.min(7, (ranks >> 1) + 2)));
/** By column: the columns above it, and those below it. */
const ABOVE = Int32Array.from({ length: 16 }, (_, column) => RANKS_OF_SUIT & ~((2 << column) - 1));
const BELOW = Int32Array.from({ length: 16 }, (_, column) => RANKS_OF_SUIT & ((1 << column) - 1));

const CLASS_OF = Int8Array.from(KIND_OF, (kind) => [0, 0, 1, 2, 3][kind]!);
const FORM_OF = Int8Array.from(KIND_OF, (kind, action) =>
  kind === SINGLE
    ? 0
    : kind === GROUP
      ? Math.min(SIZE_OF[action]!, 4)
      : kind === SEQUENCE
        ? Math.min(SIZE_OF[action]!, 5) + 2
        : 1,
);
const SUIT_OF = Int8Array.from(SUITS_OF, (suits) => Math.max(0, 31 - Math.clz32(suits)));
const USES_OF = Int8Array.from(
  KIND_OF,
  (_, action) => ((CARDS_LOW[action]! & JOKER_BIT) === 0 ? 0 : 12) + (HAS_EIGHT[action] === 1 ? 6 : 0),
);

/** The columns of each suit that lie in a sequence of three or more held cards. */
const runs = new Int32Array(4);

/**
 * The features of the moves of Daihinmin, for linear policies.
 *
 * Features of a play: its form; how many cards it leaves; how many unseen ranks beat it; its rank; the groups and
 * sequences that it breaks; whether it uses the joker or an 8; whether it locks or begins a revolution; and of the cards
 * left, how many ranks no unseen card beats and how many are weaker. Features of a pass: the same numbers for the whole
 * hand, and how many players are still to play.
 *
 * They depend on the player's own hand, the set of cards that it has not seen, and the number of cards that everyone
 * holds. So they are the same in all positions that the player cannot distinguish.
 */
export const daihinminMoveFeatures: MoveFeatures<DaihinminState> = {
  count: names.length,
  names,
  perMove: PER_MOVE,
  write({ words }, actions, moves, out) {
    if (words[PHASE] !== PLAYING) return writeReturns(actions, moves, out);
    const mover = words[TO_MOVE]!;
    const low = words[HANDS + 2 * mover]!;
    const high = words[HANDS + 2 * mover + 1]!;
    let unseenLow = 0;
    let unseenHigh = 0;
    let nearest = 11;
    for (let player = 0; player < PLAYERS; player++) {
      const theirLow = words[HANDS + 2 * player]!;
      const theirHigh = words[HANDS + 2 * player + 1]!;
      if (player === mover || (theirLow | theirHigh) === 0) continue;
      unseenLow |= theirLow;
      unseenHigh |= theirHigh;
      nearest = Math.min(nearest, bitCount(theirLow) + bitCount(theirHigh));
    }
    const near = NEAREST_OF[nearest]!;
    const hand = bitCount(low) + bitCount(high);
    const unseen = columnsIn(unseenLow, unseenHigh);
    const unseenGroups = groupedColumns(unseenLow, unseenHigh);
    const unseenJoker = (unseenLow & JOKER_BIT) !== 0;
    const unseenSpadeThree = (unseenLow & 2) !== 0;
    const lowest = 31 - Math.clz32(unseen & -unseen);
    const highest = 31 - Math.clz32(unseen);
    const revolution = words[REVOLUTION] === 1;
    const on = words[KIND]!;
    const role = on === NO_PLAY ? 0 : 1;
    const own = role === 1 && words[LAST] === mover;
    const locking = role === 1 && words[LOCKED] === 0 ? words[SUITS_ON]! : 0;
    const groups = groupedColumns(low, high);
    const triples = tripledColumns(low, high);
    let inRuns = 0;
    for (let suit = 0; suit < 4; suit++) {
      const held = suitOf(low, high, suit);
      const firsts = held & (held >> 1) & (held >> 2);
      inRuns |= runs[suit] = firsts | (firsts << 1) | (firsts << 2);
    }
    for (let i = 0, at = 0; i < moves; i++, at += PER_MOVE) {
      const action = actions[i]!;
      const revolutionAfter = TOGGLES_REVOLUTION[action] === 1 ? !revolution : revolution;
      const leftLow = low & ~CARDS_LOW[action]!;
      const leftHigh = high & ~CARDS_HIGH[action]!;
      const columns = (leftLow | (leftLow >>> 16) | leftHigh | (leftHigh >>> 16)) & RANKS_OF_SUIT;
      // The ranks left in the hand that no unseen card beats.
      const sure =
        unseen === 0
          ? columns
          : revolutionAfter
            ? columns & ((2 << lowest) - 1)
            : (columns >> highest) << highest;
      const ranks = COUNT_OF[columns]!;
      const weak = Math.min(7, ranks - COUNT_OF[sure]!);
      const controls = Math.min(5, COUNT_OF[sure]! + ((leftLow >>> 15) & 1));
      if (action === PASS) {
        const waiting = PLAYERS - bitCount(words[PASSED]! | words[GONE]! | (1 << mover));
        const above = revolution ? BELOW[words[LOW]!]! : ABOVE[words[HIGH]!]!;
        out[at] = PASSING + 2 * (own ? 5 : on) + ((low >>> 15) & 1);
        out[at + 1] = PASS_HAND + 12 * role + Math.min(11, hand);
        out[at + 2] = PASS_NEAREST + 3 * role + near;
        out[at + 3] =
          PASS_TABLE +
          8 * on +
          (on === SINGLE
            ? STRONGER_OF[unseen & above]!
            : on === GROUP
              ? STRONGER_OF[unseenGroups & above]!
              : on === SEQUENCE
                ? STRONGER_OF[above]!
                : 0);
        out[at + 4] = PASS_WAITING + 5 * role + waiting;
        out[at + 5] = own ? PASS_OWN + waiting : 0;
        out[at + 6] = PASS_WEAK + 8 * role + weak;
        out[at + 7] = PASS_SURE + 6 * role + controls;
        continue;
      }
      const kind = CLASS_OF[action]!;
      const left = hand - SIZE_OF[action]!;
      const lowColumn = LOW_OF[action]!;
      const highColumn = HIGH_OF[action]!;
      const above = revolutionAfter ? BELOW[lowColumn]! : ABOVE[highColumn]!;
      let stronger = 0;
      let breaking = 0;
      if (kind === 0) {
        stronger = STRONGER_OF[unseen & above]!;
        breaking =
          ((groups >> lowColumn) & 1) +
          ((triples >> lowColumn) & 1) +
          3 * ((runs[SUIT_OF[action]!]! >> lowColumn) & 1);
      } else if (kind === 1) {
        stronger = STRONGER_OF[unseenGroups & above]!;
        breaking =
          Math.min(3, COUNT_OF[suitsIn(leftLow, leftHigh, lowColumn)]!) + 4 * ((inRuns >> lowColumn) & 1);
      } else if (kind === 2) {
        stronger = STRONGER_OF[above]!;
        const span = (2 << highColumn) - (1 << lowColumn);
        // Cards of the suit on either side would have made it longer.
        const beside =
          suitOf(leftLow, leftHigh, SUIT_OF[action]!) & ((2 << highColumn) | ((1 << lowColumn) >> 1));
        breaking = Math.min(3, COUNT_OF[groups & span]!) + (beside === 0 ? 0 : 4);
      }
      const clears =
        HAS_EIGHT[action] === 1 ||
        (kind === 3 ? !unseenSpadeThree : stronger === 0 && (kind !== 0 || !unseenJoker));
      out[at] = LEAVES + 12 * (8 * role + FORM_OF[action]!) + Math.min(11, left);
      out[at + 1] = BEATEN + 3 * (8 * (4 * role + kind) + stronger) + near;
      out[at + 2] = STRENGTH + 15 * (4 * role + kind) + (revolution ? 14 - highColumn : lowColumn);
      out[at + 3] = BREAKS + 8 * (4 * role + kind) + breaking;
      out[at + 4] = USES + 24 * role + USES_OF[action]! + FEW_OF[Math.min(11, left)]!;
      out[at + 5] = own
        ? ON_OWN + kind
        : locking !== 0 && SUITS_OF[action] === locking
          ? LOCKS + 3 * kind + (stronger === 0 ? 0 : stronger < 3 ? 1 : 2)
          : 0;
      out[at + 6] = REST + 6 * (8 * (2 * role + (clears ? 1 : 0)) + weak) + controls;
      out[at + 7] =
        TOGGLES_REVOLUTION[action] === 0
          ? 0
          : REVOLUTION_REST + (revolutionAfter ? 15 : 0) + meanStrength(columns, ranks, revolutionAfter);
    }
  },
};

/** The columns of which a set has three cards or more. */
function tripledColumns(low: number, high: number): number {
  const spades = low;
  const hearts = low >>> 16;
  const diamonds = high;
  const clubs = high >>> 16;
  return ((spades & hearts & (diamonds | clubs)) | (diamonds & clubs & (spades | hearts))) & RANKS_OF_SUIT;
}

/** The mean strength of ranks, 1 to 13, rounded; 0 if there are none. */
function meanStrength(columns: number, ranks: number, revolution: boolean): number {
  let sum = 0;
  for (let rest = columns; rest !== 0; rest &= rest - 1) {
    const column = 31 - Math.clz32(rest & -rest);
    sum += revolution ? 14 - column : column;
  }
  return ranks === 0 ? 0 : Math.round(sum / ranks);
}

/** Writes the features of returns of the exchange: the ranks of their cards, the joker above the others. */
function writeReturns(actions: Int32Array, moves: number, out: Int32Array): void {
  out.fill(0, 0, moves * PER_MOVE);
  for (let i = 0; i < moves; i++)
    for (const [n, card] of cardsOfReturn(actions[i]! - PLAYS).entries())
      out[i * PER_MOVE + n] = RETURNED + (card === 52 ? 14 : (card % 13) + 1);
}
