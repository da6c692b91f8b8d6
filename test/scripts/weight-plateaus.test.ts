import { describe, expect, it } from "vitest";
import { gamesOfPlateau, steadinessOf, type Steadiness } from "../../scripts/weight-plateaus.ts";
import { cosine } from "../../src/report/weight-curves.ts";
import { Random } from "../../src/random.ts";
import { casesOf } from "../number-of-cases.ts";

/** Two weights of these directions, in degrees, and lengths; a length of 0 gives weights of 0. */
function curvesOf(points: readonly (readonly [game: number, degrees: number, length?: number])[]) {
  const at = (of: (radians: number) => number) =>
    points.map(([, degrees, length = 1]) => length * of((degrees * Math.PI) / 180));
  return {
    stage: "learn",
    names: ["a", "b"],
    games: points.map(([game]) => game),
    weights: [at(Math.cos), at(Math.sin)],
  };
}

/** The definition, stretch by stretch. */
function byDefinition(points: Parameters<typeof curvesOf>[0]): Steadiness {
  const { games, weights } = curvesOf(points);
  const all = games.map((_, i) => weights.map((curve) => curve[i]!));
  const zero = (i: number) => all[i]!.every((weight) => weight === 0);
  const likeness = (i: number, j: number) => (zero(i) || zero(j) ? 0 : cosine(all[i]!, all[j]!));
  const last = all.length - 1;
  const stretches = [...games.keys()].flatMap((a) =>
    [...games.keys()].flatMap((b) => {
      const whole = b >= a && games.every((_, n) => n < a || n > b || likeness(a, n) >= 0.98);
      return whole ? [{ a, b, games: games[b]! - games[a]! }] : [];
    }),
  );
  const longestOf = (list: typeof stretches) =>
    list.reduce<(typeof stretches)[number] | undefined>(
      (best, each) => (each.games > (best?.games ?? 0) ? each : best),
      undefined,
    );
  const [longest, plateau] = [
    longestOf(stretches),
    longestOf(stretches.filter(({ b }) => likeness(b, last) < 0.95)),
  ];
  const named = (stretch: typeof longest) =>
    stretch === undefined ? { from: 0, to: 0 } : { from: games[stretch.a]!, to: games[stretch.b]! };
  return {
    moved: games.find((_, i) => !zero(i)),
    longest: named(longest),
    plateau: named(plateau),
    likeness: plateau === undefined ? Number.NaN : likeness(plateau.b, last),
    final: games.find((_, i) => games.every((_, j) => j < i || likeness(j, last) >= 0.98))!,
  };
}

describe("how long the direction of weights stays", () => {
  it("is the longest stretch, and the longest one away from the last direction", () => {
    // 10 degrees have a cosine of .985, 12 of .978; 18 of .951, 19 of .946. Lengths do not matter.
    const points = [
      [1, 0, 0],
      [2, 90],
      [3, 60],
      [10, 50, 3],
      [50, 55, 7],
      [90, 49],
      [100, 45],
      [110, 20],
      [400, 5],
      [5000, 0],
    ] as const;
    const { likeness, ...rest } = steadinessOf(curvesOf(points));
    expect(rest).toEqual({
      moved: 2,
      longest: { from: 400, to: 5000 },
      plateau: { from: 10, to: 100 },
      final: 400,
    });
    expect(likeness).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it("has no plateau where the weights move all the time, or have nearly their last direction from the start", () => {
    const none = { from: 0, to: 0 };
    const moving = steadinessOf(
      curvesOf([
        [1, 90],
        [2, 60],
        [3, 30],
        [4, 0],
      ]),
    );
    expect(moving).toEqual({ moved: 1, longest: none, plateau: none, likeness: Number.NaN, final: 4 });
    const nearly = curvesOf([
      [1, 18],
      [200, 17],
      [400, 0],
    ]);
    expect(steadinessOf(nearly)).toMatchObject({ longest: { from: 1, to: 200 }, plateau: none, final: 400 });
    const zero = curvesOf([
      [1, 0, 0],
      [2, 0, 0],
    ]);
    expect(steadinessOf(zero)).toMatchObject({ moved: undefined, longest: none, plateau: none, final: 2 });
  });

  it("is that of the definition", () => {
    let found = 0;
    for (let seed = 0; seed < casesOf(200); seed++) {
      const random = Random.named("plateaus", seed);
      let [game, degrees] = [0, 80];
      const points = Array.from({ length: 12 }, (_, i) => {
        game += 1 + random.below(9);
        degrees += random.below(3) === 0 ? random.below(60) - 40 : random.below(9) - 4;
        return [game, degrees, i === 0 && seed % 3 === 0 ? 0 : 1 + random.below(4)] as const;
      });
      const steadiness = steadinessOf(curvesOf(points));
      expect(steadiness, JSON.stringify(points)).toEqual(byDefinition(points));
      if (steadiness.plateau.to > 0) found++;
    }
    expect(found).toBeGreaterThan(casesOf(200) / 2);
  });

  it("compares its last hundred games with the hundred after it", () => {
    const games = Array.from({ length: 400 }, (_, i) => ({
      number: i + 1,
      scores: i + 1 > 250 ? [60, 50 + (i % 4)] : i % 10 === 0 ? [50, 50] : [40, 50],
    }));
    const { within, after } = gamesOfPlateau({ from: 20, to: 250 }, games);
    expect(within).toEqual({ won: 0.05, different: 0.02 });
    expect(after).toEqual({ won: 1, different: 0.04 });
    expect(gamesOfPlateau({ from: 0, to: 0 }, []).within.won).toBeNaN();
  });
});
