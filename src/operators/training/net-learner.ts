import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { type LossOptions, openLoss } from "../../models/nets/loss.ts";
import { lossTargets } from "../../models/nets/loss-targets.ts";
import type { TrainingBatch } from "../../models/nets/training.ts";
import { Random } from "../../random.ts";
import type { Requests } from "../../workers/requests.ts";
import { BatchSampler } from "../replay/batch-sampler.ts";
import type { ReplayReady, Tensors, WeightsVersion } from "../run/items.ts";
import { weightsOf } from "./named-tensors.ts";
import type { StageEnv } from "../operator.ts";
import { networkOf } from "../experiment/open-experiment.ts";
import { type RunError, RunFailed } from "../run/run-error.ts";
import { type Schedule, scheduled } from "./schedule.ts";
import type { StartingPoint } from "./net-weights.ts";
import type { FromTrainer, ToTrainer } from "./trainer-worker.ts";

/** Most optimiser steps asked of the thread at once: an interruption waits for no more than these. */
const STEPS_AT_ONCE = 8;

/** Bytes of the minibatches asked about at once, where one has not more; as many are drawn meanwhile. */
const BYTES_AT_ONCE = 128 << 20;

/** Most minibatches that are in memory. */
export const MOST_BATCHES = 2 * STEPS_AT_ONCE;

/** How a net is trained. */
export interface NetTraining {
  /** Its name in the experiment. */
  readonly net: string;
  /** Positions in a minibatch. */
  readonly batch: number;
  /** Optimiser steps per generation of games that is learned from. */
  readonly steps: number;
  /** Learning rate by step. */
  readonly rate: Schedule;
  readonly loss: LossOptions;
  /** Whether each position is drawn with a symmetry of the board. */
  readonly symmetries: boolean;
}

/**
 * A net in training on its thread: draws minibatches, has the steps done, tells of the losses, and makes versions of
 * the weights.
 *
 * Minibatch number n is a function of the seed, the stage, n and the buffer it is drawn from: how the steps are cut
 * into questions, and whether the run was resumed between them, does not show.
 */
export class NetLearner {
  readonly #settings: NetTraining;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToTrainer, FromTrainer>;
  readonly #sampler: BatchSampler<unknown>;
  /** Optimiser steps done. */
  step: number;
  /** The state after `#stateStep` steps. */
  #state: Tensors;
  #stateStep: number;
  /** Generations that it has learned from, or passed by while the buffer was being filled, from first to last. */
  #generations: number;
  #final = false;
  /** What was last drawn from; the first that comes until something is. */
  #drawn: ReplayReady | undefined;

  constructor(
    settings: NetTraining,
    env: StageEnv,
    requests: Requests<ToTrainer, FromTrainer>,
    start: StartingPoint,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#requests = requests;
    this.#state = start.tensors;
    this.step = this.#stateStep = start.progress["steps"] ?? 0;
    // Checkpoints from before buffers could be filled do not say it: every generation had its steps then.
    this.#generations = start.progress["generations"] ?? Math.floor(this.step / settings.steps);
    const { net, planes } = networkOf(env.opened, settings.net);
    const loss = openLoss(settings.loss);
    const { logits, logitOf } = net;
    this.#sampler = new BatchSampler(env.opened.game, {
      planes,
      batch: settings.batch,
      ...(loss.policy ? { policy: { logits: logits!, ...(logitOf === undefined ? {} : { logitOf }) } } : {}),
      auxiliary: lossTargets(net, loss),
      symmetries: settings.symmetries,
    });
  }

  /** Looks at every generation, drawn from or passed over: what the first holds is needed until something is saved. */
  meet(replay: ReplayReady): void {
    if (this.#drawn !== undefined) return;
    this.#drawn = replay;
    replay.keep(this.#env.stage);
  }

  /** Passes by a generation that only fills the buffer: the next is played with the same weights. */
  pass({ rounds, generation }: ReplayReady): Effect.Effect<void, RunError> {
    if (rounds > 0 || generation < this.#generations) return Effect.void;
    this.#generations = generation + 1;
    return this.#publish();
  }

  /** Does the steps of one generation, or those that an earlier part of the run has left; fewer when asked to stop. */
  learn(replay: ReplayReady) {
    return Effect.gen({ self: this }, function* () {
      const { steps } = this.#settings;
      const end = replay.rounds * steps;
      this.#drawn = replay;
      const most = Math.max(1, Math.min(STEPS_AT_ONCE, Math.floor(BYTES_AT_ONCE / this.#sampler.bytes)));
      let drawn: readonly TrainingBatch[] = [];
      /** Draws the batches of the steps from one on, into the half of the slots that is not in use. */
      const draw = (first: number, half: number) => {
        const count = Math.min(most, end - first);
        drawn = Array.from({ length: count }, (_, i) => this.#draw(replay, first + i, half * most + i));
      };
      for (let half = 0; this.step < end && !this.#env.stop.requested; half = 1 - half) {
        if (drawn.length === 0) draw(this.step, half);
        const batches = drawn;
        const rates = Float32Array.from(batches, (_, i) => scheduled(this.#settings.rate, this.step + i + 1));
        const next = this.step + batches.length;
        // The next ones are drawn while the thread is busy with these.
        const [reply] = yield* Effect.all(
          [this.#submit({ type: "steps", batches, rates }), Effect.sync(() => draw(next, 1 - half))],
          { concurrency: 2 },
        );
        if (reply.type !== "steps") throw new Error("the trainer answered another question");
        this.step = next;
        yield* this.#tell(reply.losses, rates, end);
      }
      yield* this.#fetch();
      if (this.step === end) this.#generations = replay.generation + 1;
      this.#final = replay.last && this.step === end;
      return yield* this.version(this.step < end);
    });
  }

  /** The state as a version of the weights, put to use unless it is partial. */
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
      final: this.#final,
      partial: partial || this.#stateStep % steps !== 0,
      snapshot: Effect.succeed(state),
      progress: { steps: this.#stateStep, generations: this.#generations },
      saved: () => drawn?.keep(this.#env.stage),
    };
    // After an interruption in mid-generation the last whole version plays on: its games are not over.
    return Effect.as(
      version.partial && this.#env.board.version(net) >= 0 ? Effect.void : this.#publish(),
      version,
    );
  }

  #publish() {
    const weights = { kind: "network", tensors: weightsOf(this.#state) } as const;
    return this.#env.board.publish(this.#settings.net, this.#generations, weights, this.#final);
  }

  /** After an interruption between two generations: the state once more, so that it is saved. */
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
      emit({
        type: "progress",
        stage,
        done: this.step,
        total: end,
        unit: "steps",
        latest: `loss ${loss.toPrecision(4)}`,
      });
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

  #fetch() {
    return Effect.map(this.#submit({ type: "state" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer answered another question");
      this.#state = reply.tensors;
      this.#stateStep = this.step;
    });
  }

  #submit(request: ToTrainer) {
    return this.#requests.submit(request, {
      onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
    });
  }
}
