import { describe, expect, it } from "vitest";
import {
  ClockReader,
  IDLE,
  newClockWords,
  ThreadClock,
  WAITING,
  WORKING,
} from "../../src/workers/thread-clock.ts";

/** Keeps this thread busy for some milliseconds; returns how many they were, by another clock. */
function spend(milliseconds: number): number {
  const begun = performance.now();
  while (performance.now() - begun < milliseconds);
  return performance.now() - begun;
}

describe("ThreadClock", () => {
  it("tells work and waiting, each with the time that it goes on now, and leaves idling out", () => {
    const words = newClockWords();
    const reader = new ClockReader(words);
    expect(reader.read()).toEqual({ worked: 0, waited: 0 });
    const clock = new ThreadClock(words);
    spend(5);
    expect(reader.read()).toEqual({ worked: 0, waited: 0 });
    const spent = { worked: 0, waited: 0 };
    const told = { worked: 0, waited: 0 };
    const tell = () => {
      const { worked, waited } = reader.read();
      told.worked += worked;
      told.waited += waited;
    };
    const begun = performance.now();
    let idle = 0;
    for (let round = 0; round < 3; round++) {
      clock.begin(WORKING);
      spent.worked += spend(2) / 1000;
      // In the middle of work.
      tell();
      spent.worked += spend(2) / 1000;
      clock.begin(WAITING);
      spent.waited += spend(3) / 1000;
      tell();
      clock.begin(IDLE);
      idle += spend(5) / 1000;
    }
    const all = (performance.now() - begun) / 1000;
    tell();
    expect(told.worked).toBeGreaterThanOrEqual(spent.worked - 1e-6);
    expect(told.waited).toBeGreaterThanOrEqual(spent.waited - 1e-6);
    expect(told.worked + told.waited).toBeLessThanOrEqual(all - idle + 1e-6);
    expect(reader.read()).toEqual({ worked: 0, waited: 0 });
  });
});
