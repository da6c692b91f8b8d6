import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TimeBudget } from "../../src/search/time-budget.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Whether the time is up: `spent` reads the clock in one of eight calls. */
const isUp = (budget: TimeBudget) => Array.from({ length: 8 }, () => budget.spent()).includes(true);

it("is spent after its milliseconds, counted anew from each start", () => {
  const budget = new TimeBudget(20);
  expect(budget.limited).toBe(true);
  for (let decision = 0; decision < 2; decision++) {
    budget.start();
    vi.advanceTimersByTime(19);
    expect(isUp(budget)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isUp(budget)).toBe(true);
    vi.advanceTimersByTime(100);
  }
});

it("of 0 milliseconds has no limit", () => {
  const budget = new TimeBudget(0);
  expect(budget.limited).toBe(false);
  budget.start();
  vi.advanceTimersByTime(1e9);
  expect(isUp(budget)).toBe(false);
});

it("reads the clock in the eighth call of spent after a start, and in every eighth call from there on", () => {
  const budget = new TimeBudget(1);
  const ready = () => Array.from({ length: 16 }, () => budget.spent());
  const wanted = Array.from({ length: 16 }, (_, call) => call % 8 === 7);
  for (let decision = 0; decision < 2; decision++) {
    budget.start();
    vi.advanceTimersByTime(1);
    expect(ready()).toEqual(wanted);
    // A call between decisions does not shift the readings of the next one.
    budget.spent();
  }
});
