import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { type LossOptions, openLoss } from "../../models/nets/loss.ts";
import { lossTargets } from "../../models/nets/loss-targets.ts";
import type { TrainingBatch } from "../../models/nets/training.ts";
import { Random } from "../../random.ts";
import type { Requests } from "../../workers/requests.ts";
import type { OpenNetwork } from "../../models/registry.ts";
import type { BatchLayout } from "../replay/batch-layout.ts";
import { BatchSampler } from "../replay/batch-sampler.ts";
import { BusyThreads } from "../run/busy-threads.ts";
import type { ReplayReady, Tensors, WeightsVersion } from "../run/items.ts";
import { weightsOf } from "./named-tensors.ts";
import type { StageEnv } from "../operator.ts";
import { networkOf } from "../experiment/open-experiment.ts";
import { type RunError, RunFailed } from "../run/run-error.ts";
import { type Schedule, scheduled } from "./schedule.ts";
import type { StartingPoint } from "./net-weights.ts";
import type { FromTrainer, ToTrainer } from "./trainer-worker.ts";

/** Maximum number of optimiser steps in a request. An interruption waits for the end of the request. */
const STEPS_AT_ONCE = 8;

/** Maximum size of the minibatches of a request in bytes, unless one has more. The next ones are drawn meanwhile. */
const BYTES_AT_ONCE = 128 << 20;

/** Maximum number of minibatches in memory. */
export const MOST_BATCHES = 2 * STEPS_AT_ONCE;

/** How a net is trained. */
export interface NetTraining {
  /** Its name in the experiment. */
  readonly net: string;
  /** Number of positions in a minibatch. */
  readonly batch: number;
  /** Number of optimiser steps for each generation of games. */
  readonly steps: number;
  /** Learning rate by step. */
  readonly rate: Schedule;
  readonly loss: LossOptions;
  /** Whether each position is drawn with a random symmetry of the board. */
  readonly symmetries: boolean;
}

/** The layout of the minibatches for a net that is trained so. */
export function batchLayout(
  { batch, loss: options, symmetries }: Pick<NetTraining, "batch" | "loss" | "symmetries">,
  { net, planes }: OpenNetwork,
): BatchLayout<unknown> {
  const loss = openLoss(options);
  const { logitOf } = net;
  const policy = { legalOnly: loss.legalOnly, ...(logitOf === undefined ? {} : { logitOf }) };
  return { planes, batch, ...(loss.policy ? { policy } : {}), auxiliary: lossTargets(net, loss), symmetries };
}

/** The number of minibatches of a size in bytes that a request holds at most. */
export function batchesAtOnce(bytes: number): number {
  return Math.max(1, Math.min(STEPS_AT_ONCE, Math.floor(BYTES_AT_ONCE / bytes)));
}

/**
 * Trains a net on a thread of its own: draws minibatches, requests the steps, emits the losses, and makes versions of the
 * weights.
 *
 * Minibatch n is a function of the seed, the stage, n and the buffer that it is drawn from. So results depend neither on
 * how steps are grouped into requests nor on resumptions of the run.
 */
export class NetLearner {
  readonly #settings: NetTraining;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToTrainer, FromTrainer>;
  readonly #thread: BusyThreads;
  readonly #sampler: BatchSampler<unknown>;
  /** Number of optimiser steps done. */
  step: number;
  /** The state after `#stateStep` steps. */
  #state: Tensors;
  #stateStep: number;
  /** Number of generations learned from, or skipped while the buffer was being filled. */
  #generations: number;
  /** Whether nothing is left to learn: no version follows. */
  #final: boolean;
  /** The buffer that was last drawn from; before the first draw, the first buffer received. */
  #drawn: ReplayReady | undefined;

  /** `trainings` is the number of generations that the whole run learns from; undefined where it is not known. */
  constructor(
    settings: NetTraining,
    env: StageEnv,
    requests: Requests<ToTrainer, FromTrainer>,
    start: StartingPoint,
    trainings: number | undefined,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#requests = requests;
    this.#thread = new BusyThreads(env.stage, 1);
    env.tellFlow((seconds) => this.#thread.flow(seconds));
    this.#state = start.tensors;
    this.step = this.#stateStep = start.progress["steps"] ?? 0;
    // A run can be killed after its last version, while stages still play with it.
    this.#final = trainings !== undefined && this.step >= trainings * settings.steps;
    // Checkpoints of earlier versions lack this counter: every generation had its steps then.
    this.#generations = start.progress["generations"] ?? Math.floor(this.step / settings.steps);
    env.activity.waits("the first generation of games");
    this.#sampler = new BatchSampler(
      env.opened.game,
      batchLayout(settings, networkOf(env.opened, settings.net)),
    );
  }

