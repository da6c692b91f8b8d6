import { describe, expect, it } from "vitest";
import { setText } from "../../../src/games/daihinmin/cards.ts";
import type { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { HANDS, PHASE, PLAYING, RETURNING_TWO } from "../../../src/games/daihinmin/state.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { known, PlainDaihinmin, RANKS, SUITS } from "./reference.ts";
import { plainDefaultMove, plainDefaultReturn } from "./rule-player-reference.ts";
import { allCases, casesOf } from "../../number-of-cases.ts";

const KINDS = ["empty", "single", "group", "sequence", "sequence", "joker"] as const;
const PACK = [...SUITS.flatMap((suit) => RANKS.split("").map((rank) => suit + rank)), "JK"];
/** Large plays are rare on a table, and hardly ever answered. */
const tables = known.filter(({ text, needed }) => !text.includes("8") && needed.length <= 5);

/** A player with up to 24 cards, the others with one card each, before a drawn table. */
function drawPosition(random: Random, virtual: boolean) {
  const kind = KINDS[random.below(KINDS.length)]!;
  const plays = tables.filter(
    ({ play, ranks }) => play.kind === kind && (virtual || ranks.every((rank) => rank > 0 && rank < 14)),
  );
  const table = plays.length === 0 ? undefined : plays[random.below(plays.length)]!;
  const rest = PACK.filter((card) => !table?.needed.includes(card));
  const take = () => rest.splice(random.below(rest.length), 1)[0]!;
  // The joker is in half of the hands, if the table leaves it.
  const joker = rest.at(-1) === "JK" && random.below(2) === 0 ? rest.splice(-1) : [];
  const hand = [...joker, ...Array.from({ length: 1 + random.below(23) }, take)];
  const hands = [hand, [take()], [take()], [take()], [take()]];
  const lock = (kind === "single" || kind === "group" || kind === "sequence") && random.below(3) === 0;
  return { kind, table, hands, lock, revolution: random.below(2) === 0 };
}

describe.each([true, false])("the player by rule of Daihinmin, virtual ranks %s", (virtual) => {
  it("plays as its description says, in drawn positions, whose legal moves are those of the plain rules", () => {
    const game = openGame("daihinmin", { virtualRanks: virtual }) as GameDaihinmin;
    const random = Random.named("daihinmin rule player", String(virtual));
    const out = new Int32Array(game.maxLegal);
    const answers = new Map<string, number>();
    for (let k = 0; k < casesOf(2_000, 800); k++) {
      const { kind, table, hands, lock, revolution } = drawPosition(random, virtual);
      const text = [
        `play:1 hands=${hands.map((hand) => hand.join()).join("/")}`,
        ...(table === undefined ? [] : [`table=${table.text.replaceAll(" ", ",")}`]),
        ...(lock ? ["lock"] : []),
        ...(revolution ? ["revolution"] : []),
        "last=2",
      ].join(" ");
      const reading = game.notation.parsePosition(text);
      if ("error" in reading) throw new Error(`${text}: ${reading.error.message}`);
      const { state } = reading;
      const plain = new PlainDaihinmin(hands, virtual);
      Object.assign(plain, { mover: 0, last: 1, table, lock, revolution });
      const legal = Array.from(out.subarray(0, game.legal(state, out)), (action) =>
        game.notation.format(state, action),
      );
      expect(legal.toSorted(), text).toEqual(plain.legal().toSorted());
      const move = game.notation.format(state, game.search.rulePlayer(state));
      expect(move, text).toBe(plainDefaultMove(plain));
      const answer = `${kind}: ${move === "pass" ? move : /\*|JK/.test(move) ? "with joker" : "natural"}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    // Every kind of table has occurred and was answered, without the joker and with it, and passed on.
    for (const kind of ["single", "group", "sequence"])
      for (const answer of ["pass", "with joker", "natural"])
        expect(answers.get(`${kind}: ${answer}`), `${kind}: ${answer}`).toBeGreaterThan(allCases ? 10 : 0);
    expect([...answers.keys()].filter((key) => /empty|joker:/.test(key)).toSorted()).toEqual([
      "empty: natural",
      "empty: with joker",
      "joker: pass",
    ]);
  });
});

it("the player by rule of Daihinmin returns its weakest cards", () => {
  const game = openGame("daihinmin", { games: 7 }) as GameDaihinmin;
  const random = Random.named("daihinmin rule player returns");
  let returns = 0;
  for (let k = 0; k < 4; k++) {
    const state = game.initial();
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      if (mover === CHANCE) {
        game.play(state, game.chance.sample(state, random));
        continue;
      }
      const action = game.search.rulePlayer(state);
      const { words } = state;
      if (words[PHASE] !== PLAYING) {
        const hand = setText(words[HANDS + 2 * mover]!, words[HANDS + 2 * mover + 1]!).split(" ");
        const count = words[PHASE] === RETURNING_TWO ? 2 : 1;
        const [, ...cards] = game.notation.format(state, action).split(" ");
        expect(cards.toSorted()).toEqual(plainDefaultReturn(hand, count).toSorted());
        returns++;
      }
      game.play(state, action);
    }
  }
  expect(returns).toBe(4 * 6 * 2);
});
