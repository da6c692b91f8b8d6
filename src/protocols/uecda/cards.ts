import { cell, newTable, TABLE_COLUMNS, type UecdaTable } from "./table.ts";
import { CARD_HIGH, CARD_LOW, CARDS, JOKER, listCards } from "../../games/daihinmin/cards.ts";
import {
  cellsOfPlay,
  FIRST_SINGLE,
  groupPlay,
  JOKER_ALONE,
  LONGEST,
  PASS,
  windowPlay,
} from "../../games/daihinmin/plays.ts";

/** A cell with a card. */
const CARD = 1;
/** A cell with the joker, in the place of a card or in its own. */
const JOKER_HERE = 2;
/** The row of the joker in a hand, and of the fifth card of a group. */
const FIFTH_ROW = 4;

const listed = new Uint8Array(CARDS);

/** Writes a set of cards into a table: rows 0 to 3 are S, H, D, C, columns 1 to 13 are 3 to 2; the joker is at [4][1]. */
export function writeCards(low: number, high: number, table: UecdaTable): void {
  const count = listCards(low, high, listed);
  for (let i = 0; i < count; i++) {
    const card = listed[i]!;
    if (card === JOKER) table[cell(FIFTH_ROW, 1)] = JOKER_HERE;
    else table[cell(Math.floor(card / 13), (card % 13) + 1)] = CARD;
  }
}

/** The set of cards in rows 0 to 4, the joker in any cell; undefined if a cell holds no card or there are two jokers. */
export function cardsOfTable(table: UecdaTable): readonly [low: number, high: number] | undefined {
  let low = 0;
  let high = 0;
  const cells = cardCells(table);
  if (cells === undefined) return undefined;
  for (const { row, column, joker } of cells) {
    const card = joker ? JOKER : 13 * row + column - 1;
    low |= CARD_LOW[card]!;
    high |= CARD_HIGH[card]!;
  }
  return [low, high];
}

/** A play as a table; the joker alone is at [0][14], a pass is all zeros. */
export function tableOfPlay(action: number): UecdaTable {
  const table = newTable();
  for (const [suit, column, joker] of cellsOfPlay(action))
    table[cell(suit, column)] = joker ? JOKER_HERE : CARD;
  return table;
}

/**
 * The play in rows 0 to 4 of a table, legal or not; undefined if they hold no play. A single 2 in rows 0 to 3 is the
 * joker alone, in every column.
 */
export function playOfTable(table: UecdaTable): number | undefined {
  const cells = cardCells(table);
  if (cells === undefined) return undefined;
  const [first] = cells;
  if (first === undefined) return PASS;
  if (cells.length === 1) {
    if (!first.joker) return FIRST_SINGLE + 13 * first.row + first.column - 1;
    return first.row === FIFTH_ROW ? undefined : JOKER_ALONE;
  }
  return cells.every(({ column }) => column === first.column) ? groupOf(cells) : sequenceOf(cells);
}

interface CardCell {
  readonly row: number;
  readonly column: number;
  readonly joker: boolean;
}

/** The cells of rows 0 to 4 that are not 0, row by row; undefined if one is impossible or there are two jokers. */
function cardCells(table: UecdaTable): readonly CardCell[] | undefined {
  const cells: CardCell[] = [];
  let jokers = 0;
  for (let row = 0; row <= FIFTH_ROW; row++)
    for (let column = 0; column < TABLE_COLUMNS; column++) {
      const value = table[cell(row, column)]!;
      if (value === 0) continue;
      if (value === JOKER_HERE) jokers++;
      else if (value !== CARD || row === FIFTH_ROW || column === 0 || column === TABLE_COLUMNS - 1)
        return undefined;
      cells.push({ row, column, joker: value === JOKER_HERE });
    }
  return jokers > 1 ? undefined : cells;
}

function groupOf(cells: readonly CardCell[]): number | undefined {
  const { column } = cells[0]!;
  let suits = 0;
  let joker = -1;
  for (const { row, joker: here } of cells) {
    if (row < FIFTH_ROW) suits |= 1 << row;
    if (here) joker = row;
  }
  // The joker is a fifth card only beside all four suits.
  if (joker === FIFTH_ROW && suits !== 15) return undefined;
  return groupPlay(column, suits, joker);
}

function sequenceOf(cells: readonly CardCell[]): number | undefined {
  const { row, column: start } = cells[0]!;
  const { length } = cells;
  if (length < 3 || length > LONGEST || row === FIFTH_ROW) return undefined;
  let joker = -1;
  for (const [i, cell] of cells.entries()) {
    if (cell.row !== row || cell.column !== start + i) return undefined;
    if (cell.joker) joker = i;
  }
  const play = windowPlay(row, start, length);
  if (start === 0 || start + length === TABLE_COLUMNS) return play;
  return play + 1 + joker;
}
