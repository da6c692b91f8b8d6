import { describe, expect, it } from "vitest";
import { rowsInSight } from "../../../src/web/pages/games/rows-in-sight.ts";
import { nextTurningPoint, stepAt, stepped, turningMark } from "../../../src/web/pages/games/stepping.ts";
import type { StepShown } from "../../../src/web/views/game-views.ts";

// Chance moves at plies 0, 1, 3 and 5; the game has 6 plies.
const steps: StepShown[] = [
  [2, 0, "up"],
  [4, 0, "left"],
];

describe("steps of a game", () => {
  it("are its decisions; chance belongs to the step before", () => {
    expect([0, 2, 3, 4, 5, 6].map((ply) => stepAt(steps, ply))).toEqual([0, 0, 1, 1, 2, 2]);
    expect([0, 2, 3, 4, 6].map((ply) => stepped(steps, 6, ply, 1))).toEqual([2, 4, 4, 6, 6]);
    expect([6, 4, 3, 2, 0].map((ply) => stepped(steps, 6, ply, -1))).toEqual([4, 2, 2, 0, 0]);
  });

  it("lead from one turning point to the next one in the order of the game", () => {
    const points = [30, 10, 20].map((step) => ({ step, seat: 0, drop: step }));
    expect(nextTurningPoint(points, 10, 1)?.step).toBe(20);
    expect(nextTurningPoint(points, 10, -1)).toBeUndefined();
    expect(nextTurningPoint(points, 31, -1)?.step).toBe(30);
  });

  it("separate the cost of the choice from the rest", () => {
    const mark = (choice?: number) =>
      turningMark({ step: 0, seat: 0, drop: 1, ...(choice === undefined ? {} : { choice }) });
    expect([mark(0.5), mark(0.2), mark(0.05), mark(0), mark()]).toEqual(["??", "?", "▼", "▼", "▼"]);
  });

  it("are drawn if they are in sight", () => {
    expect(rowsInSight(0, 100, 10, 5000)).toEqual({ start: 0, end: 22 });
    expect(rowsInSight(40_000, 100, 10, 4005)).toEqual({ start: 3988, end: 4005 });
    expect(rowsInSight(0, 100, 10, 0)).toEqual({ start: 0, end: 0 });
  });
});
