import { CARD_HIGH, CARD_LOW, CARDS, PLAYERS } from "./cards.ts";
import { CARDS_HIGH, CARDS_LOW, HIGH_OF, KIND_OF, LOW_OF, PASS, SIZE_OF, SUITS_OF } from "./plays.ts";
import {
  type DaihinminState,
  EVERYONE,
  GONE,
  HANDS,
  HIGH,
  KIND,
  LAST,
  LOCKED,
  LOW,
  newDaihinminState,
  ON_TABLE,
  PHASE,
  PLACED,
  PLACES,
  PLAYING,
  REVOLUTION,
  SIZE,
  SUITS_ON,
  TO_MOVE,
} from "./state.ts";

/** A position as one player sees it. */
export interface DaihinminView {
  /** The cards of player 0, who is to move: at least one. */
  readonly hand: readonly number[];
  /** The play on the table, `PASS` if it is empty; none of its cards is in the hand. */
  readonly table: number;
  readonly lock: boolean;
  readonly revolution: boolean;
}

/** The most cards that the others get. */
const MOST_DEALT = 11;

/**
 * A state that agrees with a view: player 0 is to move, player 4 has made the play on the table. The other players hold the
 * cards that are neither in the hand nor on the table, in order of their numbers, up to eleven each. A player without
 * cards is out.
 */
export function daihinminPosition({ hand, table, lock, revolution }: DaihinminView): DaihinminState {
  const state = newDaihinminState(1);
  const { words } = state;
  let low = CARDS_LOW[table]!;
  let high = CARDS_HIGH[table]!;
  const take = (player: number, card: number) => {
    low |= CARD_LOW[card]!;
    high |= CARD_HIGH[card]!;
    words[HANDS + 2 * player]! |= CARD_LOW[card]!;
    words[HANDS + 2 * player + 1]! |= CARD_HIGH[card]!;
  };
  for (const card of hand) take(0, card);
  let given = 0;
  for (let card = 0; card < CARDS && given < MOST_DEALT * (PLAYERS - 1); card++)
    if ((low & CARD_LOW[card]!) === 0 && (high & CARD_HIGH[card]!) === 0)
      take(1 + (given++ % (PLAYERS - 1)), card);
  let gone = EVERYONE;
  let placed = 0;
  for (let player = 0; player < PLAYERS; player++)
    if ((words[HANDS + 2 * player]! | words[HANDS + 2 * player + 1]!) !== 0) gone &= ~(1 << player);
    else words[PLACES + player] = placed++;
  words[GONE] = gone;
  words[PLACED] = placed;
  words[PHASE] = PLAYING;
  words[TO_MOVE] = 0;
  words[LAST] = table === PASS ? 0 : PLAYERS - 1;
  words[KIND] = KIND_OF[table]!;
  words[SIZE] = SIZE_OF[table]!;
  words[LOW] = LOW_OF[table]!;
  words[HIGH] = HIGH_OF[table]!;
  words[SUITS_ON] = SUITS_OF[table]!;
  words[ON_TABLE] = table;
  words[LOCKED] = lock ? 1 : 0;
  words[REVOLUTION] = revolution ? 1 : 0;
  return state;
}
