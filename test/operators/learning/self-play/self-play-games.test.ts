import { Effect, Fiber, Latch, Stream } from "effect";
import { describe, expect, it } from "vitest";
import { encodeGameRecord } from "../../../../src/formats/game-records.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import type { StageEnv } from "../../../../src/operators/operator.ts";
import type { GameReport } from "../../../../src/operators/play/game-task.ts";
import { RunFiles } from "../../../../src/operators/run/run-files.ts";
import { StageActivity } from "../../../../src/operators/run/stage-activity.ts";
import { StageClock } from "../../../../src/operators/run/stage-clock.ts";
import { StopSignal } from "../../../../src/operators/run/stop-signal.ts";
import { selfPlay } from "../../../../src/operators/self-play.ts";
import { WeightsBoard } from "../../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { keepsNothing } from "../training/keeps-nothing.ts";

const GENERATION = 6;
const IN_FLIGHT = 2;

const experiment = (schedule: string) => `
name: generations
seed: 4
schedule: ${schedule}
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: mlp, hidden: [4] } }
agents: { learner: { use: greedy, net: zero } }
graph:
  games: { use: self-play, agent: learner, games: 24, generation: ${GENERATION}, inFlight: ${IN_FLIGHT}, examples: { use: td } }
`;

/** A report of a game that was over at once. */
const report = (index: number, generation: number): GameReport => ({
  record: encodeGameRecord({
    game: index,
    generation,
    seats: ["learner", "learner"],
    actions: [],
    values: new Float64Array(0),
    returns: [0.5, 0.5],
    facts: {},
  }),
  samples: new Uint8Array(0),
  returns: [0.5, 0.5],
  plies: 0,
  facts: {},
  startValue: 0,
  evaluations: 0,
  forecasts: new Float32Array(0),
});

const weights = { kind: "network", tensors: new Map<string, Float32Array>() } as const;
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
});

/** A self-play stage whose games are over as soon as they begin, and a reader that reads as many as it is allowed. */
const openStage = (schedule: string) =>
  Effect.gen(function* () {
    const folder = scratchFolder();
    const { opened, stages } = checkGraph(readExperiment(writeExperiment(folder, experiment(schedule))));
    /** The version of the weights of each game that has begun. */
    const versions: number[] = [];
    const board = new WeightsBoard({ load: () => Effect.void, drop: () => undefined }, keepsNothing());
    const play: StageEnv["play"] = ({ index, generation }, _retries, versionOf) =>
      Effect.sync(() => {
        versions[index] = versionOf!("zero");
        return report(index, generation);
      });
    const env: StageEnv = {
      stage: "games",
      opened,
      offered: () => undefined,
      emit: () => undefined,
      starts: new Map(),
      files: new RunFiles(folder),
      stop: new StopSignal(),
      activity: new StageActivity(),
      play,
      board,
      clock: new StageClock("games", { readers: 1, mostGames: IN_FLIGHT }),
      addFlowSource: () => undefined,
    };
    const { config, view } = stages[0]!;
    const settings = config as unknown as Parameters<typeof selfPlay.build>[0];
    const stream = yield* selfPlay.build(settings, {}, env);
    let allowed = 0;
    const more = Latch.makeUnsafe(false);
    const read: number[] = [];
    const reading = yield* Effect.forkChild(
      Stream.runForEach(stream, ({ index }) =>
        Effect.gen(function* () {
          while (read.length >= allowed) {
            more.closeUnsafe();
            yield* more.await;
          }
          read.push(index);
        }),
      ),
    );
    const readUpTo = (count: number) =>
      Effect.andThen(
        Effect.sync(() => {
          allowed = count;
          more.openUnsafe();
        }),
        settle,
      );
    return { board, bounds: selfPlay.bounds(settings, view), read, reading, readUpTo, versions };
  });

describe("generations and versions of the weights", () => {
  it("are the same number with a synchronous schedule: no game of a generation begins before its version is there", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { board, reading, readUpTo, versions } = yield* openStage("synchronous");
          yield* board.publish("zero", 0, weights);
          yield* readUpTo(24);
          expect(versions).toEqual(Array(GENERATION).fill(0));
          for (const version of [1, 2]) yield* board.publish("zero", version, weights);
          yield* settle;
          expect(versions).toEqual(Array.from({ length: 18 }, (_, index) => Math.floor(index / GENERATION)));
          yield* board.publish("zero", 3, weights);
          yield* Fiber.join(reading);
        }),
      ),
    );
  });

  it("overlap: a generation is played with the version before its own while its reader learns from the one before", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { board, bounds, read, reading, readUpTo, versions } = yield* openStage("overlapped");
          expect(bounds[1]).toBe(
            `at most ${GENERATION} finished games wait while the generation before is learned from`,
          );
          yield* board.publish("zero", 0, weights);
          yield* settle;
          // One game is in the reader's hand, a generation waits, and the games under way and those in between.
          expect(versions.length).toBeGreaterThanOrEqual(1 + GENERATION);
          expect(versions.length).toBeLessThanOrEqual(1 + GENERATION + 2 * IN_FLIGHT);
          // Its reader has the whole first generation and learns: the next generation is played, and waits.
          yield* readUpTo(GENERATION);
          expect(versions).toEqual(Array(2 * GENERATION).fill(0));
          yield* board.publish("zero", 1, weights);
          yield* settle;
          expect(versions.slice(2 * GENERATION).every((version) => version === 1)).toBe(true);
          expect(versions.length).toBeLessThanOrEqual(2 * GENERATION + 1 + 2 * IN_FLIGHT);
          yield* readUpTo(2 * GENERATION);
          expect(versions).toEqual([
            ...Array<number>(2 * GENERATION).fill(0),
            ...Array<number>(GENERATION).fill(1),
          ]);
          yield* board.publish("zero", 2, weights);
          yield* readUpTo(24);
          yield* Fiber.join(reading);
          expect(versions.slice(3 * GENERATION)).toEqual(Array(GENERATION).fill(2));
          expect(read).toEqual(Array.from({ length: 24 }, (_, index) => index));
        }),
      ),
    );
  });
});
