import { Effect, Fiber } from "effect";
import { describe, expect, it } from "vitest";
import { StopSignal } from "../../../src/operators/run/stop-signal.ts";

describe("StopSignal", () => {
  it("is seen by fibers that wait, by those that ask, and by threads", async () => {
    const stop = new StopSignal();
    expect([stop.requested, stop.flag[0]]).toEqual([false, 0]);
    const waiting = Effect.runFork(Effect.as(stop.wait, "woken"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(waiting.pollUnsafe()).toBeUndefined();
    stop.request();
    expect(await Effect.runPromise(Fiber.join(waiting))).toBe("woken");
    expect([stop.requested, stop.flag[0]]).toEqual([true, 1]);
    expect(stop.flag.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it("stays requested: asking twice and waiting afterwards change nothing", async () => {
    const stop = new StopSignal();
    stop.request();
    stop.request();
    await Effect.runPromise(stop.wait);
    await Effect.runPromise(stop.wait);
    expect(stop.requested).toBe(true);
  });
});
