import { moduleBeside } from "../../../module-beside.ts";
import * as Effect from "effect/Effect";
import type { TrainingBatch } from "../../../models/nets/training.ts";
import { END } from "../../../workers/serve.ts";
import { Requests } from "../../../workers/requests.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import type { StageEnv } from "../../operator.ts";
import { BusyThreads } from "../../run/busy-threads.ts";
import type { Tensors } from "../../run/items.ts";
import { RunFailed } from "../../run/run-error.ts";
import { emitFigures } from "../../run/weights/emit-figures.ts";
import { emitInt8Error } from "../../run/weights/int8-figures.ts";
import { weightsOf } from "../../run/weights/named-tensors.ts";
import type { LearningSteps } from "./learning-steps.ts";
import { type Schedule, scheduled } from "../../../schedule.ts";
import type { FromTrainer, ToTrainer, TrainerData } from "./trainer-worker.ts";

/** Maximum number of optimiser steps in a request. An interruption waits for the end of the request. */
const STEPS_AT_ONCE = 8;

/** Maximum size of the minibatches of a request in bytes, unless one has more. The next ones are drawn meanwhile. */
const BYTES_AT_ONCE = 128 << 20;

/** Maximum number of minibatches in memory. */
export const MOST_BATCHES = 2 * STEPS_AT_ONCE;

/** The number of minibatches of a size in bytes that a request holds at most. */
export function batchesAtOnce(bytes: number): number {
  return Math.max(1, Math.min(STEPS_AT_ONCE, Math.floor(BYTES_AT_ONCE / bytes)));
}

/** Draws the minibatches that a net learns from. */
export interface BatchDraws<R> {
  /** Size of a minibatch in bytes. */
  readonly bytes: number;
  /** Lays out the minibatch of a step (counted from 0) in slot `slot`, which overwrites the one before in that slot. */
  draw(from: R, step: number, slot: number): TrainingBatch;
}

/** The settings of the thread that trains a net. */
export type NetTraining = Pick<TrainerData, "net" | "batch" | "optimiser" | "loss" | "averaging"> & {
  /** Learning rate by step. */
  readonly rate: Schedule;
};

/**
 * Opens a thread that trains a net by minibatches, which are drawn on this thread while that one computes. The thread ends
 * with the scope.
 */
export const openNetSteps = <R>(settings: NetTraining, draws: BatchDraws<R>, env: StageEnv, start: Tensors) =>
  Effect.gen(function* () {
    const { experiment } = env.opened;
    const { averaging, batch, loss, net, optimiser, rate } = settings;
    const data: TrainerData = {
      experiment,
      net,
      compute: experiment.compute,
      batch,
      optimiser,
      loss,
      averaging,
      start,
    };
    const thread = yield* spawnWorker<never, never>({
      name: `trainer ${env.stage}`,
      module: moduleBeside("trainer-worker", import.meta.url),
      data,
      device: experiment.compute.device,
      dismiss: (worker) => worker.postMessage(END),
    });
    return new NetSteps(rate, draws, env, new Requests<ToTrainer, FromTrainer>(thread));
  });

class NetSteps<R> implements LearningSteps<R> {
  readonly #rate: Schedule;
  readonly #draws: BatchDraws<R>;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToTrainer, FromTrainer>;
  readonly #thread: BusyThreads;
  /** The minibatches of the next steps, drawn ahead; they are in one half of the slots. */
  #drawn: readonly TrainingBatch[] = [];
  #half = 0;
  /** Number of steps taken, once there is one. */
  #learned = 0;

  constructor(
    rate: Schedule,
    draws: BatchDraws<R>,
    env: StageEnv,
    requests: Requests<ToTrainer, FromTrainer>,
  ) {
    this.#rate = rate;
    this.#draws = draws;
    this.#env = env;
    this.#requests = requests;
    this.#thread = new BusyThreads(env.stage, 1);
    env.addFlowSource((seconds) => this.#thread.flow(seconds));
  }

  take(from: R, step: number, end: number) {
    return Effect.gen({ self: this }, function* () {
      if (this.#drawn.length === 0) this.#draw(from, step, end);
      const batches = this.#drawn;
      const rates = Float32Array.from(batches, (_, i) => scheduled(this.#rate, step + i + 1));
      // The next batches are drawn while the thread computes these.
      const [reply] = yield* this.#env.activity.during(
        Effect.all(
          [
            this.#submit({ type: "steps", batches, rates }),
            Effect.sync(() => this.#draw(from, step + batches.length, end)),
          ],
          { concurrency: 2 },
        ),
      );
      if (reply.type !== "steps") throw new Error("the trainer responded to another request");
      this.#learned = step + batches.length;
      return { count: batches.length, losses: reply.losses, rate: rates.at(-1)! };
    });
  }

  state(whole: boolean) {
    return Effect.map(this.#submit({ type: "state", compare: whole ? "version" : "partial" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer responded to another request");
      emitFigures(this.#env, this.#learned, reply.figures ?? {});
      if (reply.int8Error !== undefined) emitInt8Error(this.#env, this.#learned, reply.int8Error);
      return reply.tensors;
    });
  }

  published(state: Tensors) {
    return { kind: "network", tensors: weightsOf(state) } as const;
  }

  /** Draws the batches of the steps from `first` on, into the half of the slots that is not in use; none beyond `end`. */
  #draw(from: R, first: number, end: number): void {
    const most = batchesAtOnce(this.#draws.bytes);
    this.#half = 1 - this.#half;
    // The first two steps of the run are drawn one by one, so that the time of a step is known soon: it can take seconds.
    const count = first < 2 ? Math.min(1, end - first) : Math.min(most, end - first);
    this.#drawn = Array.from({ length: count }, (_, i) =>
      this.#draws.draw(from, first + i, this.#half * most + i),
    );
  }

  #submit(request: ToTrainer) {
    return this.#thread.request(
      this.#requests.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
      }),
    );
  }
}
