import type { CardBoard } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { CARDS, cardText, JOKER, JOKER_BIT, listCards, PLAYERS, setText } from "./cards.ts";
import { cardsOfReturn } from "./deal.ts";
import { cellsOfPlay, NO_PLAY, PASS, playText, PLAYS } from "./plays.ts";
import { handOf } from "./position-gifts.ts";
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
  TO_MOVE,
} from "./state.ts";
import { counted } from "../../messages/counted.ts";
import type { Drawing } from "../game.ts";

/** Hands, table and places: as text a line a player; as cards, for a seat with the other hands as backs. */
export const daihinminDrawing: Drawing<DaihinminState> = completeDrawing({
  text: ({ words }) => lines(words).join("\n"),
  seatText: ({ words }, seat) => lines(words, seat).join("\n"),
  board: boardOf,
  place(_, action) {
    if (action === PASS) return undefined;
    return { cards: action < PLAYS ? cardsOfPlay(action) : cardsOfReturn(action - PLAYS).map(cardText) };
  },
});

/** Hands and table as a seat sees them; undefined: all open. */
function boardOf({ words }: DaihinminState, seat?: number): CardBoard {
  const cards = new Uint8Array(CARDS);
  const toMove = words[TO_MOVE]!;
  return {
    kind: "cards",
    table: words[KIND] === NO_PLAY ? [] : cardsOfPlay(words[ON_TABLE]!),
    hands: Array.from({ length: PLAYERS }, (_, player) => {
      const [low, high] = handOf(words, player);
      const count = listCards(low, high, cards);
      // From the weakest to the strongest rank, as people hold them.
      const held = [...cards.subarray(0, count)].toSorted((a, b) => rankOf(a) - rankOf(b) || a - b);
      return { count, ...(seat === undefined || seat === player ? { cards: held.map(cardText) } : {}) };
    }),
    ...(toMove < 0 ? {} : { toMove }),
    seats: Array.from({ length: PLAYERS }, (_, player) => {
      const place = words[PLACES + player]!;
      const passed = ((words[PASSED]! >> player) & 1) === 1;
      return place >= 0 ? { note: `place ${place + 1}` } : passed ? { note: "passed" } : {};
    }),
    notes: [
      ...(words[LOCKED] === 1 ? ["suits locked"] : []),
      ...(words[REVOLUTION] === 1 ? ["revolution"] : []),
    ],
  };
}

function cardsOfPlay(action: number): string[] {
  return cellsOfPlay(action).map(([suit, column, joker]) => cardText(joker ? JOKER : 13 * suit + column - 1));
}

function rankOf(card: number): number {
  return card === JOKER ? 13 : card % 13;
}

/** Table and players; with a seat the other hands are numbers of cards. */
function lines(words: Int32Array, seat?: number): string[] {
  const table = words[KIND] === NO_PLAY ? "empty" : playText(words[ON_TABLE]!);
  const flags = [
    ...(words[LOCKED] === 1 ? ["locked"] : []),
    ...(words[REVOLUTION] === 1 ? ["revolution"] : []),
  ];
  const order: number[] = [];
  for (let i = 0, player = 0; i < PLAYERS; i++, player = words[NEXT + player]!) order.push(player);
  // Cards are dealt face down.
  const next = words[PHASE] === DEALING && seat === undefined ? `, next card to ${words[RECEIVER]! + 1}` : "";
  return [
    `game ${words[GAME]! + 1}, order ${order.map((player) => player + 1).join(" ")}${next}`,
    `table: ${[table, ...flags].join(", ")}`,
    ...Array.from({ length: PLAYERS }, (_, player) => {
      const mark = words[TO_MOVE] === player ? ">" : " ";
      const place = words[PLACES + player]!;
      const hidden = seat !== undefined && seat !== player;
      const low = words[HANDS + 2 * player]!;
      const notes = [
        ...(place >= 0 ? [`place ${place + 1}`] : []),
        ...((words[PASSED]! >> player) & 1 ? ["passed"] : []),
      ];
      const hand = setText(low & ~JOKER_BIT, words[HANDS + 2 * player + 1]!);
      const cards = hidden
        ? [counted(listCards(...handOf(words, player), new Uint8Array(CARDS)), "card")]
        : [hand, ...((low & JOKER_BIT) === 0 ? [] : ["JK"])].filter((part) => part !== "");
      return `${mark}${player + 1}: ${[cards.join(" "), ...notes].filter((part) => part !== "").join(", ")}`.trimEnd();
    }),
    ...(words[PHASE] === PLAYING || words[PHASE] === ENDED ? [] : [`phase ${words[PHASE]}`]),
  ];
}
