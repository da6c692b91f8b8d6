import { Effect, Stream } from "effect";
import { Type } from "../schema.ts";
import { alphazeroOptions, valueRegressionOptions } from "../models/loss.ts";
import { Random } from "../random.ts";
import { Requests } from "../workers/requests.ts";
import { spawnWorker } from "../workers/spawn-worker.ts";
import { workerModule } from "../workers/worker-thread.ts";
import { BatchSampler } from "./batch-sampler.ts";
import { choice } from "./choice.ts";
import type { ReplayReady, Tensors, WeightsVersion } from "./items.ts";
import { type Complaint, complainUnknown, operator, type SettingsOf, type StageEnv } from "./operator.ts";
import { type RunError, RunFailed } from "./run-error.ts";
import { scheduled, scheduleComplaint, scheduleSchema } from "./schedule.ts";
import { weightsOf } from "./named-tensors.ts";
import { startingPoint } from "./starting-point.ts";
import type { FromTrainer, ToTrainer, TrainerData } from "./trainer-worker.ts";

/** Most optimiser steps asked of the thread at once: an interruption waits for no more than these. */
const STEPS_AT_ONCE = 8;

const closed = { additionalProperties: false } as const;
const weightDecay = Type.Number({
  minimum: 0,
  maximum: 1,
  default: 0,
  description: "Part of a weight lost per step and unit of learning rate (decoupled weight decay).",
});
const sgdSchema = Type.Object(
  {
    use: Type.Literal("sgd", { description: "Stochastic gradient descent with momentum." }),
    momentum: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.9,
      description: "Momentum; 0 for none.",
    }),
    weightDecay,
  },
  closed,
);
const adamSchema = Type.Object(
  {
    use: Type.Literal("adam", { description: "Adam (Kingma and Ba 2015)." }),
    beta1: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.9,
      description: "Decay of the mean gradient.",
    }),
    beta2: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.999,
      description: "Decay of the mean squared gradient.",
    }),
    epsilon: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1e-8, description: "Added to the root." }),
    weightDecay,
  },
  closed,
);

const settings = {
  net: Type.String({ description: "The net it trains (a name under nets)." }),
  batch: Type.Integer({ minimum: 1, maximum: 65536, description: "Positions in a minibatch." }),
  steps: Type.Integer({ minimum: 1, maximum: 10_000_000, description: "Optimiser steps per generation of games." }),
  rate: scheduleSchema("Learning rate", "step", { exclusiveMinimum: 0, maximum: 100 }),
  optimiser: choice("use", "How weights follow the gradient.", [sgdSchema, adamSchema], {
    default: { use: "adam" },
  }),
  loss: choice("use", "What is minimised.", [valueRegressionOptions, alphazeroOptions], {
    default: { use: "value-regression" },
  }),
  symmetries: Type.Boolean({
    default: false,
    description: "Draws a symmetry of the board with every position (for games that have them).",
  }),
};

type Settings = SettingsOf<typeof settings>;

/** Trains a net on minibatches drawn from a replay buffer. */
export const trainer = operator({
  use: "trainer",
  description:
    "Trains a net on minibatches drawn uniformly from a replay buffer, a number of steps per generation.",
  example:
    "weights: { use: trainer, from: replay, net: value, batch: 256, steps: 100, rate: [{ until: 1000, value: 0.001 }, { value: 0.0001 }] }",
  settings,
  inputs: { from: { kind: "replay", description: "The buffer to draw from" } },
  output: "weights",
  learns: "net",
  check: (settings: Settings, view) => {
    const { setting } = view;
    const complaints: Complaint[] = complainUnknown("net", "net", settings.net, setting.experiment.nets);
    const net = setting.nets.get(settings.net);
    if (net !== undefined && net.kind !== "network")
      complaints.push({
        key: "net",
        message: `"${settings.net}" is no net for gradient descent; learn it with td-learner`,
      });
    if (settings.loss.use === "alphazero" && net !== undefined && !net.hasPolicy)
      complaints.push({
        key: "loss",
        message: `the loss alphazero needs a net with a policy, and "${settings.net}" gives values only`,
      });
    const capacity = view.upstream("from")?.["capacity"] as number | undefined;
    if (capacity !== undefined && settings.batch > capacity)
      complaints.push({
        key: "batch",
        message: `a batch of ${settings.batch} is larger than the buffer it is drawn from (capacity ${capacity}); make the batch smaller or the buffer larger`,
      });
    if (settings.symmetries && setting.game.symmetry === undefined)
      complaints.push({ key: "symmetries", message: `the game ${setting.game.name} has no symmetries` });
    const rate = scheduleComplaint(settings.rate);
    if (rate !== undefined) complaints.push({ key: "rate", message: rate });
    return complaints;
  },
  bounds: (settings: Settings) => [`at most ${STEPS_AT_ONCE} minibatches of ${settings.batch} in the thread`],
  build: (settings: Settings, { from }, env) =>
    Effect.gen(function* () {
      const start = yield* startingPoint(env, settings.net);
      const { experiment } = env.setting;
      const data: TrainerData = {
        experiment,
        net: settings.net,
        compute: experiment.compute,
        batch: settings.batch,
        optimiser: settings.optimiser,
        loss: settings.loss,
        start: start.tensors,
      };
      const thread = yield* spawnWorker<never, never>({
        name: `trainer ${env.stage}`,
        module: workerModule("trainer-worker", import.meta.url),
        data,
      });
      const requests = new Requests<ToTrainer, FromTrainer>(thread);
      const learner = new Learner(settings, env, requests, start);
      const trained = from.pipe(
        Stream.tap((replay) => Effect.sync(() => learner.meet(replay))),
        Stream.filter(
          ({ generation }) => !env.stop.requested && (generation + 1) * settings.steps > learner.step,
        ),
        Stream.mapEffect((replay) => learner.learn(replay)),
      );
      return Stream.fromEffect(learner.version(false)).pipe(
        Stream.concat(trained),
        Stream.concat(Stream.suspend(() => learner.rest())),
      );
    }),
});

