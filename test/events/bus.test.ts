import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventBus, type ObservedEvent } from "../../src/events/bus.ts";
import type { EmittedEvent, RunEvent } from "../../src/events/event.ts";
import { initialState, type RunState } from "../../src/events/run-state.ts";

const note = (message: string): RunEvent => ({ type: "note", level: "info", message });
const progress = (stage: string, done: number, total = 1000): RunEvent => ({
  type: "progress",
  stage,
  done,
  total,
  unit: "games",
});
const machine: RunEvent = {
  type: "machine-flow",
  seconds: 1,
  processor: 1,
  idle: 0,
  cores: 2,
  memory: 1,
  heap: 1,
};

/** An event in a word or two. */
const short = (event: ObservedEvent): string => {
  if (event.type === "skipped") return `${event.count} skipped`;
  if (event.type === "note") return event.message;
  return event.type === "progress" ? `${event.stage} ${event.done}` : event.type;
};

/** An observer that keeps the main thread busy for so long with every event, and what it got at which time. */
function busy(milliseconds: number) {
  const got: [time: number, event: string][] = [];
  return {
    got,
    listener: (event: ObservedEvent) => {
      got.push([performance.now(), short(event)]);
      vi.setSystemTime(Date.now() + milliseconds);
      // The fake clock stops while a timer's function runs: the listener itself lets the time pass.
      clock.now += milliseconds;
    },
  };
}

