import { describe, expect, it } from "vitest";
import { type Schedule, scheduleComplaint, scheduled } from "../src/schedule.ts";

describe("schedules", () => {
  it("are a number for ever, or hold each value up to its until, counted from 1", () => {
    expect([1, 5, 1e9].map((position) => scheduled(0.5, position))).toEqual([0.5, 0.5, 0.5]);
    const steps: Schedule = [{ until: 3, value: 1 }, { until: 5, value: 2 }, { value: 3 }];
    expect([1, 2, 3, 4, 5, 6, 100].map((position) => scheduled(steps, position))).toEqual([
      1, 1, 1, 2, 2, 3, 3,
    ]);
    expect(scheduled([{ value: 7 }], 1)).toBe(7);
  });

  it("complain of entries that could never hold", () => {
    expect(scheduleComplaint(1)).toBeUndefined();
    expect(scheduleComplaint([{ until: 3, value: 1 }, { value: 2 }])).toBeUndefined();
    const ends = /every entry but the last has an until, and the last has none/;
    expect(scheduleComplaint([{ until: 3, value: 1 }])).toMatch(ends);
    expect(scheduleComplaint([{ value: 1 }, { value: 2 }])).toMatch(ends);
    expect(scheduleComplaint([{ until: 3, value: 1 }, { until: 3, value: 2 }, { value: 3 }])).toMatch(
      /untils must increase/,
    );
  });
});
