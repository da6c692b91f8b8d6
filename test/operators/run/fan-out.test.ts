import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect";
import { describe, expect, it } from "vitest";
import { fanOut as fanOutReaders, readByAll as readers } from "../../../src/operators/run/fan-out.ts";

const run = <A, E>(effect: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(effect));

const fanOut = <A, E>(source: Stream.Stream<A, E>, count: number) =>
  Effect.map(fanOutReaders(source, count), (all) => all.map(({ stream }) => stream));
const readByAll = <A, E>(source: Stream.Stream<A, E>, count: number) =>
  Effect.map(readers(source, count), (all) => all.map(({ stream }) => stream));

/** Numbers from 0, counting how many have been pulled, and whether the source was released. */
function counted(length: number) {
  const state = { pulled: 0, released: false };
  const stream = Stream.range(0, length - 1).pipe(
    Stream.rechunk(1),
    Stream.tap(() => Effect.sync(() => void state.pulled++)),
    Stream.ensuring(Effect.sync(() => void (state.released = true))),
  );
  return { state, stream };
}

/** Lets every fiber run until it waits. */
const settle = Effect.promise(async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
});

describe("fanOut", () => {
  it("does not wait for a reader that leaves before it has read anything, and is abandoned when all have left", async () => {
    const { stream } = counted(3);
    let abandoned = 0;
    const all = await run(
      Effect.gen(function* () {
        const abandon = Effect.sync(() => void abandoned++);
        const [reads, leaves] = yield* fanOutReaders(stream, 2, abandon);
        const reading = yield* Effect.forkChild(Stream.runCollect(reads!.stream));
        yield* settle;
        yield* leaves!.leave;
        yield* leaves!.leave;
        const items = yield* Fiber.join(reading);
        yield* reads!.leave;
        return items;
      }),
    );
    expect(all).toEqual([0, 1, 2]);
    expect(abandoned).toBe(1);
  });

  it.each([1, 2, 3, 5])("gives each of %i readers every item in order", async (readers) => {
    const { stream } = counted(100);
    const all = await run(
      Effect.gen(function* () {
        const copies = yield* fanOut(stream, readers);
        return yield* Effect.all(copies.map(Stream.runCollect), { concurrency: "unbounded" });
      }),
    );
    const wanted = Array.from({ length: 100 }, (_, i) => i);
    expect(all).toEqual(Array.from({ length: readers }, () => wanted));
  });

  it("loses nothing that was emitted before the last reader came", async () => {
    const { state, stream } = counted(5);
    const [early, late] = await run(
      Effect.gen(function* () {
        const [first, second] = yield* fanOut(stream, 2);
        const fiber = yield* Effect.forkChild(Stream.runCollect(first!));
        yield* settle;
        expect(state.pulled).toBe(0);
        const late = yield* Stream.runCollect(second!);
        return [yield* Fiber.join(fiber), late];
      }),
    );
    expect(early).toEqual([0, 1, 2, 3, 4]);
    expect(late).toEqual(early);
  });

  it("pulls its source no further than the slowest reader has read, and one", async () => {
    const { state, stream } = counted(50);
    let slow = 0;
    let fast = 0;
    let furthest = 0;
    await run(
      Effect.gen(function* () {
        const [one, two] = yield* fanOut(stream, 2);
        yield* Effect.all(
          [
            Stream.runForEach(one!, () => Effect.sync(() => void fast++)),
            Stream.runForEach(two!, () =>
              Effect.gen(function* () {
                yield* settle;
                furthest = Math.max(furthest, state.pulled - slow);
                expect(fast - slow).toBeLessThanOrEqual(1);
                slow++;
              }),
            ),
          ],
          { concurrency: "unbounded" },
        );
      }),
    );
    expect([slow, fast, state.pulled]).toEqual([50, 50, 50]);
    expect(furthest).toBe(1);
  });

  it("does not compute the next item while a reader still works on the last: they may share its memory", async () => {
    const shared = new Int32Array(1);
    const source = Stream.range(1, 20).pipe(
      Stream.rechunk(1),
      Stream.map((number) => {
        shared[0] = number;
        return { number, shared };
      }),
    );
    const seen: boolean[] = [];
    const read = Stream.runForEach(({ number, shared: memory }: { number: number; shared: Int32Array }) =>
      Effect.gen(function* () {
        yield* settle;
        seen.push(memory[0] === number);
      }),
    );
    await run(
      Effect.gen(function* () {
        const copies = yield* fanOut(source, 2);
        yield* Effect.all(copies.map(read), { concurrency: "unbounded" });
      }),
    );
    expect(seen).toEqual(Array.from({ length: 40 }, () => true));
  });

  it("goes on for the others when a reader ends early", async () => {
    const { state, stream } = counted(30);
    const [few, all] = await run(
      Effect.gen(function* () {
        const [one, two] = yield* fanOut(stream, 2);
        return yield* Effect.all([Stream.runCollect(Stream.take(one!, 3)), Stream.runCollect(two!)], {
          concurrency: "unbounded",
        });
      }),
    );
    expect(few).toEqual([0, 1, 2]);
    expect(all).toHaveLength(30);
    expect(state.pulled).toBe(30);
  });

  it("goes on for the others when a reader fails or is interrupted", async () => {
    const { stream } = counted(30);
    const [failed, interrupted, all] = await run(
      Effect.gen(function* () {
        const [one, two, three] = yield* fanOut(stream, 3);
        const bad = yield* Effect.forkChild(
          Effect.exit(Stream.runForEach(one!, (item) => (item === 4 ? Effect.fail("no more") : Effect.void))),
        );
        const reached = yield* Deferred.make<void>();
        const stopped = yield* Effect.forkChild(
          Stream.runForEach(two!, (item) =>
            item === 7 ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never) : Effect.void,
          ),
        );
        const rest = yield* Effect.forkChild(Stream.runCollect(three!));
        yield* Deferred.await(reached);
        yield* Fiber.interrupt(stopped);
        return [yield* Fiber.join(bad), yield* Fiber.await(stopped), yield* Fiber.join(rest)] as const;
      }),
    );
    expect(failed).toEqual(Exit.fail("no more"));
    expect(Exit.isFailure(interrupted) && Cause.hasInterrupts(interrupted.cause)).toBe(true);
    expect(all).toHaveLength(30);
  });

  it("hands the source's failure to every reader, after the items before it", async () => {
    const source = Stream.concat(Stream.make(1, 2), Stream.fail("broken"));
    const ends = await run(
      Effect.gen(function* () {
        const copies = yield* fanOut(source, 3);
        return yield* Effect.all(
          copies.map((copy) => {
            const seen: number[] = [];
            const reading = Stream.runForEach(copy, (item) => Effect.sync(() => void seen.push(item)));
            return Effect.map(Effect.exit(reading), (exit) => ({ seen, exit }));
          }),
          { concurrency: "unbounded" },
        );
      }),
    );
    for (const { seen, exit } of ends) {
      expect(seen).toEqual([1, 2]);
      expect(exit).toEqual(Exit.fail("broken"));
    }
  });

  it("releases its source when the scope ends, read to its end or not", async () => {
    const whole = counted(3);
    await run(Effect.flatMap(fanOut(whole.stream, 1), ([copy]) => Stream.runDrain(copy!)));
    expect(whole.state.released).toBe(true);
    const cut = counted(1000);
    await run(
      Effect.gen(function* () {
        const copies = yield* fanOut(cut.stream, 2);
        const fibers = yield* Effect.forEach(copies, (copy) =>
          Effect.forkChild(Stream.runForEach(copy, (item) => (item === 5 ? Effect.never : Effect.void))),
        );
        yield* settle;
        expect(cut.state.released).toBe(false);
        yield* Fiber.interruptAll(fibers);
      }),
    );
    expect(cut.state.released).toBe(true);
    expect(cut.state.pulled).toBe(6);
  });
});

