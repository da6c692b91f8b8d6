import { CARD_HIGH, CARD_LOW } from "../../../src/games/daihinmin/cards.ts";
import { cardsOfReturn } from "../../../src/games/daihinmin/deal.ts";
import { cellsOfPlay, PASS, PLAYS } from "../../../src/games/daihinmin/plays.ts";
import {
  type DaihinminState,
  GONE,
  HANDS,
  LAST,
  LOCKED,
  ON_TABLE,
  PASSED,
  PHASE,
  PLAYING,
  REVOLUTION,
  TO_MOVE,
} from "../../../src/games/daihinmin/state.ts";

/** A card; the joker is of suit 4 and column 14. */
interface Card {
  readonly suit: number;
  readonly column: number;
}

const JOKER: Card = { suit: 4, column: 14 };

function handOf({ words }: DaihinminState, player: number): Card[] {
  const held: Card[] = [];
  for (let card = 0; card < 53; card++)
    if (
      ((words[HANDS + 2 * player]! & CARD_LOW[card]!) |
        (words[HANDS + 2 * player + 1]! & CARD_HIGH[card]!)) !==
      0
    )
      held.push(card === 52 ? JOKER : { suit: Math.floor(card / 13), column: (card % 13) + 1 });
  return held;
}

const natural = (cards: readonly Card[]) => cards.filter((card) => card !== JOKER);

/** The columns of which there are so many cards. */
function columnsOf(cards: readonly Card[], least = 1): number[] {
  const all = natural(cards).map(({ column }) => column);
  return [...new Set(all)].filter((column) => all.filter((other) => other === column).length >= least);
}

/** Whether a card lies in a sequence of three or more that are held. */
function inRun(cards: readonly Card[], { suit, column }: Card): boolean {
  const has = (at: number) => cards.some((card) => card.suit === suit && card.column === at);
  return [0, 1, 2].some((back) => [0, 1, 2].every((i) => has(column - back + i)));
}

const strongerText = (n: number) =>
  n < 4 ? `${n} above` : n < 6 ? "4-5 above" : n < 8 ? "6-7 above" : n < 10 ? "8-9 above" : "10+ above";
const nearestText = (n: number) => `nearest ${n < 2 ? "1" : n < 4 ? "2-3" : "4+"}`;
const leftText = (n: number) => `${n < 4 ? n : n < 7 ? "4-6" : "7+"} left`;

/** A play as the words of the features have it. */
function formOf(action: number) {
  const cells = cellsOfPlay(action);
  const columns = cells.map(([, column]) => column);
  const suits = new Set(cells.flatMap(([suit]) => (suit < 4 ? [suit] : [])));
  const joker = cells.some(([, , isJoker]) => isJoker);
  const size = cells.length;
  const kind = size === 1 ? (joker ? "joker" : "single") : new Set(columns).size === 1 ? "group" : "sequence";
  const form =
    kind === "group"
      ? ["pair", "triple", "quadruple", "quadruple"][size - 2]!
      : kind === "sequence"
        ? `sequence ${size < 5 ? size : "5+"}`
        : kind;
  return {
    cells,
    kind,
    form,
    size,
    joker,
    suits,
    low: kind === "joker" ? 0 : Math.min(...columns),
    high: kind === "joker" ? 0 : Math.max(...columns),
    eight: kind !== "joker" && columns.includes(6),
    turns: (kind === "group" && size >= 4) || (kind === "sequence" && size >= 5),
  };
}

