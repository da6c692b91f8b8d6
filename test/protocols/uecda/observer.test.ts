import { describe, expect, it } from "vitest";
import { cell, newTable, type UecdaTable } from "../../../src/protocols/uecda/table.ts";
import { cardsIn } from "../../../src/games/daihinmin/cards.ts";
import { PASS, PLAYS } from "../../../src/games/daihinmin/plays.ts";
import {
  DEALT,
  GAME,
  GIFTS,
  HANDS,
  PHASE,
  PLAYING,
  RANKS,
  TO_MOVE,
} from "../../../src/games/daihinmin/state.ts";
import type { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { UecdaNonsense, UecdaObserver } from "../../../src/protocols/uecda/observer.ts";
import {
  dealTable,
  judgePlay,
  judgeReturn,
  playedTable,
  turnTable,
} from "../../../src/protocols/uecda/server-tables.ts";
import { tableOfPlay, writeCards } from "../../../src/protocols/uecda/cards.ts";
import { Random } from "../../../src/random.ts";
import { casesOf } from "../../number-of-cases.ts";

const PLAYERS = [0, 1, 2, 3, 4];
const game = openGame("daihinmin", { games: 4 }) as unknown as GameDaihinmin;

/** What is not the same for everyone who may not see hands: all of a state but hands and gifts. */
const open = (words: Int32Array) => [...words.subarray(TO_MOVE, DEALT)];
const handOf = (words: Int32Array, player: number) => [
  ...words.subarray(HANDS + 2 * player, HANDS + 2 * player + 2),
];

/** Plays series at random, which five observers follow by tables; `look` sees them at every turn. */
function observed(
  seed: number,
  look: (truth: Int32Array, observers: readonly UecdaObserver[]) => void,
  change: (table: UecdaTable) => void = () => undefined,
): string[] {
  const random = Random.named("observed", seed);
  const observers = PLAYERS.map((player) => new UecdaObserver(player, true));
  const state = game.initial();
  const { words } = state;
  const legal = new Int32Array(game.maxLegal);
  const differences: string[] = [];
  const changed = (table: UecdaTable) => {
    change(table);
    return table;
  };
  const chance = (going: () => boolean) => {
    while (words[TO_MOVE] === CHANCE && going()) game.play(state, game.chance.sample(state, random));
  };
  chance(() => true);
  while (words[TO_MOVE] !== OVER) {
    for (const player of PLAYERS) observers[player]!.deal(changed(dealTable(state, player)));
    while (words[PHASE] !== PLAYING) {
      const mover = words[TO_MOVE]!;
      const { state: own, exchanges } = observers[mover]!;
      if (exchanges) {
        expect(open(own.words)).toEqual(open(words));
        expect(handOf(own.words, mover)).toEqual(handOf(words, mover));
      }
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    }
    const number = words[GAME];
    while (words[GAME] === number && words[TO_MOVE] !== CHANCE) {
      for (const player of PLAYERS) {
        const difference = observers[player]!.turn(changed(turnTable(state, player)));
        if (difference !== undefined) differences.push(difference);
      }
      look(words, observers);
      const action = legal[random.below(game.legal(state, legal))]!;
      const table = playedTable(state, action);
      for (const player of PLAYERS) expect(observers[player]!.played(table)).toBe(action);
      game.play(state, action);
    }
    chance(() => words[GAME] === number);
    chance(() => true);
  }
  return differences;
}

describe("what a player knows by the tables", () => {
  it("is all that is open, its own hand, and how many cards the others have", () => {
    let turns = 0;
    const differences = observed(1, (truth, observers) => {
      turns++;
      for (const [player, { state }] of observers.entries()) {
        expect(open(state.words)).toEqual(open(truth));
        expect(handOf(state.words, player)).toEqual(handOf(truth, player));
        for (const other of PLAYERS)
          expect(cardsIn(...(handOf(state.words, other) as [number, number]))).toBe(
            cardsIn(...(handOf(truth, other) as [number, number])),
          );
      }
    });
    expect(differences).toEqual([]);
    expect(turns).toBeGreaterThan(200);
  });

  it("is which cards the poor gave and got, and the rich returned", () => {
    observed(2, (truth, observers) => {
      for (const player of PLAYERS) {
        const rank = truth[RANKS + player]!;
        const { words } = observers[player]!.state;
        const gift = GIFTS + (rank === 0 || rank === 4 ? 0 : 2);
        if (rank > 2)
          expect([...words.subarray(gift, gift + 2)]).toEqual([...truth.subarray(gift, gift + 2)]);
        if (rank >= 0 && rank !== 2)
          expect([...words.subarray(gift + 4, gift + 6)]).toEqual([...truth.subarray(gift + 4, gift + 6)]);
      }
    });
  });

  it("never rules out the hands that there are", () => {
    const random = Random.named("hands");
    const into = game.initial();
    observed(3, (_, observers) => {
      for (const [player, { state }] of observers.entries()) {
        game.information.determinize(state, player, random, into);
        const cards = PLAYERS.map((other) => cardsIn(...(handOf(into.words, other) as [number, number])));
        expect(cards).toEqual(
          PLAYERS.map((other) => cardsIn(...(handOf(state.words, other) as [number, number]))),
        );
      }
    });
  });

  it("begins anew where the server forgets places", () => {
    observed(
      4,
      (_, observers) => {
        for (const { state } of observers)
          expect([...state.words.subarray(RANKS, RANKS + 5)]).toEqual([-1, -1, -1, -1, -1]);
      },
      (table) => {
        table.fill(0, cell(6, 5), cell(6, 10));
        table[cell(5, 1)] = 0;
      },
    );
  });

  it("is the server's word where our rules would have it otherwise, and says so", () => {
    const observer = new UecdaObserver(0, true);
    const state = game.initial();
    const random = Random.named("word");
    while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    observer.deal(dealTable(state, 0));
    expect(observer.turn(turnTable(state, 0))).toBeUndefined();
    observer.played(playedTable(state, PASS));
    game.play(state, PASS);
    const table = turnTable(state, 0);
    table[cell(5, 6)] = 1;
    expect(observer.turn(table)).toBe("revolution: true");
    expect(observer.turn(table)).toBeUndefined();
  });

  it("needs no exchange where the server has none", () => {
    const state = game.initial();
    const random = Random.named("no exchange");
    while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    const into = game.initial();
    for (const player of PLAYERS) {
      const observer = new UecdaObserver(player, true);
      const tables = [dealTable(state, player), turnTable(state, player)] as const;
      for (const table of tables) table.set([3, 0, 4, 1, 2], cell(6, 5));
      expect(observer.deal(tables[0])).toBe(0);
      expect(observer.turn(tables[1])).toBeUndefined();
      game.information.determinize(observer.state, player, random, into);
      expect(handOf(into.words, player)).toEqual(handOf(state.words, player));
    }
  });

  it.each<[string, (table: UecdaTable) => void, RegExp]>([
    ["a player twice at the table", (table) => table.fill(1, cell(6, 10)), /the seats/],
    ["places twice", (table) => table.set([1, 1, 2, 3, 4], cell(6, 5)), /the places/],
    ["a hand of no cards", (table) => table.fill(9, 0, cell(5, 0)), /no card/],
    ["cards to return in a first game", (table) => table.set([2], cell(5, 1)), /has to return 2/],
  ])("cannot be %s", (_, change, message) => {
    const state = game.initial();
    const random = Random.named("nonsense");
    while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    const table = dealTable(state, 2);
    change(table);
    const observer = new UecdaObserver(2, true);
    expect(() => observer.deal(table)).toThrow(UecdaNonsense);
    expect(() => new UecdaObserver(2, true).deal(table)).toThrow(message);
  });
});

describe("a server's verdict", () => {
  const random = Random.named("verdict");
  const legal = new Int32Array(game.maxLegal);

  it("is the legal plays, each accepted, and the others passes that are rejected", () => {
    const state = game.initial();
    let judged = 0;
    while (game.toMove(state) !== OVER) {
      const mover = game.toMove(state);
      if (mover !== CHANCE && state.words[PHASE] === PLAYING) {
        const actions = [...legal.subarray(0, game.legal(state, legal))];
        for (let i = 0; i < casesOf(20); i++) {
          const action = i === 0 ? actions.at(-1)! : 1 + random.below(PLAYS - 1);
          const verdict = judgePlay(game, state, tableOfPlay(action), legal);
          if (action === PASS) continue;
          expect(verdict).toEqual(
            actions.includes(action) ? { action, acknowledgement: 9 } : { action: PASS, acknowledgement: 8 },
          );
          judged++;
        }
        expect(judgePlay(game, state, undefined, legal)).toEqual({ action: PASS, acknowledgement: 8 });
      }
      game.legal(state, legal);
      game.play(
        state,
        mover === CHANCE ? game.chance.sample(state, random) : legal[random.below(game.legal(state, legal))]!,
      );
    }
    expect(judged).toBeGreaterThan(casesOf(1000));
  });

  it("is the cards returned where there are as many of the hand as are due", () => {
    const state = game.initial();
    let judged = 0;
    while (game.toMove(state) !== OVER) {
      const mover = game.toMove(state);
      const action =
        mover === CHANCE ? game.chance.sample(state, random) : legal[random.below(game.legal(state, legal))]!;
      if (mover !== CHANCE && state.words[PHASE] !== PLAYING) {
        const copy = game.initial();
        game.copy(state, copy);
        game.play(copy, action);
        const table = newTable();
        const [low, high] = handOf(state.words, mover) as [number, number];
        const [lowAfter, highAfter] = handOf(copy.words, mover) as [number, number];
        writeCards(low & ~lowAfter, high & ~highAfter, table);
        expect(judgeReturn(state, table)).toEqual({ action, acknowledgement: 9 });
        const [most, none] = [newTable(), newTable()];
        writeCards(low, high, most);
        const foreign = newTable();
        const other = handOf(state.words, (mover + 1) % 5) as [number, number];
        writeCards(...other, foreign);
        const strongest = judgeReturn(state, undefined);
        expect(strongest.acknowledgement).toBe(8);
        for (const wrong of [most, none, foreign]) expect(judgeReturn(state, wrong)).toEqual(strongest);
        judged++;
      }
      game.play(state, action);
    }
    expect(judged).toBe(6);
  });
});