describe("readByAll", () => {
  it("gives each reader all items when it asks, and reads the source once", async () => {
    const { state, stream } = counted(3);
    await run(
      Effect.gen(function* () {
        const copies = yield* readByAll(stream, 3);
        yield* settle;
        expect(state.pulled).toBe(0);
        expect(yield* Stream.runCollect(copies[1]!)).toEqual([0, 1, 2]);
        expect(yield* Stream.runCollect(Stream.take(copies[0]!, 1))).toEqual([0]);
        expect(yield* Stream.runCollect(copies[2]!)).toEqual([0, 1, 2]);
        expect(state).toEqual({ pulled: 3, released: true });
      }),
    );
  });

  it("goes on reading for the others when the first reader is interrupted, and fails them all with the source", async () => {
    const gate = Deferred.makeUnsafe<number, string>();
    await run(
      Effect.gen(function* () {
        const [first, second] = yield* readByAll(Stream.fromEffect(Deferred.await(gate)), 2);
        const fiber = yield* Effect.forkChild(Stream.runCollect(first!));
        yield* settle;
        yield* Fiber.interrupt(fiber);
        yield* Deferred.fail(gate, "broken");
        const exit = yield* Effect.exit(Stream.runCollect(second!));
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe("broken");
      }),
    );
  });
});