/** The names of the features of a legal action, from what the mover sees, card by card. */
export function featureNames(state: DaihinminState, action: number): string[] {
  const { words } = state;
  if (words[PHASE] !== PLAYING) {
    const cards = cardsOfReturn(action - PLAYS).map(
      (card) => `returns column ${card === 52 ? 14 : (card % 13) + 1}`,
    );
    return [...cards, ...Array.from({ length: 8 - cards.length }, () => "nothing")];
  }
  const mover = words[TO_MOVE]!;
  const hand = handOf(state, mover);
  const others = [0, 1, 2, 3, 4].filter((player) => player !== mover).map((player) => handOf(state, player));
  const unseen = others.flat();
  const nearest = Math.min(...others.filter((cards) => cards.length > 0).map((cards) => cards.length));
  const revolution = words[REVOLUTION] === 1;
  const table = words[ON_TABLE] === 0 ? undefined : formOf(words[ON_TABLE]!);
  const role = table === undefined ? "lead" : "follow";
  const own = table !== undefined && words[LAST] === mover;
  const answers = [0, 1, 2, 3, 4].filter(
    (player) => player !== mover && (((words[PASSED]! | words[GONE]!) >> player) & 1) === 0,
  ).length;
  const play = formOf(action);
  const order = play.turns ? !revolution : revolution;
  const left = [...hand];
  for (const [suit, column, joker] of play.cells)
    left.splice(
      left.findIndex((card) => (joker ? card === JOKER : card.suit === suit && card.column === column)),
      1,
    );
  const ranks = columnsOf(left);
  const isSure = (rank: number) =>
    columnsOf(unseen).every((other) => (order ? rank <= other : rank >= other));
  const sure = ranks.filter(isSure).length;
  const weakText = `${Math.min(7, ranks.length - sure)} weak ranks`;
  const sureText = `${Math.min(5, sure + (left.includes(JOKER) ? 1 : 0))} sure ranks`;
  const above = (of: { kind: string; low: number; high: number }, reversed: boolean) => {
    if (of.kind === "joker") return 0;
    const among =
      of.kind === "single"
        ? columnsOf(unseen)
        : of.kind === "group"
          ? columnsOf(unseen, 2)
          : Array.from({ length: 13 }, (_, i) => i + 1);
    return among.filter((column) => (reversed ? column < of.low : column > of.high)).length;
  };
  if (action === PASS) {
    const on = own ? "own" : (table?.kind ?? "nothing");
    return [
      `pass on ${on} ${hand.includes(JOKER) ? "with" : "without"} joker`,
      `pass ${role} ${Math.min(11, hand.length)} cards`,
      `pass ${role} ${nearestText(nearest)}`,
      `pass on ${table?.kind ?? "nothing"} ${strongerText(table === undefined ? 0 : above(table, revolution))}`,
      `pass ${role} ${answers} to answer`,
      own ? `pass on own ${answers} to answer` : "nothing",
      `pass ${role} ${weakText}`,
      `pass ${role} ${sureText}`,
    ];
  }
  const stronger = above(play, order);
  const clears =
    play.eight ||
    (play.kind === "joker"
      ? !unseen.some(({ suit, column }) => suit === 0 && column === 1)
      : stronger === 0 && (play.kind !== "single" || !unseen.includes(JOKER)));
  const [[suit, column]] = play.cells as unknown as [[number, number]];
  let breaking = 0;
  if (play.kind === "single") {
    const alike = natural(hand).filter((card) => card.column === column).length;
    breaking = Math.min(2, alike - 1) + (inRun(natural(hand), { suit, column }) ? 3 : 0);
  } else if (play.kind === "group") {
    const kept = natural(left).filter((card) => card.column === column).length;
    const run = natural(hand).some((card) => card.column === column && inRun(natural(hand), card));
    breaking = Math.min(3, kept) + (run ? 4 : 0);
  } else if (play.kind === "sequence") {
    const groups = columnsOf(hand, 2).filter((rank) => rank >= play.low && rank <= play.high).length;
    const longer = natural(left).some(
      (card) => card.suit === suit && (card.column === play.low - 1 || card.column === play.high + 1),
    );
    breaking = Math.min(3, groups) + (longer ? 4 : 0);
  }
  const suitsOf = ({ suits }: { suits: ReadonlySet<number> }) =>
    [...suits].toSorted((a, b) => a - b).join("");
  const locks =
    table !== undefined &&
    words[LOCKED] === 0 &&
    table.suits.size > 0 &&
    play.kind !== "joker" &&
    table.kind !== "joker" &&
    suitsOf(play) === suitsOf(table);
  const mean = ranks.reduce((sum, rank) => sum + (order ? 14 - rank : rank), 0) / (ranks.length || 1);
  const uses = [role, ...(play.joker ? ["with joker"] : []), ...(play.eight ? ["with eight"] : [])];
  return [
    `${role} ${play.form} ${Math.min(11, left.length)} cards`,
    `${role} ${play.kind} ${strongerText(stronger)} ${nearestText(nearest)}`,
    `${role} ${play.kind} strength ${revolution ? 14 - play.high : play.low}`,
    `${role} ${play.kind} breaking ${breaking}`,
    `${uses.join(" ")} ${leftText(left.length)}`,
    own
      ? `on own ${play.kind}`
      : locks
        ? `locks ${play.kind} ${stronger === 0 ? "0" : stronger < 3 ? "1-2" : "3+"} above`
        : "nothing",
    `${role} ${clears ? "clears" : "stays"} ${weakText} ${sureText}`,
    play.turns ? `turns to ${order ? "revolution" : "order"} rest ${Math.round(mean)}` : "nothing",
  ];
}
