import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimeBudget } from "../../src/search/time-budget.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Whether the time is up: `spent` reads the clock at least once in 64 steps. */
const isUp = (budget: TimeBudget) => budget.spent(64);

it("is spent after its milliseconds, counted anew from each start", () => {
  const budget = new TimeBudget(20);
  expect(budget.limited).toBe(true);
  for (let decision = 0; decision < 2; decision++) {
    budget.start();
    vi.advanceTimersByTime(19);
    expect(isUp(budget)).toBe(false);
    expect(budget.reached).toBe(undefined);
    vi.advanceTimersByTime(1);
    expect(isUp(budget)).toBe(true);
    expect(budget.reached).toEqual({ clock: "wall", milliseconds: 20 });
    vi.advanceTimersByTime(100);
  }
});

it("of 0 milliseconds has no limit", () => {
  const budget = new TimeBudget(0, () => 1e9);
  expect(budget.limited).toBe(false);
  budget.start();
  vi.advanceTimersByTime(1e9);
  expect(isUp(budget)).toBe(false);
  expect(budget.reached).toBe(undefined);
});

describe("readings of the clock", () => {
  /** Steps of this length from a start until the time is up; returns the number of readings and the last moment. */
  function course(stepMs: number, budgetMs: number): { readings: number; steps: number; at: number } {
    const budget = new TimeBudget(budgetMs);
    let at = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => at);
    budget.start();
    now.mockClear();
    let steps = 0;
    do {
      at += stepMs;
      steps++;
    } while (!budget.spent());
    return { readings: now.mock.calls.length, steps, at };
  }

  it("are few while steps are short, so that they cost about 1%", () => {
    const { readings, steps, at } = course(0.001, 20);
    expect(readings).toBeLessThan(steps / 20);
    expect(at).toBeLessThan(20.1);
  });

  it("are one at each step that takes long, so that no step is begun after the time", () => {
    const { readings, steps, at } = course(0.5, 20);
    expect([readings, steps, at]).toEqual([40, 40, 20]);
  });

  it("begin with the first step of each decision", () => {
    const budget = new TimeBudget(1);
    for (let decision = 0; decision < 2; decision++) {
      budget.start();
      for (let i = 0; i < 100; i++) budget.spent();
      budget.start();
      vi.advanceTimersByTime(1);
      expect(budget.spent()).toBe(true);
    }
  });
});

describe("of processor time", () => {
  /** A thread that gets this share of the time, and its budget of 20 ms. */
  function thread(share: number) {
    let at = 0;
    vi.spyOn(performance, "now").mockImplementation(() => at);
    const pass = (milliseconds: number) => void (at += milliseconds);
    const read = vi.fn<() => number>(() => 7 + (share * performance.now()) / 1000);
    const budget = new TimeBudget(20, read);
    return { budget, pass, read };
  }

  it.each([1, 0.25, 0.1])("lasts until the thread has had it, at a share of %d of a core", (share) => {
    const { budget, pass, read } = thread(share);
    for (let decision = 0; decision < 2; decision++) {
      const begun = performance.now();
      read.mockClear();
      budget.start();
      do pass(0.01);
      while (!budget.spent());
      const got = share * (performance.now() - begun);
      expect(got).toBeGreaterThan(20 - 1e-6);
      expect(got).toBeLessThan(20.1);
      expect(budget.reached).toEqual({ clock: "processor", milliseconds: 20 });
      // A reading costs 2 to 4 us: 100 of them would cost 1% or more.
      expect(read.mock.calls.length).toBeLessThan(share === 1 ? 4 : 100);
    }
  });

  it("gives way to wall time where a decision has a time of its own, and where no clock can be read", () => {
    const { budget, pass, read } = thread(0.1);
    budget.start(5);
    pass(5);
    expect([isUp(budget), budget.reached]).toEqual([true, { clock: "wall", milliseconds: 5 }]);
    expect(read.mock.calls.length).toBe(0);
    const blind = new TimeBudget(20, () => NaN);
    blind.start();
    pass(20);
    expect([isUp(blind), blind.reached]).toEqual([true, { clock: "wall", milliseconds: 20 }]);
  });
});
