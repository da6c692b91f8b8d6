import {
  ACCEPTED,
  newTable,
  NOBODY,
  REJECTED,
  type UecdaStatus,
  type UecdaTable,
  writeStatus,
} from "./table.ts";
import {
  BY_STRENGTH,
  CARD_HIGH,
  CARD_LOW,
  CARDS,
  cardsIn,
  listCards,
  PLAYERS,
} from "../../games/daihinmin/cards.ts";
import { returnOf } from "../../games/daihinmin/deal.ts";
import {
  NO_PLAY,
  KIND_OF,
  LONE_JOKER,
  PASS,
  PLAYS,
  SIZE_OF,
  SUITS_OF,
  TOGGLES_REVOLUTION,
} from "../../games/daihinmin/plays.ts";
import {
  GIFTS,
  HANDS,
  KIND,
  LOCKED,
  NEXT,
  ON_TABLE,
  PHASE,
  RANKS,
  RETURNING_TWO,
  REVOLUTION,
  SUITS_ON,
  TO_MOVE,
} from "../../games/daihinmin/state.ts";
import type { DaihinminState, GameDaihinmin } from "../../games/daihinmin/daihinmin.ts";
import { cardsOfTable, playOfTable, tableOfPlay, writeCards } from "./cards.ts";

/** By place in the game before: the number of cards that a player has to give; below 0: that it gets, and returns. */
const GIVES = [-2, -1, 0, 1, 2];

/**
 * The first table of a game for a player, of the state after the deal and the gifts. The hand has the gifts that it got, and
 * also those that it gave; the counts are as dealt.
 */
export function dealTable({ words }: DaihinminState, player: number): UecdaTable {
  const table = newTable();
  const gives = (of: number) => (words[RANKS] === -1 ? 0 : GIVES[words[RANKS + of]!]!);
  writeHand(words, player, table);
  const gift = GIFTS + 2 * (2 - gives(player));
  if (gives(player) > 0) writeCards(words[gift]!, words[gift + 1]!, table);
  writeStatus(table, {
    ...statusOf(words),
    dealing: true,
    returns: Math.max(0, -gives(player)),
    player: NOBODY,
    empty: false,
    counts: countsOf(words).map((count, of) => count + gives(of)),
  });
  return table;
}

/** The table of a turn for a player: its hand and the state of the game. */
export function turnTable({ words }: DaihinminState, player: number): UecdaTable {
  const table = newTable();
  writeHand(words, player, table);
  writeStatus(table, { ...statusOf(words), yourTurn: words[TO_MOVE] === player });
  return table;
}

/**
 * The table that everyone gets after a turn; `state` is the one before the turn. It has the cards that lie there, even if
 * the play clears the table; after a pass, those that lay there before.
 */
export function playedTable({ words }: DaihinminState, action: number): UecdaTable {
  const table = tableOfPlay(action === PASS ? words[ON_TABLE]! : action);
  const status = statusOf(words);
  if (action === PASS) {
    writeStatus(table, status);
    return table;
  }
  const suits = SUITS_OF[action]!;
  const locks = words[KIND] !== NO_PLAY && suits !== 0 && suits === words[SUITS_ON];
  writeStatus(table, {
    ...status,
    empty: false,
    revolution: status.revolution !== (TOGGLES_REVOLUTION[action] === 1),
    lock: KIND_OF[action] !== LONE_JOKER && (status.lock || locks),
    counts: status.counts.map((count, of) => (of === status.player ? count - SIZE_OF[action]! : count)),
  });
  return table;
}

/** The judgement of a response. */
export interface Verdict {
  readonly action: number;
  /** The number that the player gets in its turn. In the exchange it gets none. */
  readonly acknowledgement: typeof ACCEPTED | typeof REJECTED;
}

/**
 * Judges the response of a player in its turn; undefined is none. Everything but a legal play counts as a pass and is
 * rejected; a pass while cards lie on the table is rejected too.
 */
export function judgePlay(
  game: GameDaihinmin,
  state: DaihinminState,
  table: UecdaTable | undefined,
  legal: Int32Array,
): Verdict {
  const action = table === undefined ? undefined : playOfTable(table);
  if (action === PASS)
    return { action, acknowledgement: state.words[KIND] === NO_PLAY ? ACCEPTED : REJECTED };
  if (action !== undefined && legal.subarray(0, game.legal(state, legal)).includes(action))
    return { action, acknowledgement: ACCEPTED };
  return { action: PASS, acknowledgement: REJECTED };
}

/** Judges what the daifugo or the fugo returns. If these are not the right number of cards of its hand, it returns its strongest. */
export function judgeReturn({ words }: DaihinminState, table: UecdaTable | undefined): Verdict {
  const count = words[PHASE] === RETURNING_TWO ? 2 : 1;
  const at = HANDS + 2 * words[TO_MOVE]!;
  const cards = new Uint8Array(CARDS);
  const [low, high] = (table && cardsOfTable(table)) ?? [0, 0];
  if (cardsIn(low, high) === count && ((low & ~words[at]!) | (high & ~words[at + 1]!)) === 0) {
    listCards(low, high, cards);
    return { action: PLAYS + returnOf([...cards.subarray(0, count)]), acknowledgement: ACCEPTED };
  }
  const held = BY_STRENGTH.filter(
    (card) => ((words[at]! & CARD_LOW[card]!) | (words[at + 1]! & CARD_HIGH[card]!)) !== 0,
  );
  return { action: PLAYS + returnOf(Array.from(held.slice(-count))), acknowledgement: REJECTED };
}

function writeHand(words: Int32Array, player: number, table: UecdaTable): void {
  writeCards(words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!, table);
}

function statusOf(words: Int32Array): UecdaStatus {
  const first = words[RANKS] === -1;
  const seats = [0];
  while (seats.length < PLAYERS) seats.push(words[NEXT + seats.at(-1)!]!);
  return {
    dealing: false,
    returns: 0,
    yourTurn: false,
    player: words[TO_MOVE]!,
    empty: words[KIND] === NO_PLAY,
    jackBack: false,
    revolution: words[REVOLUTION] === 1,
    lock: words[LOCKED] === 1 && words[KIND] !== LONE_JOKER,
    counts: countsOf(words),
    ranks: Array.from({ length: PLAYERS }, (_, player) => (first ? 0 : words[RANKS + player]!)),
    seats,
  };
}

function countsOf(words: Int32Array): number[] {
  return Array.from({ length: PLAYERS }, (_, player) =>
    cardsIn(words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!),
  );
}
