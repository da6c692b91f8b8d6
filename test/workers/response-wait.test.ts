import { afterEach, expect, it, vi } from "vitest";
import { ResponseWait, type WatchedProgram } from "../../src/workers/response-wait.ts";

afterEach(() => void vi.restoreAllMocks());

/** A program that gets a share of a processor; `computes` says whether it wants one. */
function waitFor(limitMs: number, { share, computes }: { share: number | undefined; computes: boolean }) {
  let now = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const looks = vi.fn<() => number | undefined>(() =>
    share === undefined ? undefined : (share * now) / 1000,
  );
  const program: WatchedProgram = { processorSeconds: looks, wantsProcessor: () => computes };
  const wait = new ResponseWait(program, limitMs);
  let slices = 0;
  for (let left = wait.next(); left > 0; left = wait.next()) {
    slices++;
    now += left;
  }
  return { passed: now - 1000, slices, looks: looks.mock.calls.length, text: wait.text };
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least - 1e-6);
  expect(value).toBeLessThanOrEqual(most);
}

it.each([
  ["sleeps", { share: 0, computes: false }],
  ["computes on an idle machine", { share: 1, computes: true }],
  ["computes in many threads", { share: 16, computes: true }],
  ["is not known", { share: undefined, computes: false }],
])("is over after its limit where the program %s", (_, program) => {
  const { passed, text } = waitFor(60_000, program);
  // The shortest slice is a millisecond.
  expectBetween(passed, 60_000, 60_001);
  expect(text).toBe("60000 ms");
  expectBetween(waitFor(5, program).passed, 5, 6);
});

it("goes on while the program waits for a processor, and in no case for more than ten limits", () => {
  const busy = waitFor(60_000, { share: 0.25, computes: true });
  // The first slice counts whole: until then the program is not looked at.
  expectBetween(busy.passed, 500 + 4 * 59_500, 501 + 4 * 59_500);
  expect(busy.text).toMatch(/^60000 ms of its own time \(23850\d ms on the clock: the machine is busy\)$/);
  const starved = waitFor(60_000, { share: 0.01, computes: true });
  expectBetween(starved.passed, 600_000, 600_500);
});

it("looks at the program once in a slice", () => {
  const { looks, slices } = waitFor(60_000, { share: 0, computes: false });
  expect([looks, slices]).toEqual([120, 120]);
});
