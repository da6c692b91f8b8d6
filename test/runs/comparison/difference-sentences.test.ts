import { describe, expect, it } from "vitest";
import type { Comparison, Measurement } from "../../../src/runs/comparison/comparison.ts";
import { differenceSentences } from "../../../src/runs/comparison/difference-sentences.ts";

/** A comparison of two groups whose difference and amounts of learning are given. */
function comparison(
  value: number,
  interval: readonly [number, number],
  {
    learned = [100, 100],
    measure = "mean score",
  }: { readonly learned?: readonly [number, number]; readonly measure?: Measurement["measure"] } = {},
): Comparison {
  const result = (group: string, amount: number) => ({
    group,
    learned: amount,
    runs: 1,
    games: 10,
    over: "games" as const,
    value: 0,
    interval: [0, 0] as const,
  });
  const measurement = {
    stage: "curve",
    agent: "greedy",
    measure,
    unit: "games",
    results: [result("lambda 0", learned[0]), result("lambda 1", learned[1])],
    perRun: [],
    differences: [{ group: "lambda 1", baseline: "lambda 0", method: "paired", value, interval }],
    curves: [],
    differenceCurves: [],
  } as unknown as Measurement;
  return {
    runs: [],
    groups: [
      { name: "lambda 0", seeds: [1] },
      { name: "lambda 1", seeds: [1] },
    ],
    namedBy: "settings",
    shortNames: ["lambda"],
    settings: [{ path: "graph.learn.lambda", values: [0, 1] }],
    measurements: [measurement],
    weights: [],
  };
}

describe("sentences of differences", () => {
  it("give what is less as a positive amount, with the ends of its interval", () => {
    expect(differenceSentences(comparison(-20, [-30, -10]))).toEqual([
      "greedy with lambda 1 scores 20 [10, 30] less than with lambda 0.",
    ]);
    expect(differenceSentences(comparison(20, [10, 30]))).toEqual([
      "greedy with lambda 1 scores 20 [10, 30] more than with lambda 0.",
    ]);
  });

  it("say not settled if the interval holds zero, without a double negation", () => {
    expect(differenceSentences(comparison(-2, [-30, 26]))).toEqual([
      "greedy with lambda 1 may score 2 [−26, 30] less than with lambda 0: not settled.",
    ]);
  });

  it("say if the groups have learned unequal amounts", () => {
    expect(
      differenceSentences(comparison(0.2, [0.1, 0.3], { learned: [8000, 3000], measure: "share won" })),
    ).toEqual([
      "greedy with lambda 1 wins 20.0 [10.0, 30.0] percentage points more than with lambda 0, after 3,000 games against 8,000.",
    ]);
  });
});
