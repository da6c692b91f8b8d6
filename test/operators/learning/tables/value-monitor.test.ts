import { Effect, Exit } from "effect";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../src/events/event.ts";
import { RunFailed } from "../../../../src/operators/run/run-error.ts";
import { ValueMonitor } from "../../../../src/operators/learning/tables/value-monitor.ts";

const bounds = { low: 0.1, high: 1.5, warmUp: 20, window: 10 };

/** A monitor after `games` games of the same start value and score. */
function after(games: number, startValue: number, score: number, config = bounds) {
  const monitor = new ValueMonitor("games", config);
  for (let i = 0; i < games; i++) monitor.add(startValue, score);
  const events: RunEvent[] = [];
  const exit = Effect.runSyncExit(monitor.judge(games, (event) => events.push(event)));
  return { exit, events };
}

function reasonOf(exit: Exit.Exit<void, RunFailed>): string {
  if (!Exit.isFailure(exit)) throw new Error("the monitor let it pass");
  const found = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error;
  expect(found).toBeInstanceOf(RunFailed);
  return found!.message;
}

describe("ValueMonitor", () => {
  it("tells the ratio of V(start) to the mean score, and lets values within the bounds pass", () => {
    for (const value of [101, 1000, 1499]) {
      const { exit, events } = after(20, value, 1000);
      expect(Exit.isSuccess(exit)).toBe(true);
      expect(events).toEqual([
        {
          type: "value-drift",
          stage: "games",
          learned: 20,
          startValue: value,
          meanReturn: 1000,
          ratio: value / 1000,
        },
      ]);
    }
  });

  it("stops a run whose values have diverged, and says what to do", () => {
    const { exit, events } = after(20, 1501, 1000);
    expect(events).toHaveLength(1);
    expect(reasonOf(exit)).toMatch(
      /stage "games": values have diverged from the scores\. V\(start\) is 1501, the mean score of the last 10 games 1000: ratio 1\.50, outside \[0\.1, 1\.5\]\..*learn along the moves really played/,
    );
  });

  it("stops a run whose values stay far below the scores, and says what to do", () => {
    expect(reasonOf(after(20, 99, 1000).exit)).toMatch(/stay far below the scores\..*raise monitor\.warmUp/);
    expect(reasonOf(after(20, -5, 1000).exit)).toMatch(/stay far below/);
  });

  it("judges only after the warm-up, and only over a whole window", () => {
    expect(Exit.isSuccess(after(19, 9e9, 1).exit)).toBe(true);
    expect(Exit.isSuccess(after(9, 9e9, 1, { ...bounds, warmUp: 0 }).exit)).toBe(true);
    expect(Exit.isFailure(after(10, 9e9, 1, { ...bounds, warmUp: 0 }).exit)).toBe(true);
  });

  it("stops at values that are no numbers: they are out of all bounds", () => {
    expect(Exit.isFailure(after(20, NaN, 1000).exit)).toBe(true);
    expect(Exit.isFailure(after(20, Infinity, 1000).exit)).toBe(true);
  });

  it("looks at the last games alone", () => {
    const monitor = new ValueMonitor("games", bounds);
    for (let i = 0; i < 30; i++) monitor.add(1e6, 1);
    for (let i = 0; i < 10; i++) monitor.add(900, 1000);
    const events: RunEvent[] = [];
    expect(Exit.isSuccess(Effect.runSyncExit(monitor.judge(40, (event) => events.push(event))))).toBe(true);
    expect(events[0]).toMatchObject({ startValue: 900, meanReturn: 1000, ratio: 0.9 });
  });

  it("goes on from what was saved of it as if nothing had been between", () => {
    const unbroken = new ValueMonitor("games", bounds);
    const before = new ValueMonitor("games", bounds);
    const resumed = new ValueMonitor("games", bounds);
    const game = (i: number) => [1000 / (i + 3), 900 + Math.sqrt(i)] as const;
    for (let i = 0; i < 27; i++) for (const monitor of [unbroken, before]) monitor.add(...game(i));
    expect(before.state().shape).toEqual([10, 2]);
    resumed.restore(before.state());
    for (let i = 27; i < 31; i++) for (const monitor of [unbroken, resumed]) monitor.add(...game(i));
    const told = [unbroken, resumed].map((monitor) => {
      const events: RunEvent[] = [];
      Effect.runSyncExit(monitor.judge(31, (event) => events.push(event)));
      return events;
    });
    expect(told[0]).toHaveLength(1);
    expect(told[1]).toEqual(told[0]);
    expect(resumed.state()).toEqual(unbroken.state());
  });

  it("has no opinion where nothing was earned", () => {
    const { exit, events } = after(20, 5, 0);
    expect([Exit.isSuccess(exit), events]).toEqual([true, []]);
    expect(after(0, 0, 0).events).toEqual([]);
  });
});
