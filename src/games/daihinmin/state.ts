import { CHANCE, OVER } from "../game.ts";
import { PLAYERS } from "./cards.ts";
import { NO_PLAY } from "./plays.ts";

/** A position of Daihinmin: numbers at the places that the constants of this file name. */
export interface DaihinminState {
  readonly words: Int32Array;
}

/** Two words a player: its cards (see `CARD_LOW`). */
export const HANDS = 0;
/** The player to move, CHANCE or OVER. */
export const TO_MOVE = 10;
/** The phase of the deal: one of the phases below. */
export const PHASE = 11;
/** The kind of the play on the table; `NO_PLAY` if the table is empty. */
export const KIND = 12;
/** Its number of cards. */
export const SIZE = 13;
/** Its lowest column. */
export const LOW = 14;
/** Its highest column. */
export const HIGH = 15;
/** Its set of suits, bit s for suit s. */
export const SUITS_ON = 16;
/** The play itself, 0 if the table is empty. */
export const ON_TABLE = 17;
/** 1 if only the suits on the table may be played. */
export const LOCKED = 18;
/** 1 under a revolution: the order of ranks is reversed. */
export const REVOLUTION = 19;
/** The set of players that have passed since the table was cleared: bit p. */
export const PASSED = 20;
/** The set of players without a card left. */
export const GONE = 21;
/** The player that played cards last; before the first play, the player that leads. */
export const LAST = 22;
/** Passes in a row. */
export const PASSES = 23;
/** How many players have a place. */
export const PLACED = 24;
/** By player: its place in this game, 0 is the first; -1 if it has none yet. */
export const PLACES = 25;
/** By player: its place in the game before; -1 before the second game. */
export const RANKS = 30;
/** By player: the player that sits next. */
export const NEXT = 35;
/** The number of the game in its sequence, from 0. */
export const GAME = 40;
/** By player: places won so far in quarters of a return. */
export const POINTS = 41;
/** How many cards are dealt. */
export const DEALT = 46;
/** The player that gets the next card. */
export const RECEIVER = 47;
/** Two words each: what the daihinmin gave, what the hinmin gave, what the daifugo and the fugo returned. */
export const GIFTS = 48;
/** Number of words. */
const WORDS = 56;

/** Chance seats the players. */
export const SEATING = 0;
/** Chance says who gets the first card. */
export const FIRST_RECEIVER = 1;
/** Chance deals card by card. */
export const DEALING = 2;
/** The daifugo returns two cards. */
export const RETURNING_TWO = 3;
/** The fugo returns one card. */
export const RETURNING_ONE = 4;
/** The players play. */
export const PLAYING = 5;
/** Chance draws the remaining places. */
export const DRAWING = 6;
/** The match is over. */
export const ENDED = 7;

/** Every player, as a set. */
export const EVERYONE: number = (1 << PLAYERS) - 1;

/** Passes in a row that end a game. */
export const MOST_PASSES = 20;

/** The state at the start of a sequence of `games` games. */
export function newDaihinminState(games: number): DaihinminState {
  const words = new Int32Array(WORDS);
  for (let player = 0; player < PLAYERS; player++) {
    words[NEXT + player] = (player + 1) % PLAYERS;
    words[RANKS + player] = -1;
  }
  beginGame(words, games);
  return { words };
}

/** Clears everything that belongs to one game; chance begins the next one. */
function beginGame(words: Int32Array, games: number): void {
  for (let at = HANDS; at < HANDS + 2 * PLAYERS; at++) words[at] = 0;
  for (let at = GIFTS; at < WORDS; at++) words[at] = 0;
  for (let player = 0; player < PLAYERS; player++) words[PLACES + player] = -1;
  clearTable(words);
  words[REVOLUTION] = 0;
  words[GONE] = 0;
  words[LAST] = 0;
  words[PASSES] = 0;
  words[PLACED] = 0;
  words[DEALT] = 0;
  words[TO_MOVE] = CHANCE;
  const game = words[GAME]!;
  words[RECEIVER] = game === 0 ? 0 : playerOfRank(words, 0);
  if (games > 1 && game % 3 === 0) words[PHASE] = SEATING;
  else words[PHASE] = game === 0 ? FIRST_RECEIVER : DEALING;
}

/** Clears the table; everyone may play again. */
export function clearTable(words: Int32Array): void {
  words[KIND] = NO_PLAY;
  words[SIZE] = 0;
  words[LOW] = 0;
  words[HIGH] = 0;
  words[SUITS_ON] = 0;
  words[ON_TABLE] = 0;
  words[LOCKED] = 0;
  words[PASSED] = 0;
}

/** The player that had this place in the game before. */
export function playerOfRank(words: Int32Array, rank: number): number {
  let player = 0;
  while (words[RANKS + player] !== rank) player++;
  return player;
}

/** The next player in seat order that is not in `without`; `without` must leave one. */
export function nextOutside(words: Int32Array, player: number, without: number): number {
  let next = words[NEXT + player]!;
  while (((without >> next) & 1) === 1) next = words[NEXT + next]!;
  return next;
}

/** Ends a game whose places are all given: counts them, and has the next game begin if there is one. */
export function endGame(words: Int32Array, games: number): void {
  for (let player = 0; player < PLAYERS; player++) {
    const place = words[PLACES + player]!;
    words[POINTS + player]! += PLAYERS - 1 - place;
    words[RANKS + player] = place;
  }
  words[GAME]!++;
  if (words[GAME]! < games) beginGame(words, games);
  else {
    words[PHASE] = ENDED;
    words[TO_MOVE] = OVER;
  }
}

/** Gives a player the next place; the last one left gets the last. Says whether all places are given. */
export function givePlace(words: Int32Array, player: number): boolean {
  words[PLACES + player] = words[PLACED]!;
  words[PLACED]!++;
  if (words[PLACED] !== PLAYERS - 1) return false;
  let last = 0;
  while (words[PLACES + last]! >= 0) last++;
  words[PLACES + last] = PLAYERS - 1;
  words[PLACED] = PLAYERS;
  return true;
}
