import { Deferred, Effect, Fiber, Latch, Stream } from "effect";
import { describe, expect, it } from "vitest";
import { BusyThreads } from "../../../src/operators/run/busy-threads.ts";
import { FlowMeter } from "../../../src/operators/run/flow-meter.ts";
import { StageClock } from "../../../src/operators/run/stage-clock.ts";

/** A clock that stands still until it is moved, in milliseconds. */
function clockwork() {
  const time = { now: 0 };
  const pass = (milliseconds: number) => Effect.sync(() => void (time.now += milliseconds));
  return { now: () => time.now, pass, time };
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect);

describe("StageClock", () => {
  it("tells work, waiting and being held up in a chain of stages, each second", async () => {
    const { now, pass } = clockwork();
    const clock = new StageClock("middle", { readers: 1, mostGames: 1 }, now);
    const source = Stream.range(1, 3).pipe(
      Stream.rechunk(1),
      Stream.tap(() => pass(100)),
    );
    const middle = clock.output(clock.input("source", source).pipe(Stream.tap(() => pass(30))));
    await run(Stream.runForEach(middle, () => pass(7)).pipe(Effect.andThen(pass(1000))));
    const flow = clock.flow();
    expect(flow).toEqual({
      type: "stage-flow",
      stage: "middle",
      seconds: 1.411,
      worked: 0.09,
      waited: 0.3,
      held: 0.021,
      itemsIn: 3,
      itemsOut: 3,
      readers: 1,
    });
    // Ended: nothing is told of it any more.
    await run(pass(500));
    expect(clock.flow()).toMatchObject({ seconds: 0.5, worked: 0, waited: 0, held: 0, itemsOut: 0 });
  });

  it("is held up until its reader asks for the first time", async () => {
    const { now, pass } = clockwork();
    const clock = new StageClock("late", { readers: 1, mostGames: 1 }, now);
    await run(pass(200).pipe(Effect.andThen(Stream.runDrain(clock.output(Stream.make(1))))));
    expect(clock.flow()).toMatchObject({ worked: 0, waited: 0, held: 0.2, itemsOut: 1 });
  });

  it("works while games are under way, though its reader does not ask and other games wait for weights", async () => {
    const { now, pass } = clockwork();
    const clock = new StageClock("games", { readers: 1, mostGames: 64 }, now);
    await run(
      Effect.gen(function* () {
        const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
        const weights = Latch.makeUnsafe(false);
        const game = yield* Effect.forkChild(clock.playing(Deferred.await(first)));
        const long = yield* Effect.forkChild(clock.playing(Deferred.await(second)));
        const next = yield* Effect.forkChild(clock.waiting(["zero"], weights.await));
        yield* Effect.yieldNow;
        yield* pass(100);
        yield* Deferred.succeed(first, undefined);
        yield* Fiber.join(game);
        yield* pass(50);
        yield* Deferred.succeed(second, undefined);
        yield* Fiber.join(long);
        // Nothing but the wait for weights is left.
        yield* pass(250);
        weights.openUnsafe();
        yield* Fiber.join(next);
        yield* pass(600);
      }),
    );
    expect(clock.flow()).toMatchObject({
      seconds: 1,
      worked: 0.15,
      waited: 0.25,
      held: 0.6,
      // Two games for .1 s and one for .05 s.
      holds: 0.25,
      bound: 64,
    });
  });

  it("is held up while it waits for others than its readers, though its reader asks", async () => {
    const { now, pass } = clockwork();
    const clock = new StageClock("learn", { readers: 1, mostGames: 1 }, now);
    const steps = pass(40).pipe(Effect.andThen(clock.heldUp(pass(60))), Effect.as(1));
    await run(Stream.runDrain(clock.output(Stream.fromEffect(steps))));
    expect(clock.flow()).toMatchObject({ seconds: 0.1, worked: 0.04, waited: 0, held: 0.06 });
  });

  it("counts no wait of a game that was interrupted, and ends with a reader that leaves", async () => {
    const { now, pass } = clockwork();
    const clock = new StageClock("games", { readers: 1, mostGames: 2 }, now);
    const items = clock.output(Stream.make(1, 2, 3).pipe(Stream.rechunk(1)));
    await run(
      Effect.gen(function* () {
        const game = yield* Effect.forkChild(clock.playing(Effect.never));
        yield* Effect.yieldNow;
        yield* pass(10);
        yield* Fiber.interrupt(game);
        yield* Stream.runDrain(Stream.take(items, 1));
        yield* pass(90);
      }),
    );
    expect(clock.flow()).toMatchObject({ seconds: 0.1, worked: 0.01, waited: 0, held: 0, itemsOut: 1 });
  });

  it("gives the shares of every moment to one of the three: they never exceed the time", async () => {
    const { now, time } = clockwork();
    const clock = new StageClock("busy", { readers: 1, mostGames: 4 }, now);
    let draws = 1;
    const draw = () => (draws = (draws * 48271) % 2147483647) / 2147483647;
    await run(
      Effect.forEach(
        Array.from({ length: 40 }),
        () => {
          const steps = Effect.gen(function* () {
            for (let step = 0; step < 5; step++) {
              time.now += 10 * draw();
              yield* Effect.yieldNow;
            }
          });
          return draw() < 0.5 ? clock.waiting(["zero"], steps) : clock.playing(steps);
        },
        { concurrency: 4, discard: true },
      ),
    );
    const { seconds, worked, waited, held } = clock.flow();
    expect(seconds).toBeCloseTo(time.now / 1000, 12);
    expect(worked + waited + held).toBeCloseTo(seconds, 12);
    expect(Math.min(worked, waited)).toBeGreaterThan(0);
  });
});

