import { describe, expect, it } from "vitest";
import { BY_STRENGTH, CARD_HIGH, CARD_LOW } from "../../../src/games/daihinmin/cards.ts";
import { cardsOfReturn } from "../../../src/games/daihinmin/deal.ts";
import { PASS, PLAYS } from "../../../src/games/daihinmin/plays.ts";
import { HANDS, PHASE, PLAYING, TO_MOVE } from "../../../src/games/daihinmin/state.ts";
import { CHANCE } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { playUecdaMatch, type UecdaResult } from "../../../src/protocols/uecda/match.ts";
import { LocalSeat, type UecdaSeat } from "../../../src/protocols/uecda/seat.ts";
import { type Agent, playedInMemory, series, uecdaPlayer } from "./players.ts";

async function playedByTables(agents: readonly Agent[], games: number, seed: number) {
  const differences: string[] = [];
  const results: UecdaResult[] = [];
  const players = agents.map((agent, player) =>
    uecdaPlayer(agent, seed, player, (what) => differences.push(what)),
  );
  const actions = await playUecdaMatch({
    game: series(games),
    seats: players.map((player, i) => new LocalSeat(`player ${i}`, player)),
    random: Random.named(seed, "chance"),
    onGame: (result) => results.push(result),
  });
  return { actions, results, differences, players };
}

/** A player that never responds. */
const mute: UecdaSeat = {
  name: "mute",
  sendTable: () => undefined,
  sendNumber: () => undefined,
  response: () => Promise.resolve(undefined),
};

describe("a series that nobody plays", () => {
  it("ends all the same: each game after twenty passes, with the strongest cards returned", async () => {
    const results: UecdaResult[] = [];
    const game = series(5);
    const actions = await playUecdaMatch({
      game,
      seats: [mute, mute, mute, mute, mute],
      random: Random.named("mute"),
      onGame: (result) => results.push(result),
    });
    expect(results.length).toBe(5);
    for (const { places } of results) expect(places.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    const state = game.initial();
    let passes = 0;
    let returns = 0;
    for (const action of actions) {
      const { words } = state;
      const hand = [words[HANDS + 2 * words[TO_MOVE]!]!, words[HANDS + 2 * words[TO_MOVE]! + 1]!] as const;
      if (words[TO_MOVE] !== CHANCE && words[PHASE] === PLAYING) {
        expect(action).toBe(PASS);
        passes++;
      } else if (words[TO_MOVE] !== CHANCE) {
        const given = cardsOfReturn(action - PLAYS);
        const held = Array.from(BY_STRENGTH).filter(
          (card) => ((hand[0] & CARD_LOW[card]!) | (hand[1] & CARD_HIGH[card]!)) !== 0,
        );
        expect(new Set(given)).toEqual(new Set(held.slice(-given.length)));
        returns++;
      }
      game.play(state, action);
    }
    expect([passes, returns]).toEqual([100, 8]);
  });

  it("begins anew without places where another series follows, and its players go on", async () => {
    const games: number[] = [];
    const agents = Array.from({ length: 5 }, () => ({ use: "default" }));
    const players = agents.map((agent, player) =>
      uecdaPlayer(agent, 3, player, (what) => expect(what).toBe("")),
    );
    const seats = players.map((player, i) => new LocalSeat(`player ${i}`, player));
    const random = Random.named(3, "chance");
    for (const continues of [true, true, false])
      await playUecdaMatch({
        game: series(2),
        seats,
        random,
        continues,
        onGame: ({ game }) => games.push(game),
      });
    expect(games).toEqual([0, 1, 0, 1, 0, 1]);
    // They have still to read what came after their last response.
    for (const seat of seats) await seat.response();
    for (const { awaits, tally } of players) expect([tally.games, awaits]).toEqual([6, "nothing"]);
  });

  it("has five players", async () => {
    await expect(playUecdaMatch({ game: series(1), seats: [mute], random: Random.named(1) })).rejects.toThrow(
      /5 players/,
    );
  });
});

describe("a series of games by the tables of the protocol", () => {
  it.each<[string, readonly Agent[], number]>([
    ["the default client", Array.from({ length: 5 }, () => ({ use: "default" })), 20],
    ["random players", Array.from({ length: 5 }, () => ({ use: "random" })), 20],
    [
      "searches over information sets",
      [
        { use: "so-ismcts", simulations: 20, grouping: "AI1" },
        { use: "mo-ismcts", simulations: 20 },
        { use: "so-ismcts-pom", simulations: 20 },
        { use: "flat-monte-carlo", simulations: 20 },
        { use: "so-ismcts", simulations: 20, epsilon: 0.2 },
      ],
      4,
    ],
  ])("is the same as in memory: %s", async (_, agents, games) => {
    const { actions, results, differences } = await playedByTables(agents, games, 3);
    const expected = playedInMemory(agents, games, 3);
    expect(actions).toEqual(expected.actions);
    expect(differences).toEqual([]);
    expect(results.map(({ game }) => game)).toEqual(Array.from({ length: games }, (_, i) => i));
    const points = [0, 1, 2, 3, 4].map((player) =>
      results.reduce((sum, { places }) => sum + (4 - places[player]!) / 4, 0),
    );
    expect(points).toEqual(expected.returns);
  });
});
