import { expect, it } from "vitest";
import { parseDuration, stopAfter } from "../../../src/cli/flags/duration-flag.ts";

it("reads durations in their units, also several and fractions", () => {
  expect(["2h", "1h30m", "45s", "1.5d", "90m"].map((text) => parseDuration(text).seconds)).toEqual([
    7200, 5400, 45, 129_600, 5400,
  ]);
});

it.each(["2", "h", "2 h", "2h30", "-1h", "0s", "two hours", ""])("refuses %j", (text) => {
  expect(() => parseDuration(text)).toThrow(/expected a duration, as in 2h/);
});

it("refuses more than a timer holds", () => {
  expect(() => parseDuration("25d")).toThrow(/at most 24 days/);
});

it("leaves time to save: a twentieth, and two minutes at most", () => {
  expect(stopAfter(parseDuration("100s"))).toBe(95);
  expect(stopAfter(parseDuration("2h"))).toBe(7080);
});
