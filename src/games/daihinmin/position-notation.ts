import type { PositionReading } from "../game.ts";
import { CARDS, cardText, listCards, PLAYERS } from "./cards.ts";
import { NO_PLAY, playText } from "./plays.ts";
import {
  DEALING,
  type DaihinminState,
  DRAWING,
  ENDED,
  FIRST_RECEIVER,
  GAME,
  GIFTS,
  HANDS,
  KIND,
  LAST,
  LOCKED,
  ON_TABLE,
  PASSED,
  PASSES,
  PHASE,
  PLACES,
  PLAYING,
  POINTS,
  RANKS,
  RECEIVER,
  RETURNING_ONE,
  RETURNING_TWO,
  REVOLUTION,
  SEATING,
  TO_MOVE,
} from "./state.ts";
import { ALL_PLAYERS, seatOrder, WrongPosition } from "./position-parts.ts";
import { PositionReader } from "./position-reader.ts";

/** The words for the phases of a deal; a player follows some of them: `play:3`. */
const PHASE_WORDS: Readonly<Record<number, string>> = {
  [SEATING]: "seating",
  [FIRST_RECEIVER]: "receiver",
  [DEALING]: "deal",
  [RETURNING_TWO]: "return",
  [RETURNING_ONE]: "return",
  [PLAYING]: "play",
  [DRAWING]: "draw",
  [ENDED]: "over",
};

/**
 * A position of Daihinmin as text: parts separated by blanks, the phase first. Players are 1 to 5.
 *
 * - `seating`, `receiver`: chance seats the players, or says who gets the first card. `deal:2`: the next card is dealt to
 *   player 2. `return:4`: player 4 returns cards. `play:3`: player 3 is to move. `draw`: the remaining places are
 *   drawn. `over`: the match is over.
 * - `hands=S3,H4/JK/-/...`: the cards of each player, `-` for none
 * - `table=H4,D4`: the play on the table; `lock`: only its suits may be played; `revolution`
 * - `last=2`: who played cards last (before the first play: who leads); `passed=1,5`: who has passed since the table was
 *   cleared; `passes=2`: passes in a row
 * - `places=-,1,-,-,2`: the places of this deal so far
 * - `order=1,3,2,5,4`: how the players sit, from player 1 on
 * - `deal=2`: the number of the deal; `ranks=`: the places of the deal before; `points=`: the sum so far, 4 for a first
 *   place down to 0 for a last one
 * - `gifts=S2,JK/HA/C3,D4/S5`: the cards of the exchange: from fifth to first, from fourth to second, from first to fifth,
 *   from second to fourth
 *
 * A part is left out if it is empty: nobody, no cards, players in order, first deal.
 */
export function daihinminPositionText({ words }: DaihinminState): string {
  const phase = words[PHASE]!;
  const over = phase === ENDED;
  const playing = phase === PLAYING;
  const byPlayer = (at: number, offset: number) =>
    ALL_PLAYERS.map((player) => words[at + player]! + offset).join();
  const order = seatOrder(words).map((player) => player + 1);
  const parts = [
    PHASE_WORDS[phase]! +
      (phase === DEALING
        ? `:${words[RECEIVER]! + 1}`
        : words[TO_MOVE]! >= 0
          ? `:${words[TO_MOVE]! + 1}`
          : ""),
  ];
  const add = (key: string, value: string, nothing: string) => {
    if (value !== nothing) parts.push(`${key}=${value}`);
  };
  if (!over) add("hands", setsText(words, HANDS, PLAYERS), "-/-/-/-/-");
  if (playing) {
    if (words[KIND] !== NO_PLAY) parts.push(`table=${playText(words[ON_TABLE]!).replaceAll(" ", ",")}`);
    if (words[LOCKED] === 1) parts.push("lock");
    if (words[REVOLUTION] === 1) parts.push("revolution");
    add("last", String(words[LAST]! + 1), "");
    add(
      "passed",
      ALL_PLAYERS.filter((player) => (words[PASSED]! >> player) & 1)
        .map((player) => player + 1)
        .join(),
      "",
    );
    add("passes", String(words[PASSES]!), "0");
  }
  add("places", byPlayer(PLACES, 1).replaceAll(/\b0\b/g, "-"), "-,-,-,-,-");
  if (!over) add("order", order.join(), "1,2,3,4,5");
  add("deal", String(words[GAME]! + (over ? 0 : 1)), "1");
  if (!over && words[GAME]! > 0) parts.push(`ranks=${byPlayer(RANKS, 1)}`);
  add("points", byPlayer(POINTS, 0), "0,0,0,0,0");
  if (!over) add("gifts", setsText(words, GIFTS, 4), "-/-/-/-");
  return parts.join(" ");
}

function setsText(words: Int32Array, at: number, sets: number): string {
  return Array.from({ length: sets }, (_, i) => {
    const cards = new Uint8Array(CARDS);
    const count = listCards(words[at + 2 * i]!, words[at + 2 * i + 1]!, cards);
    return count === 0 ? "-" : Array.from(cards.subarray(0, count), cardText).join();
  }).join("/");
}

/** Reads what `daihinminPositionText` writes, its parts in any order after the first one. */
export function parseDaihinminPosition(
  text: string,
  options: { readonly games: number; readonly virtualRanks: boolean },
): PositionReading<DaihinminState> {
  try {
    return { state: { words: new PositionReader(text, options).read() } };
  } catch (error) {
    if (error instanceof WrongPosition) return error.reading;
    throw error;
  }
}
