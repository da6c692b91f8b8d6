import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { CostCourse } from "../../../src/graph/cost/cost-course.ts";
import type { Speeds } from "../../../src/graph/cost/cost.ts";
import type { StageWork } from "../../../src/operators/run/stage-work.ts";

const work = (total: number): StageWork => ({ unit: "games", total, purpose: "learn" });

const progress = (stage: string, done: number, total = 100): RunEvent => ({
  type: "progress",
  stage,
  done,
  total,
  unit: "games",
});
const flow = (stage: string, worked: number): RunEvent => ({
  type: "stage-flow",
  stage,
  seconds: 1,
  worked,
  waited: 1 - worked,
  held: 0,
  itemsIn: 0,
  itemsOut: 0,
  readers: 1,
});

/** Tells a second of a run: the shares of it in which stages worked, and what they have done by then. */
function second(
  course: CostCourse,
  at: number,
  stages: Record<string, readonly [worked: number, done: number]>,
) {
  for (const [stage, [worked]] of Object.entries(stages)) course.listen(flow(stage, worked), at);
  for (const [stage, [, done]] of Object.entries(stages)) course.listen(progress(stage, done), at);
}

describe("CostCourse", () => {
  it("takes the time of games from the first one's end on", () => {
    const course = new CostCourse(new Map([["games", work(100)]]), 2);
    course.listen(progress("games", 0), 0);
    // Eight games side by side: the first ones end after ten seconds, then one every two seconds.
    for (let at = 1; at < 10; at++) second(course, at, { games: [1, 0] });
    expect(course.estimate().whole).toMatchObject({ unknown: ["games"] });
    for (let at = 10; at <= 30; at++) second(course, at, { games: [1, Math.floor((at - 8) / 2)] });
    const { left, whole } = course.estimate();
    expect(whole.seconds).toBeCloseTo(200, 6);
    expect(left.seconds).toBeCloseTo(2 * (100 - 11), 6);
  });

  it("shares a second among the stages that work in it", () => {
    const course = new CostCourse(
      new Map([
        ["games", work(100)],
        ["match", work(50)],
      ]),
      2,
    );
    for (let at = 1; at <= 40; at++) second(course, at, { games: [1, at], match: [1, at] });
    // Both at once take a second for a game of each.
    expect(course.estimate().whole.seconds).toBeCloseTo(50 + 25, 0);
  });

  it("does not count the time in which a stage waits", () => {
    const course = new CostCourse(new Map([["games", work(100)]]), 2);
    for (let at = 1; at <= 60; at++) second(course, at, { games: [0.25, at] });
    expect(course.estimate().whole.seconds).toBeCloseTo(25, 6);
  });

  it("adds up the rounds of a match", () => {
    const course = new CostCourse(new Map([["match", work(60)]]), 2);
    for (let at = 1; at <= 40; at++) second(course, at, { match: [1, 1 + ((at - 1) % 20)] });
    expect(course.estimate().left.seconds).toBeCloseTo(60 - 40, 6);
  });

  it("takes speeds measured before until a stage has done enough", () => {
    const before: Speeds = {
      agents: new Map(),
      decisions: new Map(),
      stages: new Map([["games", 7]]),
    };
    const course = new CostCourse(new Map([["games", work(100)]]), 2, before);
    expect(course.estimate().whole.seconds).toBe(700);
    for (let at = 1; at <= 20; at++) second(course, at, { games: [1, at] });
    expect(course.estimate().whole.seconds).toBeCloseTo(100, 6);
  });
});
