import { Effect, Fiber } from "effect";
import { describe, expect, it } from "vitest";
import { LearningEnds } from "../../../src/operators/run/learning-ends.ts";

/** A stage that decides at the end of every third generation. */
const everyThird = (generation: number) => 3 * Math.floor((generation + 1) / 3) - 1;

describe("LearningEnds", () => {
  it("keeps nobody waiting for nets whose learning no stage ends", async () => {
    const ends = new LearningEnds();
    ends.add("other", everyThird);
    await Effect.runPromise(ends.decided(["zero"], 100));
    expect(ends.lastGeneration(["zero"])).toBe(Infinity);
  });

  it("waits for the decisions about generations up to the one asked for, of all stages", async () => {
    const ends = new LearningEnds();
    const one = ends.add("zero", everyThird);
    const other = ends.add("zero", everyThird);
    expect([0, 1, 2].map((generation) => ends.isDecided(["zero"], generation))).toEqual([true, true, false]);
    const waiting = Effect.runFork(ends.decided(["zero"], 4));
    one.decide(2, false);
    expect(ends.isDecided(["zero"], 4)).toBe(false);
    other.decide(2, false);
    await Effect.runPromise(Fiber.join(waiting));
    expect(ends.isDecided(["zero"], 5)).toBe(false);
  });

  it("ends with the first generation that a stage ends with, and waits for no decision after it", () => {
    const ends = new LearningEnds();
    const judge = ends.add("zero", everyThird);
    ends.add("second", everyThird);
    judge.decide(2, false);
    judge.decide(5, true);
    judge.decide(8, true);
    expect(ends.lastGeneration(["zero", "second"])).toBe(5);
    expect(ends.isDecided(["zero"], 100)).toBe(true);
    expect(ends.isDecided(["zero", "second"], 5)).toBe(false);
  });
});
