import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { scoreOfElo } from "../../src/stats/elo.ts";
import { logLikelihoodRatio, sequentialBounds, sequentialVerdict } from "../../src/stats/sequential-test.ts";
import { casesOf } from "../number-of-cases.ts";

describe("sequentialBounds", () => {
  it("are Wald's", () => {
    const [low, high] = sequentialBounds({ alpha: 0.05, beta: 0.05 });
    expect(low).toBeCloseTo(-2.944439, 6);
    expect(high).toBeCloseTo(2.944439, 6);
    expect(sequentialBounds({ alpha: 0.01, beta: 0.1 })).toEqual([Math.log(0.1 / 0.99), Math.log(90)]);
  });
});

describe("logLikelihoodRatio", () => {
  it("is Wald's binomial ratio where games are won or lost", () => {
    for (const [won, lost] of [
      [60, 40],
      [12, 30],
      [25, 0],
    ] as const) {
      const exact = won * Math.log(0.6 / 0.5) + lost * Math.log(0.4 / 0.5);
      const ratio = logLikelihoodRatio(
        new Map([
          [1, won],
          [0, lost],
        ]),
        { score0: 0.5, score1: 0.6 },
      );
      expect(ratio).toBeCloseTo(exact, 1);
    }
  });

  it("is for many draws near its normal approximation: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)", () => {
    const outcomes = new Map([
      [0, 1700],
      [0.5, 6500],
      [1, 1800],
    ]);
    const [score0, score1] = [scoreOfElo(0), scoreOfElo(5)];
    const mean = 0.505;
    const variance = 0.1 * (1.7 * mean ** 2 + 6.5 * (0.5 - mean) ** 2 + 1.8 * (1 - mean) ** 2);
    const normal = (10_000 * (score1 - score0) * (2 * mean - score0 - score1)) / (2 * variance);
    expect(logLikelihoodRatio(outcomes, { score0, score1 })).toBeCloseTo(normal, 2);
  });

  it("is 0 before the first game, and finite and right in sign when all games end alike", () => {
    const scores = { score0: 0.5, score1: 0.55 };
    expect(logLikelihoodRatio(new Map(), scores)).toBe(0);
    expect(logLikelihoodRatio(new Map([[1, 40]]), scores)).toBeCloseTo(40 * Math.log(1.1), 1);
    expect(logLikelihoodRatio(new Map([[0, 40]]), scores)).toBeLessThan(-4);
    expect(Number.isFinite(logLikelihoodRatio(new Map([[0.5, 1e6]]), scores))).toBe(true);
  });
});

describe("the sequential test", () => {
  const test = { score0: 0.5, score1: 0.6, alpha: 0.1, beta: 0.1 };
  const trials = casesOf(300);
  /** Plays games of win, draw and loss to the end of the test; the mean is `win` + half of 0.2. */
  const verdicts = (win: number, name: string) => {
    const random = Random.named("sequential", name);
    const found = { score0: 0, score1: 0, undecided: 0 };
    for (let trial = 0; trial < trials; trial++) {
      const outcomes = new Map<number, number>();
      let verdict: keyof typeof found = "undecided";
      while (verdict === "undecided") {
        const draw = random.float();
        const outcome = draw < win ? 1 : draw < win + 0.2 ? 0.5 : 0;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        verdict = sequentialVerdict(logLikelihoodRatio(outcomes, test), test);
      }
      found[verdict]++;
    }
    return found;
  };

  it("makes about as few errors as it promises, of both kinds", () => {
    // 10% promised, and three standard errors.
    const most = 0.1 + 3 * Math.sqrt((0.1 * 0.9) / trials);
    expect(verdicts(0.4, "null").score1 / trials).toBeLessThan(most);
    expect(verdicts(0.5, "alternative").score0 / trials).toBeLessThan(most);
  });
});