describe("BusyThreads", () => {
  it("sums up the time of requests over the threads", async () => {
    const { now, pass } = clockwork();
    const threads = new BusyThreads("learn", 2, now);
    await run(
      Effect.gen(function* () {
        const done = yield* Deferred.make<void>();
        const long = yield* Effect.forkChild(threads.request(Deferred.await(done)));
        yield* Effect.yieldNow;
        yield* threads.request(pass(300));
        yield* pass(100);
        expect(threads.flow(0.4)).toEqual([
          { type: "threads-flow", group: "learn", threads: 2, seconds: 0.4, worked: 0.7, waited: 0 },
        ]);
        yield* pass(200);
        yield* Deferred.succeed(done, undefined);
        yield* Fiber.join(long);
        yield* pass(50);
      }),
    );
    expect(threads.flow(0.25)).toMatchObject([{ worked: 0.2 }]);
  });
});

describe("FlowMeter", () => {
  it("asks every source once a call, and tells the processor time of this process", () => {
    const { now, time } = clockwork();
    const meter = new FlowMeter(now);
    const asked: number[] = [];
    meter.add((seconds) => (asked.push(seconds), []));
    meter.clock("games", { readers: 2, mostGames: 8 });
    expect(meter.take()).toEqual([]);
    time.now += 1500;
    // Some work, so that there is something to tell.
    const before = process.cpuUsage();
    for (let spent = 0; spent < 20_000;) {
      const { user, system } = process.cpuUsage(before);
      spent = user + system;
    }
    const [machine, stage] = meter.take();
    expect(asked).toEqual([1.5]);
    expect(machine).toMatchObject({ type: "machine-flow", seconds: 1.5 });
    if (machine?.type !== "machine-flow") throw new Error("the first source is the process");
    expect(machine.processor).toBeGreaterThan(0.019);
    expect(machine.idle).toBeGreaterThanOrEqual(0);
    expect(machine.idle + machine.processor).toBeLessThanOrEqual(1.5 * machine.cores + 1e-9);
    expect(machine.memory).toBeGreaterThan(machine.heap);
    expect(stage).toMatchObject({ type: "stage-flow", stage: "games", seconds: 1.5, held: 1.5, readers: 2 });
    expect(meter.take()).toEqual([]);
  });
});
