import { Deferred, Effect, Exit, Fiber } from "effect";
import { describe, expect, it } from "vitest";
import { RunFailed } from "../../../../src/operators/run/run-error.ts";
import type { PublishedWeights } from "../../../../src/operators/run/weights/net-weights.ts";
import type { NeedsVersion } from "../../../../src/operators/run/weights/version-store.ts";
import { type WeightsUser, WeightsBoard } from "../../../../src/operators/run/weights/weights-board.ts";
import { keepsNothing } from "../../learning/training/keeps-nothing.ts";
import { casesOf } from "../../../number-of-cases.ts";

const weights: PublishedWeights = { kind: "network", tensors: new Map() };
const open = (load: WeightsUser["load"] = () => Effect.void) =>
  new WeightsBoard({ load, drop: () => undefined }, keepsNothing());

describe("WeightsBoard", () => {
  it("knows no version before the first", () => {
    expect(open().version("value")).toBe(-1);
  });

  it("delivers before a version counts as reached", async () => {
    const arrived = Deferred.makeUnsafe<void>();
    const delivered: string[] = [];
    const board = open((net) =>
      Effect.andThen(
        Deferred.await(arrived),
        Effect.sync(() => void delivered.push(net)),
      ),
    );
    await Effect.runPromise(
      Effect.gen(function* () {
        const publishing = yield* Effect.forkChild(board.publish("value", 0, weights));
        const waiting = yield* Effect.forkChild(
          Effect.map(board.reached(["value"], 0), () => [...delivered]),
        );
        yield* Effect.yieldNow;
        expect(board.version("value")).toBe(-1);
        yield* Deferred.succeed(arrived, undefined);
        yield* Fiber.join(publishing);
        expect(yield* Fiber.join(waiting)).toEqual(["value"]);
      }),
    );
    expect(board.version("value")).toBe(0);
  });

  it("lets everyone go who waits, at their own version, and no one earlier", async () => {
    const board = open();
    const passed: number[] = [];
    await Effect.runPromise(
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach([3, 1, 2, 2, 0], (version) =>
          Effect.forkChild(Effect.map(board.reached(["value"], version), () => void passed.push(version))),
        );
        for (let version = 0; version <= 3; version++) {
          yield* board.publish("value", version, weights);
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
          expect(Math.max(...passed)).toBe(version);
        }
        yield* Effect.forEach(fibers, Fiber.join);
      }),
    );
    expect(passed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 2, 3]);
  });

  it("waits for all nets of an agent", async () => {
    const board = open();
    await Effect.runPromise(
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(board.reached(["one", "two"], 1));
        yield* board.publish("one", 1, weights);
        yield* board.publish("two", 0, weights);
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
        expect(waiting.pollUnsafe()).toBeUndefined();
        yield* board.publish("two", 1, weights);
        yield* Fiber.join(waiting);
        yield* board.reached([], 5);
      }),
    );
  });

  it("loses no wake-up: hundreds of waiters and more around publishers in turn", async () => {
    const board = open();
    const publisher = Effect.gen(function* () {
      for (let version = 0; version < 200; version++) {
        yield* board.publish("value", version, weights);
        if (version % 3 === 0) yield* Effect.yieldNow;
      }
    });
    const waiters = Array.from({ length: casesOf(2000) }, (_, i) =>
      Effect.andThen(i % 2 === 0 ? Effect.yieldNow : Effect.void, board.reached(["value"], (i * 7) % 200)),
    );
    await Effect.runPromise(Effect.all([...waiters, publisher], { concurrency: "unbounded", discard: true }));
    expect(board.version("value")).toBe(199);
  });

  it("forgets a waiter that was interrupted, and goes on for the others", async () => {
    const board = open();
    await Effect.runPromise(
      Effect.gen(function* () {
        const gone = yield* Effect.forkChild(board.reached(["value"], 0));
        const stays = yield* Effect.forkChild(board.reached(["value"], 0));
        yield* Effect.yieldNow;
        yield* Fiber.interrupt(gone);
        yield* board.publish("value", 0, weights);
        yield* Fiber.join(stays);
      }),
    );
  });

  it("has settled when every net has its final weights, in whatever order they come", async () => {
    const board = open();
    const seen: string[] = [];
    await Effect.runPromise(
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(
          Effect.andThen(
            board.settled(["one", "two"]),
            Effect.sync(() => void seen.push("settled")),
          ),
        );
        yield* board.publish("two", 0, weights, "final");
        yield* board.publish("one", 0, weights);
        yield* Effect.yieldNow;
        yield* Effect.sync(() => void seen.push("last"));
        yield* board.publish("one", 1, weights, "final");
        yield* Fiber.join(waiting);
      }),
    );
    expect(seen).toEqual(["last", "settled"]);
  });

  it("does not count weights that could not be put to use", async () => {
    const failure = new RunFailed({ stage: "evaluator of value", reason: "no room" });
    const board = open(() => Effect.fail(failure));
    expect(await Effect.runPromiseExit(board.publish("value", 0, weights))).toEqual(Exit.fail(failure));
    expect(board.version("value")).toBe(-1);
  });

  it("lets a learner be as far ahead of stages that still play as they allow", async () => {
    const board = open();
    const [one, other] = [board.reader(["value"], 1), board.reader(["value", "policy"], 2)];
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* board.publish("value", 0, weights);
        yield* board.publish("value", 1, weights);
        const publishing = yield* Effect.forkChild(board.publish("value", 2, weights));
        const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
        yield* settle;
        other.needs(1);
        yield* settle;
        expect(board.version("value")).toBe(1);
        one.needs(1);
        yield* Fiber.join(publishing);
        expect(board.version("value")).toBe(2);
        const next = yield* Effect.forkChild(board.publish("value", 3, weights));
        one.needs(2);
        yield* Fiber.join(next);
        // A stage that has ended holds nothing back, and one that reads another net never did.
        one.needs(Infinity);
        other.needs(Infinity);
        yield* board.publish("value", 9, weights);
        yield* board.publish("other", 3, weights);
      }),
    );
    expect([board.version("value"), board.version("other")]).toEqual([9, 3]);
  });

  it("does not let a learner be ahead of a stage that allows none", async () => {
    const board = open();
    const reader = board.reader(["value"]);
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* board.publish("value", 0, weights);
        const publishing = yield* Effect.forkChild(board.publish("value", 1, weights));
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
        expect(board.version("value")).toBe(0);
        reader.needs(1);
        yield* Fiber.join(publishing);
      }),
    );
  });

  it("counts the final version as every later one", async () => {
    const board = open();
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* board.publish("value", 0, weights, "final");
        yield* board.reached(["value"], 7);
        yield* board.publish("policy", 2, weights);
      }),
    );
    expect([board.atMostFinal("value", 7), board.atMostFinal("policy", 7)]).toEqual([0, 7]);
  });

  it("begins with any version, also where a stage has games of an earlier one to play", async () => {
    const board = open();
    board.reader(["value"]).needs(2);
    await Effect.runPromise(board.publish("value", 5, weights));
    expect([board.version("value"), board.has("value", 5), board.has("value", 2)]).toEqual([5, true, false]);
  });
});

