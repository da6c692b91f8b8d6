import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cell,
  newTable,
  tableBytes,
  tableOfBytes,
  type UecdaTable,
} from "../../../src/protocols/uecda/table.ts";
import { ALL_HIGH, ALL_LOW, CARD_HIGH, CARD_LOW, CARDS } from "../../../src/games/daihinmin/cards.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  JOKER_ALONE,
  PASS,
  PLAYS,
  playOfText,
} from "../../../src/games/daihinmin/plays.ts";
import { cardsOfTable, playOfTable, tableOfPlay, writeCards } from "../../../src/protocols/uecda/cards.ts";

/** A table with these cells of rows 0 to 4, as `row column value`. */
function tableOf(...cells: readonly (readonly [row: number, column: number, value: number])[]): UecdaTable {
  const table = newTable();
  for (const [row, column, value] of cells) table[cell(row, column)] = value;
  return table;
}

describe("plays on tables", () => {
  it("come back as they were, every one of the numbering, with the cards that leave the hand", () => {
    for (let action = 0; action < PLAYS; action++) {
      const table = tableOfBytes(tableBytes(tableOfPlay(action)));
      expect(playOfTable(table)).toBe(action);
      expect(cardsOfTable(table)).toEqual([CARDS_LOW[action], CARDS_HIGH[action]]);
    }
  });

  it("are never the same table twice", () => {
    const tables = Array.from({ length: PLAYS }, (_, action) => tableOfPlay(action).join());
    expect(new Set(tables).size).toBe(PLAYS);
  });

  it.each<[string, UecdaTable]>([
    ["S3", tableOf([0, 1, 1])],
    ["C2", tableOf([3, 13, 1])],
    ["JK", tableOf([2, 6, 2])],
    ["JK", tableOf([0, 0, 2])],
    ["JK", tableOf([3, 14, 2])],
    ["H9 *D9", tableOf([1, 7, 1], [2, 7, 2])],
    ["S9 H9 D9 C9 *X9", tableOf([0, 7, 1], [1, 7, 1], [2, 7, 1], [3, 7, 1], [4, 7, 2])],
    ["D5 *D6 D7", tableOf([2, 3, 1], [2, 4, 2], [2, 5, 1])],
    ["*S- S3 S4", tableOf([0, 0, 2], [0, 1, 1], [0, 2, 1])],
    ["CA C2 *C+", tableOf([3, 12, 1], [3, 13, 1], [3, 14, 2])],
    ["pass", newTable()],
  ])("lie as the protocol has them: %s", (text, table) => {
    expect(playOfTable(table)).toBe(playOfText(text));
  });

  it.each<[string, UecdaTable]>([
    ["no value of a card", tableOf([0, 1, 3])],
    ["a negative number", tableOf([0, 1, 2 ** 32 - 1])],
    ["a card at a virtual rank", tableOf([0, 0, 1])],
    ["a card above 2", tableOf([0, 14, 1])],
    ["a card in the fifth row", tableOf([4, 3, 1])],
    ["two jokers", tableOf([0, 3, 2], [1, 3, 2])],
    ["the joker alone in the fifth row", tableOf([4, 1, 2])],
    ["a fifth card without four", tableOf([0, 3, 1], [1, 3, 1], [4, 3, 2])],
    ["a fifth card of another rank", tableOf([0, 3, 1], [1, 3, 1], [2, 3, 1], [3, 3, 1], [4, 4, 2])],
    ["two cards in sequence", tableOf([0, 3, 1], [0, 4, 1])],
    ["a sequence with a gap", tableOf([0, 3, 1], [0, 4, 1], [0, 6, 1])],
    ["a sequence of two suits", tableOf([0, 3, 1], [0, 4, 1], [1, 5, 1])],
    ["a pair and another card", tableOf([0, 3, 1], [1, 3, 1], [0, 4, 1])],
    ["twelve in sequence", tableOf(...Array.from({ length: 12 }, (_, i) => [1, i + 1, 1] as const))],
  ])("are none: %s", (_, table) => {
    expect(playOfTable(table)).toBeUndefined();
  });

  it("are found in any table or none, and in the table of what is found again", () => {
    const value = fc.oneof(
      { weight: 30, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.nat(2 ** 32 - 1) },
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 120, maxLength: 120 }), (values) => {
        const action = playOfTable(Uint32Array.from(values));
        if (action !== undefined) expect(playOfTable(tableOfPlay(action))).toBe(action);
      }),
    );
  });

  it("do not depend on the rows that are not for cards", () => {
    const table = tableOf([0, 1, 1], [5, 2, 1], [6, 3, 11], [7, 14, 5]);
    expect(playOfTable(table)).toBe(playOfText("S3"));
    expect(playOfTable(tableOf([5, 2, 1], [6, 0, 99]))).toBe(PASS);
    expect(playOfTable(tableOfPlay(JOKER_ALONE))).toBe(JOKER_ALONE);
  });
});

describe("hands on tables", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(CARDS - 1)), (cards) => {
        const low = cards.reduce((set, card) => set | CARD_LOW[card]!, 0);
        const high = cards.reduce((set, card) => set | CARD_HIGH[card]!, 0);
        const table = newTable();
        writeCards(low, high, table);
        expect(table.filter((value) => value !== 0).length).toBe(cards.length);
        expect(cardsOfTable(table)).toEqual([low, high]);
      }),
    );
    const all = newTable();
    writeCards(ALL_LOW, ALL_HIGH, all);
    expect([all[cell(4, 1)], all[cell(0, 1)], all[cell(3, 13)], all[cell(4, 2)]]).toEqual([2, 1, 1, 0]);
  });

  it("hold the joker wherever it lies, and nothing that is no card", () => {
    expect(cardsOfTable(tableOf([0, 14, 2]))).toEqual([CARD_LOW[52], 0]);
    expect(cardsOfTable(tableOf([4, 1, 1]))).toBeUndefined();
    expect(cardsOfTable(tableOf([4, 1, 2], [0, 2, 2]))).toBeUndefined();
    expect(cardsOfTable(tableOf([1, 1, 5]))).toBeUndefined();
  });
});
