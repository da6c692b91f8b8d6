import { describe, expect, it } from "vitest";
import {
  ALL_HIGH,
  ALL_LOW,
  JOKER_BIT,
  cardOfText,
  cardsIn,
  exchangeStrength,
  listCards,
  setText,
} from "../../../src/games/daihinmin/cards.ts";
import {
  CARDS_HIGH,
  CARDS_LOW,
  KIND_OF,
  LOW_OF,
  HIGH_OF,
  PASS,
  playOfText,
  playText,
  PLAYS,
  SEQUENCE,
  SIZE_OF,
  takesJoker,
} from "../../../src/games/daihinmin/plays.ts";
import { daihinminPosition } from "../../../src/games/daihinmin/position.ts";
import { GIFTS, HANDS, PHASE, PLAYING, RANKS } from "../../../src/games/daihinmin/state.ts";
import type { DaihinminState, GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlainDaihinmin } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

const single = openGame("daihinmin") as GameDaihinmin;
const plainRanks = openGame("daihinmin", { virtualRanks: false }) as GameDaihinmin;
const sequence = openGame("daihinmin", { games: 7 }) as GameDaihinmin;

function handsOf({ words }: DaihinminState): string[][] {
  return [0, 1, 2, 3, 4].map((player) =>
    setText(words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!)
      .split(" ")
      .filter((card) => card !== ""),
  );
}

function legalTexts(game: GameDaihinmin, state: DaihinminState): string[] {
  const out = new Int32Array(game.maxLegal);
  return Array.from(out.subarray(0, game.legal(state, out)), (action) => game.notation.format(state, action));
}

function drawChance(game: GameDaihinmin, state: DaihinminState, random: Random): void {
  while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
}

/** Every decision state of a sequence, moves drawn by `draw`. */
function forEachDecision(
  game: GameDaihinmin,
  random: Random,
  draw: (state: DaihinminState) => number,
  visit: (state: DaihinminState) => void,
): void {
  const state = game.initial();
  for (;;) {
    drawChance(game, state, random);
    if (game.toMove(state) === OVER) return;
    visit(state);
    game.play(state, draw(state));
  }
}

describe("the plays of Daihinmin", () => {
  it("are as many as the source counts at an empty table", () => {
    const all = Array.from({ length: PLAYS - 1 }, (_, i) => i + 1);
    const real = all.filter(
      (action) => KIND_OF[action] !== SEQUENCE || (LOW_OF[action]! > 0 && HIGH_OF[action]! < 14),
    );
    const upToTen = real.filter((action) => SIZE_OF[action]! <= 10);
    expect(real.filter((action) => !takesJoker(action)).length).toBe(447);
    expect(upToTen.filter((action) => !takesJoker(action)).length).toBe(435);
    expect([real.length, upToTen.length]).toEqual([2_349, 2_205]);
    // With virtual ranks, two more for each suit and length.
    expect(all.length).toBe(2_349 + 4 * 2 * 9);
  });

  it("take as many cards from the hand as they have, each a card of the pack", () => {
    for (let action = 0; action < PLAYS; action++) {
      const [low, high] = [CARDS_LOW[action]!, CARDS_HIGH[action]!];
      expect(cardsIn(low, high), playText(action)).toBe(SIZE_OF[action]);
      expect([low & ~ALL_LOW, high & ~ALL_HIGH], playText(action)).toEqual([0, 0]);
    }
  });
});