describe("versions in memory", () => {
  const tensors = (version: number): PublishedWeights => ({
    kind: "network",
    tensors: new Map([["w", Float32Array.of(version)]]),
  });

  it("are the newest, those that a stage has not passed, and those of games under way; others are dropped", async () => {
    const dropped: number[] = [];
    const board = new WeightsBoard(
      {
        load: () => Effect.void,
        drop: (_, version) => void dropped.push(version),
      },
      keepsNothing(),
    );
    const held = () => [0, 1, 2, 3, 4].filter((version) => board.has("value", version));
    await Effect.runPromise(
      Effect.gen(function* () {
        const reader = board.reader(["value"], 1);
        yield* board.publish("value", 0, tensors(0));
        const [first, second] = [
          yield* board.hold([{ net: "value", version: 0 }]),
          yield* board.hold([{ net: "value", version: 0 }]),
        ];
        yield* board.publish("value", 1, tensors(1));
        expect(held()).toEqual([0, 1]);
        reader.needs(1);
        expect(held()).toEqual([0, 1]);
        yield* board.publish("value", 2, tensors(2));
        first();
        expect(held()).toEqual([0, 1, 2]);
        expect(yield* board.weightsOf("value", 0)).toEqual(tensors(0));
        second();
        expect(held()).toEqual([1, 2]);
        reader.needs(Infinity);
        expect(held()).toEqual([2]);
        expect(dropped).toEqual([0, 1]);
        const gone = yield* Effect.flip(board.hold([{ net: "value", version: 1 }]));
        expect(gone.message).toContain("version 1 of its weights is not held any more (the newest is 2)");
      }),
    );
  });

  it("come back from where stages have them kept, and are never dropped at the evaluators", async () => {
    const disk = new Map<number, PublishedWeights>();
    const dropped: number[] = [];
    const order: string[] = [];
    let needed: NeedsVersion = () => false;
    const kept = keepsNothing({
      keep: (_, needs) => void (needed = needs),
      put: (_, version, each) => {
        order.push(`put ${version}`);
        if (needed(version, version)) disk.set(version, each);
      },
      has: (_, version) => disk.has(version),
      read: (_, version) => disk.get(version)!,
    });
    const board = new WeightsBoard(
      {
        load: (_, version) => Effect.sync(() => void order.push(`load ${version}`)),
        drop: (_, version) => void dropped.push(version),
      },
      kept,
    );
    board.keep("value", (version) => version % 2 === 0);
    await Effect.runPromise(
      Effect.gen(function* () {
        for (let version = 0; version < 4; version++)
          yield* board.publish("value", version, tensors(version));
        expect(dropped).toEqual([1]);
        expect([0, 1, 2, 3].map((version) => board.has("value", version))).toEqual([true, false, true, true]);
        const release = yield* board.hold([{ net: "value", version: 0 }]);
        const first = yield* board.weightsOf("value", 0);
        expect(first).toEqual(tensors(0));
        disk.clear();
        // Games that are played with it share its memory.
        expect(yield* board.weightsOf("value", 0)).toBe(first);
        release();
        expect(board.has("value", 0)).toBe(false);
      }),
    );
    expect(order.slice(0, 4)).toEqual(["put 0", "load 0", "put 1", "load 1"]);
  });

  it("are dropped at the evaluators once they are removed from disk, but for those that are held", async () => {
    const disk = new Set<number>();
    const dropped: number[] = [];
    const kept = keepsNothing({
      put: (_, version) => void disk.add(version),
      has: (_, version) => disk.has(version),
      saved: (_, from, inUse) => {
        const removed = [...disk].filter((version) => version <= from && inUse?.(version) !== true);
        for (const version of removed) disk.delete(version);
        return removed;
      },
    });
    const drop = (_: string, version: number) => void dropped.push(version);
    const board = new WeightsBoard({ load: () => Effect.void, drop }, kept);
    await Effect.runPromise(
      Effect.gen(function* () {
        for (let version = 0; version < 4; version++)
          yield* board.publish("value", version, tensors(version));
        expect(dropped).toEqual([]);
        const release = yield* board.hold([{ net: "value", version: 1 }]);
        board.saved("value", 3);
        // Version 3 is the newest; games are played with version 1.
        expect(dropped).toEqual([0, 2]);
        release();
        board.saved("value", 3);
        expect(dropped).toEqual([0, 2, 1]);
      }),
    );
  });
});
