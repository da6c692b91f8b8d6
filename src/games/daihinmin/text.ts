import { cardOfText, cardText, JOKER_BIT, PLAYERS, setText } from "./cards.ts";
import { cardsOfReturn, RETURNS, returnOf } from "./deal.ts";
import { NO_PLAY, playOfText, playText, PLAYS } from "./plays.ts";
import {
  DEALING,
  type DaihinminState,
  ENDED,
  GAME,
  HANDS,
  KIND,
  LOCKED,
  NEXT,
  ON_TABLE,
  PASSED,
  PHASE,
  PLACES,
  PLAYING,
  RECEIVER,
  REVOLUTION,
  SEATING,
  TO_MOVE,
} from "./state.ts";
import type { Drawing, Game, Notation } from "../game.ts";
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

/** Hands, table and places, a line a player; as SVG the same text. */
export const daihinminDrawing: Drawing<DaihinminState> = {
  text: ({ words }) => lines(words).join("\n"),
  svg({ words }) {
    const rows = lines(words);
    const width = 12 + 8 * Math.max(...rows.map((row) => row.length));
    const text = rows
      .map(
        (row, i) =>
          `<text x="6" y="${18 * (i + 1)}" xml:space="preserve">${row.replaceAll("<", "&lt;")}</text>`,
      )
      .join("");
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${18 * rows.length + 8}" font-family="monospace" font-size="13"><rect width="100%" height="100%" fill="#fff"/>${text}</svg>`;
  },
};

function lines(words: Int32Array): string[] {
  const table = words[KIND] === NO_PLAY ? "empty" : playText(words[ON_TABLE]!);
  const flags = [
    ...(words[LOCKED] === 1 ? ["locked"] : []),
    ...(words[REVOLUTION] === 1 ? ["revolution"] : []),
  ];
  const order: number[] = [];
  for (let i = 0, player = 0; i < PLAYERS; i++, player = words[NEXT + player]!) order.push(player);
  const next = words[PHASE] === DEALING ? `, next card to ${words[RECEIVER]! + 1}` : "";
  return [
    `game ${words[GAME]! + 1}, order ${order.map((player) => player + 1).join(" ")}${next}`,
    `table: ${[table, ...flags].join(", ")}`,
    ...Array.from({ length: PLAYERS }, (_, player) => {
      const mark = words[TO_MOVE] === player ? ">" : " ";
      const place = words[PLACES + player]!;
      const low = words[HANDS + 2 * player]!;
      const notes = [
        ...(place >= 0 ? [`place ${place + 1}`] : []),
        ...((words[PASSED]! >> player) & 1 ? ["passed"] : []),
      ];
      const hand = setText(low & ~JOKER_BIT, words[HANDS + 2 * player + 1]!);
      const cards = [hand, ...((low & JOKER_BIT) === 0 ? [] : ["JK"])].filter((part) => part !== "");
      return `${mark}${player + 1}: ${[cards.join(" "), ...notes].filter((part) => part !== "").join(", ")}`.trimEnd();
    }),
    ...(words[PHASE] === PLAYING || words[PHASE] === ENDED ? [] : [`phase ${words[PHASE]}`]),
  ];
}
