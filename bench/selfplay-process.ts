/**
 * Self-play in a process of its own, for `bench selfplay`: the first message starts it; when all games are under way it says
 * how many these are. To each further message it answers with the rate of the next milliseconds.
 */
import { once } from "node:events";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { initialWeights } from "../src/models/net.ts";
import { type Experiment, networkOf, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { openLocalThreads } from "../src/operators/play/local-threads.ts";
import { workerThreads } from "../src/operators/run/parallelism.ts";
import { Random } from "../src/random.ts";
import { processorMs } from "./in-turn.ts";

/** What the process is asked: first to start, then to measure. */
export type SelfPlayTask =
  | { readonly experiment: Experiment; readonly net: string }
  | { readonly milliseconds: number };

/** Rows computed a second. */
export interface Rate {
  readonly perSecond: number;
  /** By the processor time of all threads together. */
  readonly perProcessorSecond: number;
}

/** Rows computed before it is ready: by then all games are under way, and Node has compiled what is hot. */
const WARM_UP = 20_000;
/** Games begin after 0, 1, ... plies at random, so that all parts of a game occur. */
const PLIES = 64;

process.once("disconnect", () => process.exit());

const nextTask = Effect.promise(async () => ((await once(process, "message")) as [SelfPlayTask])[0]);

/** Rows counted in so many milliseconds, per second. */
const measured = (count: () => number, milliseconds: number) =>
  Effect.gen(function* () {
    const [begun, wall, processor] = [count(), performance.now(), processorMs()];
    yield* Effect.sleep(milliseconds);
    const done = count() - begun;
    return {
      perSecond: (1000 * done) / (performance.now() - wall),
      perProcessorSecond: (1000 * done) / (processorMs() - processor),
    } satisfies Rate;
  });

const playing = Effect.gen(function* () {
  const task = yield* nextTask;
  if (!("experiment" in task)) throw new Error("the first message has to be an experiment");
  const { experiment, net: name } = task;
  const opened = openExperiment(experiment);
  const { net } = networkOf(opened, name);
  const weights = { kind: "network", tensors: initialWeights(net, Random.named("bench")) } as const;
  const host = yield* openLocalThreads(opened, {
    warn: () => {},
    weightsOf: () => Effect.succeed(weights),
  });
  const { perWorker } = yield* host.measure;
  yield* host.start(experiment);
  yield* host.load(name, 0, weights);
  const seats = Array.from({ length: opened.game.players }, () => "learner");
  const games = Stream.range(0, 1_000_000).pipe(
    Stream.mapEffect(
      (index) =>
        host.play(
          {
            stage: "games",
            name: ["bench", index],
            index,
            generation: 0,
            seats,
            versions: seats.map(() => ({ net: 0 })),
            opening: { plies: (7 * index) % PLIES, name: ["bench", index, "opening"] },
          },
          0,
        ),
      { concurrency: perWorker * workerThreads(experiment), unordered: true },
    ),
    Stream.runDrain,
  );
  const warm: Effect.Effect<void> = Effect.suspend(() =>
    host.computed() >= WARM_UP ? Effect.void : Effect.andThen(Effect.sleep(50), warm),
  );
  const answering = Effect.gen(function* () {
    yield* warm;
    process.send!({ perWorker });
    for (;;) {
      const next = yield* nextTask;
      if ("milliseconds" in next) process.send!(yield* measured(host.computed, next.milliseconds));
    }
  });
  return yield* Effect.raceFirst(answering, Effect.andThen(games, Effect.never));
});

await Effect.runPromise(Effect.scoped(playing));
