import { moduleBeside } from "../../../module-beside.ts";
import * as Effect from "effect/Effect";
import type { OpenTables, SharedTables } from "../../../models/tables.ts";
import { END } from "../../../workers/serve.ts";
import { Requests } from "../../../workers/requests.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import type { StageEnv } from "../../operator.ts";
import { BusyThreads } from "../../run/busy-threads.ts";
import type { GameCollection, Tensors } from "../../run/items.ts";
import { RunFailed } from "../../run/run-error.ts";
import type { LearningSteps } from "../training/learning-steps.ts";
import { part } from "../../run/weights/named-tensors.ts";
import { type Schedule, scheduled } from "../../../schedule.ts";
import type { FromLinearTrainer, LinearTrainerData, ToLinearTrainer } from "./linear-worker.ts";

/** About this many decisions are learned in a request: an interruption waits for its end. */
const DECISIONS_AT_ONCE = 4096;

/** How a linear policy is learned from a collection. */
export interface LinearTraining {
  readonly net: string;
  /** Decisions in a minibatch. */
  readonly batch: number;
  /** Learning rate by step. */
  readonly rate: Schedule;
}

/** Opens a thread that learns a linear policy from the training games of a collection; it ends with the scope. */
export const openLinearSteps = (
  settings: LinearTraining,
  collection: GameCollection,
  env: StageEnv,
  start: Tensors,
) =>
  Effect.gen(function* () {
    const { opened, stage } = env;
    const { batch, net } = settings;
    const open = opened.nets.get(net) as OpenTables;
    const tables = open.load(part(start, "weights/"));
    const { experiment } = opened;
    const data: LinearTrainerData = { experiment, stage, net, collection, batch, tables, start };
    const thread = yield* spawnWorker<never, never>({
      name: `trainer ${stage}`,
      module: moduleBeside("linear-worker", import.meta.url),
      data,
      dismiss: (worker) => worker.postMessage(END),
    });
    return new LinearSteps(settings, env, tables, new Requests<ToLinearTrainer, FromLinearTrainer>(thread));
  });

class LinearSteps implements LearningSteps<unknown> {
  /** Decisions drawn, and those that were left out because the policy never plays the move; those of the whole run. */
  drawn = 0;
  leftOut = 0;
  readonly #settings: LinearTraining;
  readonly #env: StageEnv;
  readonly #tables: SharedTables;
  readonly #requests: Requests<ToLinearTrainer, FromLinearTrainer>;
  readonly #thread: BusyThreads;

  constructor(
    settings: LinearTraining,
    env: StageEnv,
    tables: SharedTables,
    requests: Requests<ToLinearTrainer, FromLinearTrainer>,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#tables = tables;
    this.#requests = requests;
    this.#thread = new BusyThreads(env.stage, 1);
    env.addFlowSource((seconds) => this.#thread.flow(seconds));
  }

  take(_from: unknown, step: number, end: number) {
    return Effect.gen({ self: this }, function* () {
      const { batch, rate } = this.#settings;
      const count = Math.min(Math.ceil(DECISIONS_AT_ONCE / batch), end - step);
      const rates = Float32Array.from({ length: count }, (_, i) => scheduled(rate, step + i + 1));
      const reply = yield* this.#env.activity.during(this.#submit({ type: "steps", first: step, rates }));
      if (reply.type !== "steps") throw new Error("the trainer responded to another request");
      this.drawn = reply.drawn;
      this.leftOut = reply.leftOut;
      return { count, losses: { total: reply.losses, policy: reply.losses }, rate: rates.at(-1)! };
    });
  }

  state() {
    return Effect.map(this.#submit({ type: "state" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer responded to another request");
      return reply.tensors;
    });
  }

  /** The tables themselves: they change with the next steps, which wait for the readers of a version. */
  published(): { readonly kind: "tables"; readonly tables: SharedTables } {
    return { kind: "tables", tables: this.#tables };
  }

  #submit(request: ToLinearTrainer) {
    return this.#thread.request(
      this.#requests.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
      }),
    );
  }
}
