import { Effect, Stream } from "effect";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { openGamePlayers } from "../../../src/operators/play/game-players.ts";
import type { PlayedGame } from "../../../src/operators/run/items.ts";
import type { StageEnv } from "../../../src/operators/operator.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import { selfPlay } from "../../../src/operators/self-play.ts";
import { StageActivity } from "../../../src/operators/run/stage-activity.ts";
import { StageClock } from "../../../src/operators/run/stage-clock.ts";
import { StopSignal } from "../../../src/operators/run/stop-signal.ts";
import { VersionStore } from "../../../src/operators/run/weights/version-store.ts";
import { WeightsBoard } from "../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

const WORKERS = 2;
const IN_FLIGHT = 8;
const GAMES = 400;

const experiment = (schedule: string) => `
name: slow-consumer
seed: 1
schedule: ${schedule}
workers: ${WORKERS}
game: { rules: 2048 }
agents: { mover: { use: random } }
graph:
  games: { use: self-play, agent: mover, games: ${GAMES}, generation: 100, inFlight: ${IN_FLIGHT}, examples: { use: td } }
`;

/** A self-play stage on real threads, with what it has started, and its stream. */
const openStage = (schedule: string) =>
  Effect.gen(function* () {
    const folder = scratchFolder();
    const { opened, stages } = checkGraph(readExperiment(writeExperiment(folder, experiment(schedule))));
    const pool = yield* openGamePlayers({
      experiment: opened.experiment,
      workers: WORKERS,
      evaluators: new Map(),
      onRetry: () => undefined,
    });
    const counts = { started: 0, finished: 0 };
    const play: StageEnv["play"] = (game, retries) =>
      Effect.suspend(() => {
        counts.started++;
        const versions = game.seats.map(() => ({}));
        return Effect.ensuring(
          pool.play({ task: { ...game, versions }, tables: [] }, retries),
          Effect.sync(() => void counts.finished++),
        );
      });
    const events: RunEvent[] = [];
    const env: StageEnv = {
      stage: "games",
      opened,
      offered: () => undefined,
      emit: (event) => void events.push(event),
      starts: new Map(),
      files: new RunFiles(folder),
      stop: new StopSignal(),
      activity: new StageActivity(),
      play,
      board: new WeightsBoard(
        { load: () => Effect.void, drop: () => undefined },
        new VersionStore(folder, opened),
      ),
      clock: new StageClock("games", { readers: 1, mostGames: WORKERS * IN_FLIGHT }),
      addFlowSource: () => undefined,
    };
    const { config, view } = stages[0]!;
    const settings = config as unknown as Parameters<typeof selfPlay.build>[0];
    const bound = Number(/at most (\d+) games/.exec(selfPlay.bounds(settings, view)[0]!)![1]);
    return { stream: yield* selfPlay.build(settings, {}, env), counts, bound };
  });

/** Lets everything go on that waits for nothing but its turn: messages that have come, and fibers that can run. */
const turns = Effect.promise(async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
});

/**
 * Waits until all that was started has finished and nothing follows: no game is under way then, so nothing is left that
 * time could bring about. No clock is read.
 */
const settled = (counts: { readonly started: number; readonly finished: number }) =>
  Effect.gen(function* () {
    for (let before = -1; before !== counts.started || counts.finished < counts.started;) {
      before = counts.started;
      yield* turns;
    }
  });

describe.each(["synchronous", "asynchronous"])("a %s self-play source", (schedule) => {
  it("waits for a slow reader: games started stay within its bound, memory is flat", async () => {
    const memory: number[] = [];
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { stream, counts, bound } = yield* openStage(schedule);
          expect(bound).toBe(WORKERS * IN_FLIGHT);
          yield* turns;
          expect(counts.started).toBe(0);
          let read = 0;
          const indices: number[] = [];
          yield* Stream.runForEach(stream, (game: PlayedGame) =>
            Effect.gen(function* () {
              read++;
              indices.push(game.index);
              // The bound, the game that the reader has in hand, and the one that is being handed over.
              expect(counts.started - read).toBeLessThanOrEqual(bound + 1);
              if (read % 100 !== 50) return;
              yield* settled(counts);
              expect(counts.started - read).toBeGreaterThan(bound - 3);
              expect(counts.started - read).toBeLessThanOrEqual(bound + 1);
              memory.push(process.memoryUsage().rss);
            }),
          );
          expect(read).toBe(GAMES);
          expect(indices).toEqual(Array.from({ length: GAMES }, (_, i) => i));
        }),
      ),
    );
    // From the second pause on, with 200 more games played: the first hundred games also compile code.
    expect(Math.max(...memory.slice(1)) - memory[1]!).toBeLessThan(48 << 20);
  });
});

describe("a reader that stops early", () => {
  it("ends the source: nothing more is started, and its threads end with the scope", async () => {
    const after = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { stream, counts } = yield* openStage("synchronous");
          yield* Stream.runDrain(Stream.take(stream, 5));
          const started = counts.started;
          yield* settled(counts);
          expect(counts.started).toBe(started);
          return started;
        }),
      ),
    );
    expect(after).toBeLessThanOrEqual(5 + WORKERS * IN_FLIGHT + 1);
  });
});
