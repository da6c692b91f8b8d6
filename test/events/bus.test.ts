import { describe, expect, it } from "vitest";
import { EventBus } from "../../src/events/bus.ts";
import type { RunEvent } from "../../src/events/event.ts";

const note = (message: string): RunEvent => ({ type: "note", level: "info", message });

describe("EventBus", () => {
  it("tells every observer every event, in order", () => {
    const bus = new EventBus();
    const one: RunEvent[] = [];
    const two: RunEvent[] = [];
    bus.observe("one", (event) => void one.push(event));
    bus.emit(note("a"));
    bus.observe("two", (event) => void two.push(event));
    bus.emit(note("b"));
    expect(one).toEqual([note("a"), note("b")]);
    expect(two).toEqual([note("b")]);
  });

  it("switches off an observer that throws, says so once, and disturbs nobody else", () => {
    const bus = new EventBus();
    const seen: RunEvent[] = [];
    let calls = 0;
    bus.observe("bad", () => {
      calls++;
      throw new Error("disk gone");
    });
    bus.observe("good", (event) => void seen.push(event));
    for (const message of ["a", "b", "c"]) expect(() => bus.emit(note(message))).not.toThrow();
    expect(calls).toBe(1);
    expect(seen).toContainEqual({
      type: "note",
      level: "warning",
      message: "bad was switched off: disk gone",
    });
    expect(seen.filter((event) => event.type === "note" && event.level === "info")).toEqual(
      ["a", "b", "c"].map(note),
    );
    expect(seen).toHaveLength(4);
  });

  it("survives that all its observers throw at the same event", () => {
    const bus = new EventBus();
    for (const name of ["one", "two", "three"])
      bus.observe(name, () => {
        throw new Error("no");
      });
    expect(() => bus.emit(note("a"))).not.toThrow();
  });

  it("tells nothing after its end", () => {
    const bus = new EventBus();
    const types: string[] = [];
    bus.observe("types", ({ type }) => types.push(type));
    bus.emit(note("a"));
    bus.close();
    bus.emit(note("b"));
    expect(types).toEqual(["note"]);
  });
});
