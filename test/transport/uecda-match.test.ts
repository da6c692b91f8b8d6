import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { playUecdaMatch, type UecdaResult } from "../../src/transport/uecda-match.ts";
import { LocalSeat } from "../../src/transport/uecda-seat.ts";
import { type Agent, playedInMemory, series, uecdaPlayer } from "./uecda-players.ts";

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
