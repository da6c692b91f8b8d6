import { Deferred, Effect, Fiber, Stream } from "effect";
import { describe, expect, it } from "vitest";
import type { PublishedWeights } from "../../../../src/operators/run/weights/net-weights.ts";
import { type Round, rounds } from "../../../../src/operators/measuring/match/rounds.ts";
import type { StageEnv } from "../../../../src/operators/operator.ts";
import type { MatchRound, WeightsVersion } from "../../../../src/operators/run/items.ts";
import { StageActivity } from "../../../../src/operators/run/stage-activity.ts";
import { StageClock } from "../../../../src/operators/run/stage-clock.ts";
import { StopSignal } from "../../../../src/operators/run/stop-signal.ts";
import {
  type MeasuringRound,
  RoundsUnderWay,
} from "../../../../src/operators/run/weights/rounds-under-way.ts";
import { WeightsBoard } from "../../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { keepsNothing } from "../../learning/training/keeps-nothing.ts";

const tensors = (version: number): PublishedWeights => ({
  kind: "network",
  tensors: new Map([["w", Float32Array.of(version)]]),
});
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
});

/** A learner of `last` versions, and a stage that measures every `every`th; its rounds end when the test says so. */
function open({
  every,
  last,
  first = 0,
  left,
}: {
  every: number;
  last: number;
  first?: number;
  left?: MeasuringRound;
}) {
  /** On disk, by version. */
  const disk = new Map<number, PublishedWeights>();
  const folder = scratchFolder();
  if (left !== undefined) {
    disk.set(left.version, tensors(left.version));
    const noted = new RoundsUnderWay(folder);
    noted.add("zero", left);
    noted.save("zero", first);
  }
  const store = () =>
    keepsNothing({
      write: (_net, version, weights) => void disk.set(version, weights),
      has: (_net, version) => disk.has(version),
      read: (_net, version) => disk.get(version)!,
      saved: (_net, from, isUsed) => {
        const removed = [...disk.keys()].filter((version) => version <= from && !isUsed!(version));
        for (const version of removed) disk.delete(version);
        return removed;
      },
      rounds: new RoundsUnderWay(folder),
    });
  const board = new WeightsBoard({ load: () => Effect.void, drop: () => undefined }, store());
  const stop = new StopSignal();
  /** The versions that were learned. */
  const learned: number[] = [];
  const begun: (Round & { weights: number })[] = [];
  const ends = new Map<number, Deferred.Deferred<void>>();
  const endOf = (number: number) => {
    const end = ends.get(number) ?? Deferred.makeUnsafe<void>();
    ends.set(number, end);
    return end;
  };
  const after = Stream.range(first, last).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((version) => {
      const state = version === last ? "final" : "whole";
      learned.push(version);
      return Effect.as(board.publish("zero", version, tensors(version), state), {
        net: "zero",
        version,
        trainings: version,
        learned: 10 * version,
        unit: "steps",
        state,
        snapshot: Effect.succeed(new Map()),
        progress: {},
        saved: () => undefined,
      } satisfies WeightsVersion);
    }),
  );
  const env = {
    activity: new StageActivity(),
    board,
    clock: new StageClock("curve", { readers: 0, mostGames: 1 }),
    files: { sync: () => undefined },
    offered: () => ({ net: "zero" }),
    stage: "curve",
    stop,
  } as unknown as StageEnv;
  const measured = rounds(after, every, env, ["zero"], (round) =>
    Effect.gen(function* () {
      const weights = yield* board.weightsOf("zero", round.versionOf("zero"));
      begun.push({ ...round, weights: weights.kind === "network" ? weights.tensors.get("w")![0]! : NaN });
      yield* Deferred.await(endOf(round.number));
      // Still the weights of the round, whatever was learned meanwhile.
      expect(yield* board.weightsOf("zero", round.versionOf("zero"))).toEqual(tensors(round.version));
      return { learned: round.learned, means: {} } satisfies MatchRound;
    }),
  );
  const end = (number: number) => Deferred.succeed(endOf(number), undefined);
  return { begun, board, disk, end, learned, measured, stop, store };
}

describe("rounds of measuring", () => {
  it("hold their versions while learning goes on until the next round is due", async () => {
    const { begun, end, learned, measured } = open({ every: 3, last: 7 });
    await Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(Stream.runCollect(measured));
        yield* settle;
        expect(learned).toEqual([0, 1, 2, 3]);
        expect(begun.map(({ number, weights }) => [number, weights])).toEqual([[0, 0]]);
        yield* end(0);
        yield* settle;
        expect(learned).toEqual([0, 1, 2, 3, 4, 5, 6]);
        yield* end(1);
        yield* settle;
        expect(learned).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        yield* end(2);
        yield* end(3);
        expect((yield* Fiber.join(running)).map((round) => round.learned)).toEqual([0, 30, 60, 70]);
        expect(begun.map(({ number, weights }) => [number, weights])).toEqual([
          [0, 0],
          [1, 3],
          [2, 6],
          [3, 7],
        ]);
      }),
    );
  });

  it("that a checkpoint leaves behind are played first by the part of the run that resumes from it", async () => {
    const { begun, board, disk, end, learned, measured, stop, store } = open({ every: 3, last: 9 });
    await Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(Stream.runCollect(measured));
        yield* end(0);
        yield* settle;
        // Round 1 has version 3, and learning has come to version 6.
        expect([begun.at(-1)!.version, learned.at(-1)]).toEqual([3, 6]);
        board.saving("zero", 5);
        board.saved("zero", 5);
        expect([...disk]).toEqual([[3, tensors(3)]]);
        stop.request();
        yield* Fiber.join(running);
      }),
    );
    const { rounds: left } = store();
    expect(left.behind("zero", 5)).toEqual([
      { stage: "curve", number: 1, version: 3, learned: 30, unit: "steps" },
    ]);
  });

  it("leave nothing on disk once they are over", async () => {
    const { board, disk, end, measured, store } = open({ every: 3, last: 6 });
    await Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(Stream.runCollect(measured));
        yield* settle;
        board.saving("zero", 2);
        board.saved("zero", 2);
        expect(disk.size).toBe(1);
        yield* end(0);
        yield* settle;
        expect(disk.size).toBe(0);
        expect(store().rounds.behind("zero", 5)).toEqual([]);
        yield* end(1);
        yield* end(2);
        yield* Fiber.join(running);
      }),
    );
  });

  it("of an earlier part of the run come first, with their weights from disk", async () => {
    const left = { stage: "curve", number: 1, version: 3, learned: 30, unit: "steps" } as const;
    const { begun, board, disk, end, measured } = open({ every: 3, last: 7, first: 5, left });
    await Effect.runPromise(
      Effect.gen(function* () {
        // The checkpoint that the part begins with keeps their versions.
        board.saved("zero", 5);
        const running = yield* Effect.forkChild(Stream.runCollect(measured));
        for (const round of [1, 2, 3]) yield* end(round);
        expect((yield* Fiber.join(running)).map((round) => round.learned)).toEqual([30, 60, 70]);
        expect(begun.map(({ number, weights }) => [number, weights])).toEqual([
          [1, 3],
          [2, 6],
          [3, 7],
        ]);
        board.saved("zero", 7);
        expect(disk.size).toBe(0);
      }),
    );
  });
});
