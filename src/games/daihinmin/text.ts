import { cardOfText, cardText } from "./cards.ts";
import { cardsOfReturn, RETURNS, returnOf } from "./deal.ts";
import { playOfText, playText, PLAYS } from "./plays.ts";
import { DEALING, type DaihinminState, PHASE, SEATING, TO_MOVE } from "./state.ts";
import type { Game, Notation } from "../game.ts";
import { daihinminPositionText, parseDaihinminPosition } from "./position-notation.ts";

/**
 * Moves as text: plays as in `playText`; returns of the exchange as the cards with `return` before them; outcomes of
 * chance as a card, `player 3` (from 1), or `seating 17`. For positions see `daihinminPositionText`.
 */
export function daihinminNotation(
  game: Pick<Game<DaihinminState>, "legal" | "maxLegal"> & {
    readonly games: number;
    readonly virtualRanks: boolean;
  },
): Notation<DaihinminState> {
  const actions = new Int32Array(game.maxLegal);
  const isLegal = (state: DaihinminState, action: number) =>
    actions.subarray(0, game.legal(state, actions)).includes(action);
  return {
    format: ({ words }, action) => (words[TO_MOVE]! < 0 ? outcomeText(words, action) : moveText(action)),
    parse(state, text) {
      const { words } = state;
      const action = words[TO_MOVE]! < 0 ? outcomeOfText(words, text) : moveOfText(text);
      return action !== undefined && isLegal(state, action) ? action : undefined;
    },
    position: daihinminPositionText,
    parsePosition: (text) => parseDaihinminPosition(text, game),
  };
}

/** The text of a decision. */
function moveText(action: number): string {
  return action < PLAYS
    ? playText(action)
    : `return ${cardsOfReturn(action - PLAYS)
        .map((card) => cardText(card))
        .join(" ")}`;
}

function moveOfText(text: string): number | undefined {
  if (!text.startsWith("return ")) return playOfText(text);
  const cards = text.slice(7).split(" ").map(cardOfText);
  if (cards.length > 2 || cards.includes(undefined) || new Set(cards).size < cards.length) return undefined;
  const number = returnOf(cards as number[]);
  return number < RETURNS ? PLAYS + number : undefined;
}

function outcomeText(words: Int32Array, outcome: number): string {
  if (words[PHASE] === DEALING) return cardText(outcome);
  return words[PHASE] === SEATING ? `seating ${outcome + 1}` : `player ${outcome + 1}`;
}

function outcomeOfText(words: Int32Array, text: string): number | undefined {
  if (words[PHASE] === DEALING) return cardOfText(text);
  const word = words[PHASE] === SEATING ? "seating" : "player";
  const number = /^(\w+) ([1-9]\d{0,2})$/.exec(text);
  return number?.[1] === word ? Number(number[2]) - 1 : undefined;
}
