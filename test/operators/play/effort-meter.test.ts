import { afterEach, describe, expect, it, vi } from "vitest";
import { EffortMeter } from "../../../src/operators/play/effort-meter.ts";
import type { Search } from "../../../src/search/search.ts";

const plain = {} as Search<unknown>;

/** A clock of the thread that a test sets, in microseconds. */
const thread = { now: 0, readings: 0 };
vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
  thread.readings++;
  return { user: thread.now - 100, system: 100 };
});
afterEach(() => void (thread.readings = 0));

describe("the effort of the seats of a game", () => {
  it("is their decisions, positions and time of the thread while they decide", () => {
    thread.now = 1000;
    const meter = new EffortMeter([
      { search: plain, awaits: false },
      { search: plain, awaits: false },
    ]);
    for (const [seat, microseconds] of [
      [0, 300_000],
      [1, 7],
      [0, 200_000],
    ] as const) {
      thread.now += 5_000_000;
      meter.deciding(seat);
      meter.evaluates(seat + 3);
      thread.now += microseconds;
      meter.decided();
    }
    // Stopped by a failure: it is no decision.
    meter.deciding(1);
    thread.now += 1_000_000;
    const [first, second] = meter.end();
    expect(first).toEqual({ decisions: 2, evaluations: 6, seconds: expect.closeTo(0.5, 6) });
    expect(second).toEqual({ decisions: 1, evaluations: 4, seconds: expect.closeTo(7e-6, 9) });
  });

  it("is the time of the whole game where one seat plays alone, and the clock is read twice", () => {
    const meter = new EffortMeter([{ search: plain, awaits: false }]);
    for (let decision = 0; decision < 50; decision++) {
      meter.deciding(0);
      meter.decided();
      thread.now += 1000;
    }
    expect(meter.end()).toEqual([{ decisions: 50, evaluations: 0, seconds: expect.closeTo(0.05, 6) }]);
    expect(thread.readings).toBe(2);
  });

  it("is the time of the processes of a program from its first decision on, also in several seats", () => {
    let used: number | undefined = 40;
    const program = { processorSeconds: () => used } as Search<unknown>;
    const meter = new EffortMeter([
      { search: program, awaits: false },
      { search: program, awaits: false },
      { search: plain, awaits: false },
    ]);
    used = 50;
    for (const [seat, seconds] of [
      [0, 2],
      [1, 3],
      [2, 4],
      [0, 5],
    ] as const) {
      meter.deciding(seat);
      used += seconds;
      meter.decided();
    }
    // What the program used in the third seat's time, 4 s, counts as its own.
    expect(meter.end().map(({ seconds }) => seconds)).toEqual([11, 3, expect.closeTo(0, 9)]);
    used = undefined;
    const unknown = new EffortMeter([{ search: program, awaits: false }]);
    unknown.deciding(0);
    unknown.decided();
    expect(unknown.end()).toEqual([{ decisions: 1, evaluations: 0, seconds: NaN }]);
  });

  it("is the time of search and evaluations, without the waits, of a seat that waits for evaluations", () => {
    for (const others of [1, 0]) {
      const meter = new EffortMeter([
        { search: plain, awaits: true },
        ...Array.from({ length: others }, () => ({ search: plain, awaits: false })),
      ]);
      meter.deciding(0);
      for (const seconds of [0.5, 0.25]) {
        thread.now += 10;
        meter.evaluates(3);
        // The thread plays other games.
        thread.now += 70_000;
        meter.evaluated({ seconds, evaluatorSeconds: seconds / 2 });
        thread.now += 20;
      }
      meter.decided();
      thread.now += 70_000;
      if (others > 0) {
        meter.deciding(1);
        thread.now += 10;
        meter.evaluates(1);
        meter.evaluated({});
        meter.decided();
      }
      const [waits, other] = meter.end();
      expect(waits).toEqual({
        decisions: 1,
        evaluations: 6,
        seconds: expect.closeTo(0.75 + 60e-6, 9),
        evaluatorSeconds: 0.375,
      });
      if (others > 0)
        expect(other).toEqual({ decisions: 1, evaluations: 1, seconds: expect.closeTo(1e-5, 9) });
    }
    const unknown = new EffortMeter([{ search: plain, awaits: true }]);
    unknown.deciding(0);
    unknown.evaluates(1);
    unknown.evaluated({ seconds: NaN, evaluatorSeconds: NaN });
    unknown.decided();
    expect(unknown.end()[0]).toMatchObject({ seconds: NaN, evaluatorSeconds: NaN });
  });

  it("has the decisions that time limits have ended, with what they got of it", () => {
    const seats = [
      { search: plain, awaits: true },
      { search: plain, awaits: false },
    ];
    const meter = new EffortMeter(seats);
    for (const microseconds of [3000, 4000, 9000]) {
      meter.deciding(0);
      thread.now += 1000;
      meter.evaluates(1);
      // The thread plays other games.
      thread.now += 70_000;
      meter.evaluated({ seconds: (microseconds - 1000) / 1e6 });
      meter.decided(microseconds > 5000 ? undefined : { clock: "wall", milliseconds: 20 });
      meter.deciding(1);
      thread.now += 21_000;
      meter.decided({ clock: "processor", milliseconds: 20 });
    }
    expect(meter.end().map(({ limited }) => limited)).toEqual([
      { clock: "wall", decisions: 2, allowed: 0.04, seconds: expect.closeTo(0.007, 9) },
      {
        clock: "processor",
        decisions: 3,
        allowed: expect.closeTo(0.06, 9),
        seconds: expect.closeTo(0.063, 9),
      },
    ]);
    // One seat alone, whose decisions are not timed one by one.
    const limitedOf = (clock: "processor" | "wall") => {
      const alone = new EffortMeter([{ search: plain, awaits: false }]);
      alone.deciding(0);
      alone.decided({ clock, milliseconds: 20 });
      return alone.end()[0]!.limited;
    };
    expect(limitedOf("processor")).toEqual({
      clock: "processor",
      decisions: 1,
      allowed: 0.02,
      seconds: 0.02,
    });
    expect(limitedOf("wall")).toEqual({ clock: "wall", decisions: 1, allowed: 0.02, seconds: NaN });
  });
});
