import { describe, expect, it } from "vitest";
import { EarlierSelves } from "../../../../src/operators/measuring/match/earlier-selves.ts";

describe("EarlierSelves", () => {
  it("are the latest measured versions, the latest first", () => {
    const selves = new EarlierSelves({ agent: "player", every: 1, most: 3 }, 1, 0);
    expect(selves.names(0)).toEqual([]);
    expect(selves.names(1)).toEqual(["player@0"]);
    expect(selves.names(2)).toEqual(["player@1", "player@0"]);
    expect(selves.names(7)).toEqual(["player@6", "player@5", "player@4"]);
  });

  it("are those of every n-th round, numbered by the versions that the rounds measure", () => {
    // Rounds after every fifth training; three versions only filled the buffer.
    const selves = new EarlierSelves({ agent: "player", every: 2, most: 2 }, 5, 3);
    expect([0, 1, 2, 3].map((round) => selves.version(round))).toEqual([0, 8, 13, 18]);
    expect(selves.names(1)).toEqual(["player@0"]);
    expect(selves.names(2)).toEqual(["player@0"]);
    expect(selves.names(3)).toEqual(["player@13", "player@0"]);
    expect(selves.names(4)).toEqual(["player@13", "player@0"]);
    expect(selves.names(5)).toEqual(["player@23", "player@13"]);
  });

  it.each([
    { every: 1, most: 3, between: 1, filling: 0 },
    { every: 2, most: 2, between: 3, filling: 4 },
    { every: 3, most: 1, between: 1, filling: 2 },
    { every: 1, most: 100, between: 2, filling: 0 },
  ])("need exactly the versions of rounds to come: $every $most $between $filling", (settings) => {
    const { between, filling } = settings;
    const selves = new EarlierSelves({ agent: "player", ...settings }, between, filling);
    const rounds = 100;
    for (let from = 0; from <= 60; from++) {
      // By the definition: the rounds at this version and later ones, and who plays in them.
      const coming = Array.from({ length: rounds }, (_, round) => round).filter(
        (round) => round * between >= from - filling,
      );
      const playing = new Set(coming.flatMap((round) => selves.names(round)));
      for (let version = 0; version <= from; version++)
        expect([from, version, selves.needs(version, from)]).toEqual([
          from,
          version,
          playing.has(`player@${version}`),
        ]);
    }
  });
});
