import { describe, expect, it } from "vitest";
import { participantNamed } from "../../../src/operators/experiment/participant.ts";
import { drawSeats, neededByPool, poolAt } from "../../../src/operators/play/opponent-pool.ts";
import { Random } from "../../../src/random.ts";

/** The pool by its definition: of the versions before this one that it keeps, the newest `size`. */
function poolByDefinition(size: number, every: number, version: number): number[] {
  return Array.from({ length: Math.max(0, version) }, (_, earlier) => earlier)
    .filter((earlier) => earlier % every === 0)
    .slice(-size);
}

describe("a pool of earlier selves", () => {
  it("has the newest versions that it keeps, all before the one that plays", () => {
    for (const size of [1, 3, 8])
      for (const every of [1, 2, 5])
        for (let version = -2; version < 40; version++)
          expect(poolAt({ share: 1, size, every }, version)).toEqual(poolByDefinition(size, every, version));
  });

  it("needs of the versions so far exactly those of some pool from there on", () => {
    for (const [size, every, lag] of [
      [1, 1, 0],
      [3, 2, 0],
      [2, 3, 1],
      [4, 1, 1],
    ] as const) {
      const settings = { share: 1, size, every };
      const needed = neededByPool(settings, lag);
      for (let from = 0; from < 20; from++) {
        const later = Array.from({ length: 60 }, (_, i) =>
          poolByDefinition(size, every, from - lag + i),
        ).flat();
        for (let version = 0; version <= from; version++)
          expect([from, version, needed(version, from)]).toEqual([from, version, later.includes(version)]);
      }
    }
  });

  it("sits in all seats but one, in its share of the games, each version and each seat equally often", () => {
    const settings = { share: 0.4, size: 4, every: 3 };
    const players = 3;
    const games = 4000;
    const owns = [0, 0, 0];
    const versions = new Map<number, number>();
    let against = 0;
    for (let game = 0; game < games; game++) {
      const random = Random.named(1, "games", game, "seats");
      const { own, seats } = drawSeats(settings, { agent: "learner", players, version: 20 }, random);
      expect(seats).toHaveLength(players);
      const earlier = seats.map(participantNamed).flatMap(({ version }) => version ?? []);
      if (own === undefined) {
        expect(earlier).toEqual([]);
        continue;
      }
      against++;
      expect(seats[own]).toBe("learner");
      expect(earlier).toHaveLength(players - 1);
      owns[own]!++;
      for (const version of earlier) versions.set(version, (versions.get(version) ?? 0) + 1);
    }
    // Six standard deviations of each count.
    expect(Math.abs(against - 0.4 * games)).toBeLessThan(6 * Math.sqrt(games * 0.24));
    for (const count of owns)
      expect(Math.abs(count - against / 3)).toBeLessThan(6 * Math.sqrt(against * (2 / 9)));
    expect([...versions.keys()].toSorted((a, b) => a - b)).toEqual([9, 12, 15, 18]);
    for (const count of versions.values())
      expect(Math.abs(count - against / 2)).toBeLessThan(6 * Math.sqrt(2 * against * (3 / 16)));
  });

  it("is empty before the first versions: the agent plays against itself", () => {
    const settings = { share: 1, size: 4, every: 1 };
    const { own, seats } = drawSeats(
      settings,
      { agent: "learner", players: 2, version: 0 },
      Random.named("first"),
    );
    expect([own, seats]).toEqual([undefined, ["learner", "learner"]]);
  });
});