class Learner {
  readonly #settings: Settings;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToTrainer, FromTrainer>;
  readonly #sampler: BatchSampler<unknown>;
  /** Optimiser steps done. */
  step: number;
  /** The state after `#stateStep` steps. */
  #state: Tensors;
  #stateStep: number;
  #final = false;
  /** What was last drawn from; the first that comes until something is. */
  #drawn: ReplayReady | undefined;

  constructor(
    settings: Settings,
    env: StageEnv,
    requests: Requests<ToTrainer, FromTrainer>,
    start: { readonly tensors: Tensors; readonly progress: Readonly<Record<string, number>> },
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#requests = requests;
    this.#state = start.tensors;
    this.step = this.#stateStep = start.progress["steps"] ?? 0;
    this.#sampler = new BatchSampler(env.setting.game, {
      batch: settings.batch,
      policy: settings.loss.use === "alphazero",
      symmetries: settings.symmetries,
    });
  }

  /** Looks at every generation, drawn from or passed over: what the first holds is needed until something is saved. */
  meet(replay: ReplayReady): void {
    if (this.#drawn !== undefined) return;
    this.#drawn = replay;
    replay.keep(this.#env.stage);
  }

  /** Does the steps of one generation, or those that an earlier part of the run has left; fewer when asked to stop. */
  learn(replay: ReplayReady) {
    return Effect.gen({ self: this }, function* () {
      const { steps } = this.#settings;
      const end = (replay.generation + 1) * steps;
      this.#drawn = replay;
      while (this.step < end && !this.#env.stop.requested) {
        const count = Math.min(STEPS_AT_ONCE, end - this.step);
        const batches = Array.from({ length: count }, (_, i) => this.#draw(replay, i));
        const rates = Float32Array.from(batches, (_, i) => scheduled(this.#settings.rate, this.step + i + 1));
        const reply = yield* this.#ask({ type: "steps", batches, rates });
        if (reply.type !== "steps") throw new Error("the trainer answered another question");
        this.step += count;
        yield* this.#tell(reply.losses, rates, end);
      }
      yield* this.#fetch();
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
      version: Math.ceil(this.#stateStep / steps),
      learned: this.#stateStep,
      unit: "steps",
      final: this.#final,
      partial: partial || this.#stateStep % steps !== 0,
      snapshot: Effect.succeed(state),
      progress: { steps: this.#stateStep },
      saved: () => drawn?.keep(this.#env.stage),
    };
    // After an interruption in mid-generation the last whole version plays on: its games are not over.
    return Effect.as(
      version.partial && this.#env.board.version(net) >= 0
        ? Effect.void
        : this.#env.board.publish(net, Math.floor(this.#stateStep / steps), {
            kind: "network",
            tensors: weightsOf(state),
          }),
      version,
    );
  }

  /** After an interruption between two generations: the state once more, so that it is saved. */
  rest(): Stream.Stream<WeightsVersion, RunError> {
    return this.#env.stop.requested && !this.#final ? Stream.fromEffect(this.version(true)) : Stream.empty;
  }

  #draw(replay: ReplayReady, ahead: number) {
    const { setting, stage } = this.#env;
    const random = Random.named(setting.experiment.seed, stage, "batch", this.step + ahead);
    return this.#sampler.draw(replay, random, ahead);
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
    return Effect.map(this.#ask({ type: "state" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer answered another question");
      this.#state = reply.tensors;
      this.#stateStep = this.step;
    });
  }

  #ask(question: ToTrainer) {
    return this.#requests.ask(question, {
      onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
    });
  }
}
