import { CHANCE } from "../game.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  NO_PLAY,
  HAS_EIGHT,
  HIGH_OF,
  KIND_OF,
  LONE_JOKER,
  LOW_OF,
  PASS,
  SIZE_OF,
  SUITS_OF,
  TOGGLES_REVOLUTION,
} from "./plays.ts";
import {
  clearTable,
  DRAWING,
  endGame,
  EVERYONE,
  givePlace,
  GONE,
  HANDS,
  HIGH,
  KIND,
  LAST,
  LOCKED,
  LOW,
  MOST_PASSES,
  nextOutside,
  ON_TABLE,
  PASSED,
  PASSES,
  PHASE,
  REVOLUTION,
  SIZE,
  SUITS_ON,
  TO_MOVE,
} from "./state.ts";

/** Plays the mover's pass or cards, in place; `games` is the length of the sequence. */
export function takeTurn(words: Int32Array, action: number, games: number): void {
  const player = words[TO_MOVE]!;
  if (action === PASS) pass(words, player);
  else playCards(words, player, action, games);
}

function pass(words: Int32Array, player: number): void {
  words[PASSED]! |= 1 << player;
  if (++words[PASSES]! === MOST_PASSES) {
    words[PHASE] = DRAWING;
    words[TO_MOVE] = CHANCE;
    return;
  }
  goOn(words, player);
}

/** The next player still in moves. If everyone has passed, the table is cleared and the player that played last leads. */
function goOn(words: Int32Array, player: number): void {
  const out = words[PASSED]! | words[GONE]!;
  if (out === EVERYONE) {
    clearTable(words);
    lead(words);
  } else words[TO_MOVE] = nextOutside(words, player, out);
}

function lead(words: Int32Array): void {
  const last = words[LAST]!;
  words[TO_MOVE] = ((words[GONE]! >> last) & 1) === 0 ? last : nextOutside(words, last, words[GONE]!);
}

function playCards(words: Int32Array, player: number, action: number, games: number): void {
  const at = HANDS + 2 * player;
  words[at]! &= ~CARDS_LOW[action]!;
  words[at + 1]! &= ~CARDS_HIGH[action]!;
  const before = words[KIND]!;
  const kind = KIND_OF[action]!;
  const suits = SUITS_OF[action]!;
  // A joker alone has no suits. There is one joker, so neither it nor the play under it can lock.
  if (before !== NO_PLAY && suits === words[SUITS_ON]) words[LOCKED] = 1;
  words[KIND] = kind;
  words[SIZE] = SIZE_OF[action]!;
  words[LOW] = LOW_OF[action]!;
  words[HIGH] = HIGH_OF[action]!;
  words[SUITS_ON] = suits;
  words[ON_TABLE] = action;
  words[REVOLUTION]! ^= TOGGLES_REVOLUTION[action]!;
  words[LAST] = player;
  words[PASSES] = 0;
  if ((words[at]! | words[at + 1]!) === 0) {
    words[GONE]! |= 1 << player;
    if (givePlace(words, player)) {
      endGame(words, games);
      return;
    }
  }
  // Only the 3 of spades is played on a joker alone.
  if (HAS_EIGHT[action] === 1 || before === LONE_JOKER) {
    clearTable(words);
    lead(words);
  } else goOn(words, player);
}
