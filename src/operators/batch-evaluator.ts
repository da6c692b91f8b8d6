import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { Type } from "../schema.ts";
import { newBell, ring } from "../workers/mailbox.ts";
import { type EvaluatorSlots, newSlot, type Slot } from "../workers/slots.ts";
import { spawnWorker } from "../workers/spawn-worker.ts";
import { type WorkerCrashed, workerModule } from "../workers/worker-thread.ts";
import type { ComputeConfig, Experiment } from "./setting.ts";
import { complainUnknown, operator } from "./operator.ts";
import { NetRows } from "./net-rows.ts";
import { networkOf, openSetting } from "./setting.ts";
import { RunFailed } from "./run-error.ts";
import { evaluationCompute } from "./parallelism.ts";

/** Computes one net for all threads that play, in batches; a service, not a stream. */
export const batchEvaluator = operator({
  use: "batch-evaluator",
  description:
    "Evaluates positions with a net for all games under way, in batches. Every net that is played with has one; name it only to change its settings.",
  example: "evaluator: { use: batch-evaluator, net: value, batch: 256 }",
  settings: {
    net: Type.String({ description: "The net it computes (a name under nets)." }),
    batch: Type.Integer({
      minimum: 1,
      maximum: 65536,
      default: 256,
      description: "Most positions that one worker thread may ask about at once.",
    }),
  },
  inputs: {},
  output: "results",
  check: (settings, { setting }) => {
    const unknown = complainUnknown("net", "net", settings.net, setting.experiment.nets);
    if (setting.nets.get(settings.net)?.kind !== "tables") return unknown;
    return [
      {
        key: "net",
        message: `"${settings.net}" is a value function on tables; no batches are computed of it`,
      },
    ];
  },
  bounds: (settings) => [`one batch of at most ${settings.batch} positions per worker thread`],
  build: () => Effect.die("a service is opened by openBatchEvaluator"),
});

/** The evaluator of one net. */
export interface Evaluator extends EvaluatorSlots {
  /** For people: `onnx on cpu, 2 threads`. */
  readonly description: string;
  /** Puts weights to use, between two batches. */
  readonly load: (
    tensors: ReadonlyMap<string, Float32Array>,
  ) => Effect.Effect<void, RunFailed | WorkerCrashed>;
  /** Fails if the thread crashes. */
  readonly crashed: Effect.Effect<never, WorkerCrashed>;
}

/** What the evaluator's thread is started with. */
export interface EvaluatorData {
  readonly experiment: Experiment;
  readonly net: string;
  readonly compute: ComputeConfig;
  readonly bell: Int32Array;
}

/** What the evaluator's thread is told. */
export type ToEvaluator =
  | { readonly type: "slot"; readonly worker: number; readonly slot: Slot }
  | { readonly type: "load"; readonly ticket: number; readonly tensors: ReadonlyMap<string, Float32Array> };

/** What it answers. */
export type FromEvaluator =
  | { readonly type: "open"; readonly description: string }
  | { readonly type: "unavailable"; readonly message: string }
  | { readonly type: "loaded"; readonly ticket: number };

/** Starts the evaluator of a net; its thread ends with the scope. Fails where the engine cannot be had. */
export const openBatchEvaluator = (
  experiment: Experiment,
  net: string,
  batch: number,
): Effect.Effect<Evaluator, RunFailed | WorkerCrashed, Scope.Scope> =>
  Effect.gen(function* () {
    const bell = newBell();
    const setting = openSetting(experiment);
    const { game } = setting;
    const open = networkOf(setting, net);
    const shape = {
      capacity: batch,
      features: new NetRows(game, open.planes).features,
      values: game.players,
      policy: open.hasPolicy ? game.actions : 0,
    };
    const compute = evaluationCompute(experiment.compute);
    const data: EvaluatorData = { experiment, net, compute, bell };
    const thread = yield* spawnWorker<ToEvaluator, FromEvaluator>({
      name: `evaluator of ${net}`,
      module: workerModule("batch-evaluator-worker", import.meta.url),
      data,
    });
    const crashed = Effect.callback<never, WorkerCrashed>((resume) =>
      thread.onCrash((crash) => resume(Effect.fail(crash))),
    );
    const description = yield* Effect.callback<string, RunFailed | WorkerCrashed>((resume) => {
      thread.onMessage((message) => {
        if (message.type === "open") resume(Effect.succeed(message.description));
        if (message.type === "unavailable")
          resume(Effect.fail(new RunFailed({ stage: `evaluator of ${net}`, reason: message.message })));
      });
      thread.onCrash((crash) => resume(Effect.fail(crash)));
    });
    let tickets = 0;
    const waiting = new Map<number, () => void>();
    thread.onMessage((message) => {
      if (message.type !== "loaded") return;
      waiting.get(message.ticket)?.();
      waiting.delete(message.ticket);
    });
    const tell = (message: ToEvaluator) => {
      thread.post(message);
      ring(bell);
    };
    return {
      bell,
      description,
      crashed,
      renew: (worker) => {
        const slot = newSlot(shape);
        tell({ type: "slot", worker, slot });
        return slot;
      },
      load: (tensors) =>
        Effect.raceFirst(
          Effect.callback<void>((resume) => {
            const ticket = tickets++;
            waiting.set(ticket, () => resume(Effect.void));
            tell({ type: "load", ticket, tensors });
          }),
          crashed,
        ),
    };
  });