/** The time of `performance.now`, which timers of the fake clock move. */
const clock = { now: 0 };
const advance = async (milliseconds: number) => {
  for (let step = 0; step < milliseconds; step++) {
    clock.now++;
    await vi.advanceTimersByTimeAsync(1);
  }
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  clock.now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("EventBus", () => {
  it("numbers events, and passes each to sinks at once, to observers later, to both in order", async () => {
    const bus = new EventBus({ ...initialState, elapsed: 100 });
    bus.begin();
    const kept: EmittedEvent[] = [];
    const seen: ObservedEvent[] = [];
    const late: ObservedEvent[] = [];
    bus.keep(
      (event) => void kept.push(event),
      () => expect.unreachable(),
    );
    bus.observe("seen", (event) => void seen.push(event));
    bus.emit(note("a"));
    clock.now += 500;
    expect(kept).toMatchObject([{ seq: 1, elapsed: 100, message: "a" }]);
    expect(seen).toEqual([]);
    await advance(5);
    bus.observe("late", (event) => void late.push(event));
    bus.emit(note("b"));
    await bus.close();
    expect(kept).toMatchObject([
      { seq: 1, elapsed: 100, message: "a" },
      { seq: 2, elapsed: 100.505, message: "b" },
    ]);
    expect(seen).toEqual(kept);
    expect(late).toEqual(kept.slice(1));
  });

  it("gives a sink that throws nothing more, and says what follows after the event itself", async () => {
    const bus = new EventBus();
    const seen: string[] = [];
    let calls = 0;
    const keep = () => {
      calls++;
      throw new Error("disk full");
    };
    bus.keep(keep, (error) => bus.emit(note((error as Error).message)));
    bus.observe("seen", (event) => void seen.push(short(event)));
    bus.emit(note("a"));
    bus.emit(note("b"));
    await bus.close();
    expect(calls).toBe(1);
    expect(seen).toEqual(["a", "disk full", "b"]);
  });

  it("calls no observer while an event is emitted, and none for more than its share of the time", async () => {
    const bus = new EventBus();
    const slow = busy(50);
    const quick = busy(0);
    bus.observe("slow", slow.listener);
    bus.observe("quick", quick.listener);
    for (let i = 0; i < 10; i++) bus.emit(note(`event ${i}`));
    expect([slow.got.length, quick.got.length, clock.now]).toEqual([0, 0, 0]);
    await advance(30_000);
    expect(quick.got.map(([, event]) => event)).toEqual(slow.got.map(([, event]) => event));
    expect(slow.got.length).toBe(10);
    // 2% of the time, and one call.
    for (const [i, [time]] of slow.got.entries()) expect(50 * i).toBeLessThanOrEqual(0.02 * time);
    // And no less than that.
    expect(slow.got.at(-1)![0]).toBeLessThan(9 * 2600);
    expect(quick.got.at(-1)![0]).toBeLessThan(60);
  });

  it("replaces progress and flows that still wait by newer ones, but not the end of a round", async () => {
    const bus = new EventBus();
    const plain: string[] = [];
    const watcher: string[] = [];
    bus.observe("plain", (event) => void plain.push(short(event)));
    bus.observe("watcher", (event) => void watcher.push(short(event)), { flows: true });
    const events = [progress("a", 1), progress("b", 1), machine, progress("a", 2), note("n"), machine];
    for (const event of [...events, progress("b", 5, 5), progress("b", 1), progress("b", 2)]) bus.emit(event);
    await advance(5);
    expect(plain).toEqual(["a 2", "n", "b 5", "b 2"]);
    expect(watcher).toEqual(["a 2", "n", "machine-flow", "b 5", "b 2"]);
  });

  it("adds up flows that wait, so that a slow observer misses none of what flowed", async () => {
    const bus = new EventBus();
    const flows: ObservedEvent[] = [];
    bus.observe("watcher", (event) => void flows.push(event), { flows: true });
    for (let i = 0; i < 3; i++) bus.emit(machine);
    await advance(5);
    expect(flows).toMatchObject([{ type: "machine-flow", seq: 3, seconds: 3, processor: 3, memory: 1 }]);
  });

  it("holds an observer to its share that takes little at a time, but often", async () => {
    const bus = new EventBus();
    const short = busy(3);
    bus.observe("short", short.listener);
    for (let i = 0; i < 1000; i++) {
      bus.emit(note(`event ${i}`));
      await advance(10);
    }
    // A call may begin before 4 ms are used up.
    for (const [i, [time]] of short.got.entries()) expect(3 * i).toBeLessThanOrEqual(0.02 * time + 3);
    expect(short.got.length).toBeGreaterThan(60);
  });

  it("continues if the state of the run cannot be computed, and warns once", async () => {
    const bus = new EventBus({ ...initialState, facts: null as never });
    const seen: string[] = [];
    bus.observe("seen", (event) => void seen.push(short(event)));
    bus.emit(note("a"));
    bus.emit(note("b"));
    bus.emit(progress("games", 1));
    expect(bus.state).toMatchObject({ seq: 4, stages: { games: { progress: { done: 1 } } } });
    await bus.close();
    expect(seen).toEqual([
      "a",
      expect.stringMatching(/^what is shown of the run may be wrong from here on: /),
      "b",
      "games 1",
    ]);
  });

  it("passes nothing to a sink that has left", () => {
    const bus = new EventBus();
    const kept: string[] = [];
    const leave = bus.keep(
      (event) => void kept.push(short(event)),
      () => expect.unreachable(),
    );
    bus.emit(note("a"));
    leave();
    bus.emit(note("b"));
    expect(kept).toEqual(["a"]);
  });

  it("skips the oldest events beyond the bound, and gives that observer their number before its next event", async () => {
    const bus = new EventBus();
    const few: string[] = [];
    const all: string[] = [];
    bus.observe("few", (event) => void few.push(short(event)), { bound: 3 });
    bus.observe("all", (event) => void all.push(short(event)));
    for (let i = 0; i < 10; i++) bus.emit(note(`event ${i}`));
    await advance(5);
    expect(few).toEqual(["7 skipped", "event 7", "event 8", "event 9"]);
    expect(all).toHaveLength(10);
    bus.emit(note("later"));
    await advance(5);
    expect(few.slice(4)).toEqual(["later"]);
  });

  it("waits for an observer that is busy elsewhere, and for no other because of it", async () => {
    const bus = new EventBus();
    const got: string[] = [];
    const quick: string[] = [];
    let release = () => {};
    const listener = (event: ObservedEvent) => {
      got.push(short(event));
      return new Promise<void>((resolve) => (release = resolve));
    };
    bus.observe("waits", listener, { bound: 2 });
    bus.observe("quick", (event) => void quick.push(short(event)));
    for (const message of ["a", "b", "c"]) {
      bus.emit(note(message));
      await advance(5);
    }
    bus.emit(note("d"));
    await advance(100);
    expect(got).toEqual(["a"]);
    expect(quick).toEqual(["a", "b", "c", "d"]);
    for (let i = 0; i < 4; i++) {
      release();
      await advance(5);
    }
    expect(got).toEqual(["a", "1 skipped", "c", "d"]);
  });

  it("switches off an observer that throws or rejects, says so once, and disturbs nobody else", async () => {
    const bus = new EventBus();
    const seen: ObservedEvent[] = [];
    const calls = { throwing: 0, rejecting: 0 };
    bus.observe("throwing", () => {
      calls.throwing++;
      throw new Error("terminal gone");
    });
    bus.observe("rejecting", () => {
      calls.rejecting++;
      return Promise.reject(new Error("pipe closed"));
    });
    bus.observe("good", (event) => void seen.push(event));
    for (const message of ["a", "b", "c"]) bus.emit(note(message));
    await advance(20);
    bus.emit(note("d"));
    await bus.close();
    expect(calls).toEqual({ throwing: 1, rejecting: 1 });
    const warnings = seen.filter((event) => event.type === "note" && event.level === "warning");
    expect(warnings.map(short)).toEqual([
      "throwing was switched off: terminal gone",
      "rejecting was switched off: pipe closed",
    ]);
    expect(seen.filter((event) => !warnings.includes(event)).map(short)).toEqual(["a", "b", "c", "d"]);
  });

  it("passes nothing to an observer that has left, not even what waited for it", async () => {
    const bus = new EventBus();
    const seen: string[] = [];
    const leave = bus.observe("leaves", (event) => {
      seen.push(short(event));
      if (seen.length === 2) leave();
    });
    for (const message of ["a", "b", "c"]) bus.emit(note(message));
    await advance(5);
    bus.emit(note("d"));
    await bus.close();
    expect(seen).toEqual(["a", "b"]);
  });

  it("hands over the state after each event, and the newest state to watchers", async () => {
    const bus = new EventBus();
    const states: RunState[] = [];
    const watched: [time: number, done: number | undefined][] = [];
    bus.observe("states", (_, state) => void states.push(state));
    bus.watch("watches", ({ stages }) => void watched.push([clock.now, stages["a"]?.progress?.done]), 100);
    await advance(50);
    bus.emit(note("first"));
    bus.emit(progress("a", 1));
    expect(bus.state).toMatchObject({ seq: 2, stages: { a: { progress: { done: 1 } } } });
    await advance(120);
    for (let done = 2; done <= 150; done++) {
      bus.emit(progress("a", done));
      await advance(1);
    }
    await bus.close();
    expect(states.map(({ seq }) => seq).slice(0, 3)).toEqual([1, 2, 3]);
    expect(states[0]!.stages).toEqual({});
    expect(states.at(-1)!.stages["a"]!.progress!.done).toBe(150);
    expect(states.at(-1)).toBe(bus.state);
    expect(watched.map(([, done]) => done)).toEqual([1, 101, 150]);
    expect(watched[0]![0]).toBe(150);
  });

  it("switches off one that watches and throws", async () => {
    const bus = new EventBus();
    let calls = 0;
    const seen: string[] = [];
    bus.observe("seen", (event) => void seen.push(short(event)));
    bus.watch(
      "page",
      () => {
        calls++;
        throw new Error("gone");
      },
      10,
    );
    bus.emit(note("a"));
    await advance(50);
    bus.emit(note("b"));
    await bus.close();
    expect(calls).toBe(1);
    expect(seen).toEqual(["a", "page was switched off: gone", "b"]);
  });

  it("hands over at its end what waits, without pauses, to all observers in turn for at most a second", async () => {
    const bus = new EventBus();
    const slow = busy(50);
    const quick = busy(0);
    bus.observe("slow", slow.listener);
    let stuck = 0;
    bus.observe("stuck", () => {
      stuck++;
      return new Promise<void>(() => {});
    });
    bus.observe("quick", quick.listener);
    bus.observe("rejects at the end", () => (closing ? Promise.reject(new Error("gone")) : undefined));
    let closing = false;
    for (let i = 0; i < 100; i++) bus.emit(note(`event ${i}`));
    await advance(5);
    expect(stuck).toBe(1);
    bus.emit(note("the last"));
    closing = true;
    const closed = bus.close();
    await advance(2000);
    await closed;
    expect(quick.got).toHaveLength(101);
    // What an observer has taken without waiting, it may finish after the run: a program that reads `--json` slowly.
    expect(stuck).toBe(101);
    expect(slow.got.length).toBeGreaterThan(5);
    // Of these, it has got three before the end.
    expect(slow.got.length).toBeLessThanOrEqual(23);
    bus.emit(note("after the end"));
    await advance(100);
    expect(quick.got).toHaveLength(101);
  });
});