  /** Called with every generation, trained on or skipped. The games of the first one are kept until a checkpoint is saved. */
  meet(replay: ReplayReady): void {
    if (this.#drawn !== undefined) return;
    this.#drawn = replay;
    replay.keep(this.#env.stage);
  }

  /** Skips a generation that only fills the buffer; the next generation is played with the same weights. */
  pass({ rounds, generation }: ReplayReady): Effect.Effect<void, RunError> {
    if (rounds > 0 || generation < this.#generations) return Effect.void;
    this.#env.activity.waits("the buffer to be filled");
    this.#generations = generation + 1;
    return this.#publish("whole");
  }

  /** Performs the steps of one generation that are not done yet; ends early when the run is to stop. */
  learn(replay: ReplayReady) {
    return Effect.gen({ self: this }, function* () {
      const { steps } = this.#settings;
      const end = replay.rounds * steps;
      this.#drawn = replay;
      const most = batchesAtOnce(this.#sampler.bytes);
      let drawn: readonly TrainingBatch[] = [];
      /** Draws the batches of the steps from `first` on, into the half of the slots that is not in use. */
      const draw = (first: number, half: number) => {
        // The first two steps of the run stand alone, so that the time of a step is known soon: it can take seconds.
        const count = first < 2 ? 1 : Math.min(most, end - first);
        drawn = Array.from({ length: count }, (_, i) => this.#draw(replay, first + i, half * most + i));
      };
      this.#tellProgress(end);
      for (let half = 0; this.step < end && !this.#env.stop.requested; half = 1 - half) {
        if (drawn.length === 0) draw(this.step, half);
        const batches = drawn;
        const rates = Float32Array.from(batches, (_, i) => scheduled(this.#settings.rate, this.step + i + 1));
        const next = this.step + batches.length;
        // The next batches are drawn while the thread computes these.
        const [reply] = yield* this.#env.activity.during(
          Effect.all(
            [this.#submit({ type: "steps", batches, rates }), Effect.sync(() => draw(next, 1 - half))],
            { concurrency: 2 },
          ),
        );
        if (reply.type !== "steps") throw new Error("the trainer responded to another request");
        this.step = next;
        this.#env.activity.stepped(batches.length);
        yield* this.#tell(reply.losses, rates, end);
      }
      yield* this.#fetch();
      if (this.step === end) this.#generations = replay.generation + 1;
      this.#final = replay.last && this.step === end;
      this.#env.activity.waits("the next generation of games");
      return yield* this.version(this.step < end);
    });
  }

  /** The state as a version of the weights; published unless it is partial. */
  version(partial: boolean) {
    const { net, steps } = this.#settings;
    const state = this.#state;
    const drawn = this.#drawn;
    const version: WeightsVersion = {
      net,
      version: this.#generations + (this.#stateStep % steps === 0 ? 0 : 1),
      trainings: Math.ceil(this.#stateStep / steps),
      learned: this.#stateStep,
      unit: "steps",
      state: partial || this.#stateStep % steps !== 0 ? "partial" : this.#final ? "final" : "whole",
      snapshot: Effect.succeed(state),
      progress: { steps: this.#stateStep, generations: this.#generations },
      saved: () => drawn?.keep(this.#env.stage),
    };
    // After an interruption within a generation the last whole version goes on playing: its games are not finished.
    return Effect.as(
      version.state === "partial" && this.#env.board.version(net) >= 0
        ? Effect.void
        : this.#publish(version.state),
      version,
    );
  }

  #publish(state: WeightsVersion["state"]) {
    const { board, clock } = this.#env;
    const { net } = this.#settings;
    const weights = { kind: "network", tensors: weightsOf(this.#state) } as const;
    return Effect.andThen(
      clock.heldUp(board.readersFollow(net, this.#generations)),
      board.publish(net, this.#generations, weights, state),
    );
  }

  /** After an interruption between two generations: the state once more, so that a checkpoint is saved. */
  rest(): Stream.Stream<WeightsVersion, RunError> {
    return this.#env.stop.requested && !this.#final ? Stream.fromEffect(this.version(true)) : Stream.empty;
  }

  #draw(replay: ReplayReady, step: number, slot: number) {
    const { opened, stage } = this.#env;
    const random = Random.named(opened.experiment.seed, stage, "batch", step);
    return this.#sampler.draw(replay, random, slot);
  }

  #tell(losses: Readonly<Record<string, Float32Array>>, rates: Float32Array, end: number) {
    return Effect.suspend(() => {
      const { stage, emit } = this.#env;
      const means = Object.fromEntries(
        Object.entries(losses).map(([name, values]) => [
          name,
          values.reduce((sum, value) => sum + value, 0) / values.length,
        ]),
      );
      const { total: loss, ...parts } = means as { total: number };
      emit({ type: "training", stage, step: this.step, loss, parts, rate: rates.at(-1)! });
      this.#tellProgress(end, `loss ${loss.toPrecision(4)}`);
      return Number.isFinite(loss)
        ? Effect.void
        : Effect.fail(
            new RunFailed({
              stage,
              reason: `the loss is ${loss} at step ${this.step}: training has diverged; lower the learning rate, or clip (loss: { clip: ... })`,
            }),
          );
    });
  }

  #tellProgress(end: number, latest?: string): void {
    const { stage, emit } = this.#env;
    const told = latest === undefined ? {} : { latest };
    emit({ type: "progress", stage, done: this.step, total: end, unit: "steps", ...told });
  }

  #fetch() {
    return Effect.map(this.#submit({ type: "state" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer responded to another request");
      this.#state = reply.tensors;
      this.#stateStep = this.step;
    });
  }

  #submit(request: ToTrainer) {
    return this.#thread.request(
      this.#requests.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
      }),
    );
  }
}
