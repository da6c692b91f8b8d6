import { afterEach, expect, it, vi } from "vitest";
import { MachineClock } from "../../../../src/operators/measuring/cost/machine-clock.ts";

afterEach(() => void vi.restoreAllMocks());

/** Ten seconds of a machine of two cores, of which the work got `processor` seconds and `idle` were idle. */
function course(demand: number, processor: number, idle: number, counted = true) {
  let wall = 100;
  vi.spyOn(performance, "now").mockImplementation(() => 1000 * wall);
  const share = () => (wall - 100) / 10;
  const clock = new MachineClock(demand, 2, () => ({
    wall,
    processor: 7 + processor * share(),
    idle: counted ? 5000 + idle * share() : 0,
  }));
  const seen: number[] = [];
  for (const moment of [102.5, 110]) {
    wall = moment;
    seen.push(clock.seconds());
  }
  expect(seen[1]).toBeCloseTo(4 * seen[0]!, 9);
  const total = clock.total();
  expect(total.idle).toBeCloseTo(seen[1]!, 9);
  expect([total.wall, total.processor]).toEqual([10, expect.closeTo(processor, 9)]);
  return seen[1];
}

it.each([
  // All that the work wanted, or the machine was idle besides.
  [2, 20, 0, 10],
  [1, 10, 0, 10],
  [1, 10, 10, 10],
  [2, 5, 15, 10],
  // Others took half of what it wanted, or three quarters.
  [2, 10, 0, 5],
  [2, 5, 0, 2.5],
  [1, 5, 0, 5],
  // Others computed, and one core was idle: of the 5 s that it lacked none were taken.
  [1, 5, 10, 10],
  // It lacked 15 s of two cores, of which 10 s were idle.
  [2, 5, 10, 5],
  // A system without its own threads' time.
  [2, 0, 0, 10],
  // Of more threads than cores.
  [8, 10, 0, 5],
])("%d threads that got %d s while cores were idle for %d s took %d s of an idle machine", (d, p, i, s) => {
  expect(course(d, p, i)).toBeCloseTo(s, 9);
});

it("counts the wall where a system counts no idle time", () => {
  expect(course(2, 5, 0, false)).toBeCloseTo(10, 9);
});

it("reads the machine at most every tenth of a second", () => {
  let wall = 0;
  vi.spyOn(performance, "now").mockImplementation(() => 1000 * wall);
  const read = vi.fn<() => { wall: number; processor: number; idle: number }>(() => ({
    wall,
    processor: wall,
    idle: 1 + wall,
  }));
  const clock = new MachineClock(1, 2, read);
  for (; wall < 1; wall += 0.001) clock.seconds();
  expect(read.mock.calls.length).toBeLessThanOrEqual(11);
});