describe.each([
  { game: single, virtual: true },
  { game: plainRanks, virtual: false },
])("Daihinmin beside the plain rules, virtual ranks $virtual", ({ game, virtual }) => {
  it("has the same movers, legal moves and places at every ply", () => {
    const returns = new Float64Array(5);
    for (let k = 0; k < casesOf(24); k++) {
      const random = Random.named("daihinmin beside plain rules", String(virtual), k);
      const state = game.initial();
      drawChance(game, state, random);
      const plain = new PlainDaihinmin(handsOf(state), virtual);
      while (!plain.broken && plain.mover !== OVER) {
        expect(game.toMove(state)).toBe(plain.mover);
        expect(handsOf(state).map((hand) => hand.toSorted())).toEqual(
          plain.hands.map((hand) => [...hand].toSorted()),
        );
        const texts = legalTexts(game, state);
        expect(texts.toSorted()).toEqual(plain.legal().toSorted());
        // Large plays and jokers are rare when every move is as likely: half of the games prefer them.
        const long = texts.toSorted((a, b) => b.length - a.length)[0]!;
        const text =
          k % 2 === 0 && random.below(3) > 0
            ? long
            : texts[texts.length === 1 ? 0 : random.below(texts.length)]!;
        game.play(state, game.notation.parse(state, text)!);
        plain.play(text);
      }
      if (plain.broken) expect(game.toMove(state)).toBe(CHANCE);
      drawChance(game, state, random);
      game.returns(state, returns);
      for (const [place, player] of plain.places.entries()) expect(returns[player]).toBe(1 - place / 4);
      expect([...returns].toSorted((a, b) => a - b)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    }
  });
});

describe("playouts of Daihinmin", () => {
  it("finish a game as drawing move by move does", () => {
    for (const game of [single, sequence])
      for (let k = 0; k < casesOf(30); k++) {
        const state = game.initial();
        drawChance(game, state, Random.named("daihinmin finish", k));
        const alone = structuredClone(state);
        game.playouts.finish!(alone, Random.named("finish", k));
        const random = Random.named("finish", k);
        while (game.toMove(state) !== OVER && game.search.deal(state) === 0)
          game.play(
            state,
            game.toMove(state) === CHANCE
              ? game.chance.sample(state, random)
              : game.playouts.uniform(state, random),
          );
        expect(alone).toEqual(state);
      }
  });

  it("draw each legal play as often as the others (chi-square), and the rule player's move is legal", () => {
    const random = Random.named("daihinmin draws");
    const out = new Int32Array(single.maxLegal);
    const draw = (state: DaihinminState) => single.playouts.uniform(state, random);
    let statistic = 0;
    let degrees = 0;
    for (let k = 0; k < 4; k++)
      forEachDecision(single, random, draw, (state) => {
        const count = single.legal(state, out);
        expect([...out.subarray(0, count)]).toContain(single.search.rulePlayer(state));
        const drawn = new Map<number, number>();
        for (let i = 0; i < 10 * count; i++) {
          const action = draw(state);
          drawn.set(action, (drawn.get(action) ?? 0) + 1);
        }
        let found = 0;
        for (const action of out.subarray(0, count)) {
          const times = drawn.get(action) ?? 0;
          found += times;
          statistic += (times - 10) ** 2 / 10;
        }
        expect(found).toBe(10 * count);
        degrees += count - 1;
      });
    // Its mean is the degrees of freedom, its variance about twice that.
    expect(Math.abs(statistic - degrees)).toBeLessThan(4 * Math.sqrt(2 * degrees));
  });
});

describe("places drawn by lot", () => {
  it("are drawn after twenty passes in a row, in every deal", () => {
    const random = Random.named("daihinmin passes");
    const state = sequence.initial();
    for (let deal = 0; deal < 3; deal++) {
      drawChance(sequence, state, random);
      while (state.words[PHASE] !== PLAYING) sequence.play(state, sequence.playouts.uniform(state, random));
      let passes = 0;
      for (; sequence.toMove(state) !== CHANCE; passes++) sequence.play(state, PASS);
      expect(passes).toBe(20);
    }
  });

  it("go to each player without a place equally often (chi-square)", () => {
    const reading = single.notation.parsePosition("draw hands=S3/-/S4/H5/H6 places=-,1,-,-,-");
    if ("error" in reading) throw new Error(reading.error.message);
    const random = Random.named("daihinmin lots");
    const found = new Float64Array(5);
    for (let i = 0; i < 4_000; i++) found[single.chance.sample(reading.state, random)]!++;
    expect(found[1]).toBe(0);
    const statistic = [0, 2, 3, 4].reduce((sum, player) => sum + (found[player]! - 1_000) ** 2 / 1_000, 0);
    // The .9999 quantile at 3 degrees of freedom.
    expect(statistic).toBeLessThan(21.1);
  });
});

describe("the exchange", () => {
  it("ranks the joker first, then 2, A, K, ... 3, of one rank spades, hearts, diamonds, clubs", () => {
    const strongestFirst = [
      "JK",
      ..."2AKQJT9876543".split("").flatMap((rank) => ["S", "H", "D", "C"].map((suit) => suit + rank)),
    ];
    expect(strongestFirst.map((card) => exchangeStrength(cardOfText(card)!))).toEqual(
      Array.from({ length: 53 }, (_, i) => 52 - i),
    );
  });

  it("has its moves and positions as text, which read back as they were", () => {
    const random = Random.named("daihinmin exchange texts");
    const draw = (state: DaihinminState) => sequence.playouts.uniform(state, random);
    let exchanges = 0;
    forEachDecision(sequence, random, draw, (state) => {
      if (state.words[PHASE] === PLAYING) return;
      exchanges++;
      const text = sequence.notation.position(state);
      const reading = sequence.notation.parsePosition(text);
      if ("error" in reading) throw new Error(reading.error.message);
      expect(sequence.notation.position(reading.state)).toBe(text);
      const out = new Int32Array(sequence.maxLegal);
      const actions = [...out.subarray(0, sequence.legal(state, out))];
      expect(legalTexts(sequence, reading.state).map((each) => sequence.notation.parse(state, each))).toEqual(
        actions,
      );
      // A player that returned cards plays on equally from both.
      const other = reading.state;
      const original = structuredClone(state);
      for (const each of [other, original]) {
        sequence.play(each, actions[0]!);
        while (each.words[PHASE] !== PLAYING) {
          sequence.legal(each, out);
          sequence.play(each, out[0]!);
        }
      }
      expect(sequence.notation.position(other)).toBe(sequence.notation.position(original));
    });
    expect(exchanges).toBe(12);
  });
});

describe("seats", () => {
  it("are the permutations in their order, counted from player 1 on", () => {
    const orderOf = (outcome: string) => {
      const state = sequence.initial();
      sequence.play(state, sequence.notation.parse(state, outcome)!);
      return sequence.notation.position(state);
    };
    expect(orderOf("seating 1")).toBe("receiver");
    expect(orderOf("seating 2")).toBe("receiver order=1,2,3,5,4");
    // 3, 5, 1, 4, 2: before it come two blocks of 24, three of 6, and one single order.
    expect(orderOf(`seating ${2 * 24 + 3 * 6 + 1 + 1}`)).toBe("receiver order=1,4,2,3,5");
    expect(orderOf("seating 120")).toBe("receiver order=1,5,4,3,2");
  });

  it("are drawn anew before deal 4, and its first card goes to the winner of deal 3", () => {
    const reading = sequence.notation.parsePosition("seating deal=4 ranks=3,1,2,5,4 points=4,12,8,0,6");
    if ("error" in reading) throw new Error(reading.error.message);
    const { state } = reading;
    sequence.play(state, sequence.notation.parse(state, "seating 120")!);
    expect(sequence.notation.position(state)).toBe(
      "deal:2 order=1,5,4,3,2 deal=4 ranks=3,1,2,5,4 points=4,12,8,0,6",
    );
    sequence.play(state, sequence.notation.parse(state, "JK")!);
    expect(sequence.notation.position(state)).toMatch(/^deal:1 hands=-\/JK\/-\/-\/- order/);
  });
});

describe("a position from what one player sees", () => {
  const positionOf = (hand: readonly string[], table: string) =>
    daihinminPosition({
      hand: hand.map((card) => cardOfText(card)!),
      table: playOfText(table)!,
      lock: false,
      revolution: false,
    });
  const pack = ["S", "H", "D", "C"].flatMap((suit) => "3456789TJQKA2".split("").map((rank) => suit + rank));

  it("deals the other cards in order of their numbers, up to eleven each", () => {
    expect(single.notation.position(positionOf(["S3", "JK"], "S5"))).toBe(
      `play:1 hands=S3,JK/${[0, 1, 2, 3]
        .map((player) =>
          pack
            .filter((card) => card !== "S3" && card !== "S5")
            .slice(0, 44)
            .filter((_, i) => i % 4 === player)
            .join(),
        )
        .join("/")} table=S5 last=5`,
    );
  });

  it("has players without cards out, in order", () => {
    const hand = pack.slice(2);
    const state = positionOf(hand, "JK");
    expect(single.notation.position(state)).toBe(
      `play:1 hands=${hand.join()}/S3/S4/-/- table=JK last=5 places=-,-,-,1,2`,
    );
    const movers = Array.from({ length: 3 }, () => {
      single.play(state, PASS);
      return single.toMove(state);
    });
    expect(movers).toEqual([1, 2, 0]);
  });
});

describe("sequences of games", () => {
  it("exchange cards by place, and deal 11 and 10 cards from the daifugo on", () => {
    let exchanges = 0;
    const random = Random.named("daihinmin exchanges");
    const draw = (state: DaihinminState) => sequence.playouts.uniform(state, random);
    let before: string[][] = [];
    forEachDecision(sequence, random, draw, (state) => {
      const { words } = state;
      if (words[PHASE] === PLAYING) return;
      const counts = [0, 1, 2, 3, 4].map((player) =>
        cardsIn(words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!),
      );
      const mover = sequence.toMove(state);
      const rank = words[RANKS + mover]!;
      const legal = legalTexts(sequence, state).length;
      const held = counts[mover]!;
      expect(legal).toBe(rank === 0 ? (held * (held - 1)) / 2 : held);
      expect([0, 1]).toContain(rank);
      exchanges++;
      if (rank !== 0) return;
      before = handsOf(state);
      const daihinmin = [0, 1, 2, 3, 4].find((player) => words[RANKS + player] === 4)!;
      const given = new Uint8Array(53);
      const gifts = given.subarray(0, listCards(words[GIFTS]!, words[GIFTS + 1]!, given));
      const kept = new Uint8Array(53);
      const at = HANDS + 2 * daihinmin;
      const left = kept.subarray(0, listCards(words[at]!, words[at + 1]!, kept));
      expect(gifts.length).toBe(2);
      expect(Math.max(...left.map(exchangeStrength))).toBeLessThan(
        Math.min(...Array.from(gifts, exchangeStrength)),
      );
      expect(held).toBeGreaterThanOrEqual(12);
    });
    expect(exchanges).toBe(12);
    expect(before.flat().length).toBe(53);
  });

  it("ends after the last game, with 2.5 returns a game in all", () => {
    const random = Random.named("daihinmin sums");
    const state = sequence.initial();
    while (sequence.toMove(state) !== OVER) {
      drawChance(sequence, state, random);
      if (sequence.toMove(state) !== OVER) sequence.play(state, sequence.search.rulePlayer(state));
    }
    const returns = new Float64Array(5);
    sequence.returns(state, returns);
    expect(returns.reduce((sum, value) => sum + value, 0)).toBe(7 * 2.5);
  });
});

describe("what a player knows", () => {
  it("is kept by determinization: own hand, cards played, counts, exchanged cards", () => {
    const random = Random.named("daihinmin determinize");
    const other = sequence.initial();
    const cards = new Uint8Array(53);
    const draw = (state: DaihinminState) => sequence.playouts.uniform(state, random);
    let known = 0;
    let decisions = 0;
    forEachDecision(sequence, random, draw, (state) => {
      const { words } = state;
      if (words[PHASE] === PLAYING && decisions++ % 6 > 0) return;
      for (let seat = 0; seat < 5; seat++) {
        const before = structuredClone(state);
        sequence.information.determinize(state, seat, random, other);
        expect(state).toEqual(before);
        expect([...other.words.subarray(10)]).toEqual([...words.subarray(10)]);
        expect(handsOf(other)[seat]).toEqual(handsOf(state)[seat]);
        expect(handsOf(other).map((hand) => hand.length)).toEqual(handsOf(state).map((hand) => hand.length));
        expect(handsOf(other).flat().toSorted()).toEqual(handsOf(state).flat().toSorted());
        const rank = words[RANKS + seat]!;
        if (rank < 0 || rank === 2) continue;
        const partner = [0, 1, 2, 3, 4].find((player) => words[RANKS + player] === 4 - rank)!;
        const gift = GIFTS + (rank === 0 || rank === 4 ? 0 : 2);
        const at = HANDS + 2 * partner;
        // What the two have given each other is where it is.
        for (const word of [0, 1]) {
          const seen = words[gift + word]! | words[gift + 4 + word]!;
          expect(other.words[at + word]! & seen).toBe(words[at + word]! & seen);
        }
        if (rank > 2) continue;
        known++;
        const given = Array.from(
          cards.subarray(0, listCards(words[gift]!, words[gift + 1]!, cards)),
          exchangeStrength,
        );
        const returned = [words[gift + 4]!, words[gift + 5]!] as const;
        const rest = cards.subarray(
          0,
          listCards(other.words[at]! & ~returned[0], other.words[at + 1]! & ~returned[1], cards),
        );
        for (const card of rest) expect(exchangeStrength(card)).toBeLessThan(Math.min(...given));
      }
    });
    expect(known).toBeGreaterThan(100);
  });

  it("leaves every hand that agrees with it equally likely (chi-square)", () => {
    // Four cards among three players who hold 2, 1 and 1 of them: 12 ways.
    const state = single.initial();
    const random = Random.named("daihinmin uniform");
    drawChance(single, state, random);
    const { words } = state;
    words.fill(0, HANDS, HANDS + 10);
    const place = (player: number, bits: number) => (words[HANDS + 2 * player] = bits);
    place(0, 0b10);
    place(1, 0b1100);
    place(2, 0b10000);
    place(3, JOKER_BIT);
    const other = single.initial();
    const found = new Map<string, number>();
    const draws = 12_000;
    for (let i = 0; i < draws; i++) {
      single.information.determinize(state, 0, random, other);
      const key = other.words.subarray(HANDS, HANDS + 10).join();
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    expect(found.size).toBe(12);
    const statistic = [...found.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    // The .9999 quantile at 11 degrees of freedom.
    expect(statistic).toBeLessThan(37.4);
  });

  it("hides from the others which cards were returned", () => {
    const random = Random.named("daihinmin observed");
    const draw = (state: DaihinminState) => sequence.playouts.uniform(state, random);
    let seen = 0;
    const out = new Int32Array(sequence.maxLegal);
    forEachDecision(sequence, random, draw, (state) => {
      const mover = sequence.toMove(state);
      const count = sequence.legal(state, out);
      const actions = [...out.subarray(0, count)];
      for (let seat = 0; seat < 5; seat++) {
        const codes = new Set(actions.map((action) => sequence.information.observed!(state, action, seat)));
        const rank = state.words[RANKS + seat]!;
        const partOfIt = seat === mover || rank === 4 - state.words[RANKS + mover]!;
        if (state.words[PHASE] === PLAYING || partOfIt) expect([...codes]).toEqual(actions);
        else {
          expect(codes.size).toBe(1);
          seen++;
        }
      }
    });
    expect(seen).toBe(12 * 3);
  });
});
