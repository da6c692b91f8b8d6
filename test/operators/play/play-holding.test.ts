import { Deferred, Effect, Fiber } from "effect";
import { expect, it } from "vitest";
import type { OpenExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import type { GameReport, GameTask, PlannedGame } from "../../../src/operators/play/game-task.ts";
import { playHolding } from "../../../src/operators/play/play-holding.ts";
import { WeightsBoard } from "../../../src/operators/run/weights/weights-board.ts";
import { keepsNothing } from "../learning/training/keeps-nothing.ts";

const weights = { kind: "network", tensors: new Map<string, Float32Array>() } as const;
const agents = { learner: { use: "greedy", net: "value" }, other: { use: "random" } };
const opened = { experiment: { agents } } as unknown as OpenExperiment;
const game = (...seats: string[]): PlannedGame => ({
  stage: "games",
  name: ["games", 0],
  index: 0,
  generation: 0,
  seats,
});

const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
});

/** A board with versions 0 to 2, of which 0 is kept on disk, and a host whose games last until they are told to end. */
const opening = Effect.gen(function* () {
  const dropped: number[] = [];
  const board = new WeightsBoard(
    { load: () => Effect.void, drop: (_, version) => void dropped.push(version) },
    keepsNothing({ has: (_, version) => version === 0, read: () => weights }),
  );
  for (const version of [0, 1, 2]) yield* board.publish("value", version, weights);
  const tasks: GameTask[] = [];
  const end = Deferred.makeUnsafe<GameReport>();
  const host = {
    play: (task: GameTask) =>
      Effect.suspend(() => {
        tasks.push(task);
        return Deferred.await(end);
      }),
  };
  const play = playHolding(opened, board, host, yield* Effect.scope);
  return { board, dropped, end, play, tasks };
});

it("plays with the newest weights, an earlier self with those of its version, and other versions where a stage says so", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { play, tasks } = yield* opening;
        yield* Effect.forkChild(play(game("learner", "other", "learner@0"), 0));
        yield* Effect.forkChild(play(game("learner", "learner@0"), 0, () => 2));
        yield* settle;
        expect(tasks.map(({ versions }) => versions)).toEqual([
          [{ net: 2 }, {}, { net: 0 }],
          [{ net: 2 }, { net: 0 }],
        ]);
        const gone = yield* Effect.flip(play(game("learner@1"), 0));
        expect(gone.message).toContain("version 1 of its weights is not held any more (the newest is 2)");
      }),
    ),
  ));

it("holds the weights of a game until its host has ended it, though its stage no longer waits", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { board, dropped, end, play, tasks } = yield* opening;
        const waiting = yield* Effect.forkChild(play(game("learner"), 0));
        yield* settle;
        expect(tasks).toHaveLength(1);
        yield* Fiber.interrupt(waiting);
        yield* board.publish("value", 3, weights);
        expect([board.has("value", 2), dropped]).toEqual([true, [1]]);
        yield* Deferred.succeed(end, {} as GameReport);
        yield* settle;
        expect([board.has("value", 2), dropped]).toEqual([false, [1, 2]]);
      }),
    ),
  ));
