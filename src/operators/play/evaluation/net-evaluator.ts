import { moduleBeside } from "../../../module-beside.ts";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { sizeOf } from "../../../compute/tensors.ts";
import type { EvaluatorFlow } from "../../../events/flow-event.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import { newNotifier, notify } from "../../../workers/mailbox.ts";
import { type EvaluatorSlots, newSlot, type Slot } from "../../../workers/slots.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import { type WorkerCrashed, type WorkerThread } from "../../../workers/worker-thread.ts";
import {
  calledNet,
  type ComputeConfig,
  type Experiment,
  networkOf,
  type OpenExperiment,
} from "../../experiment/open-experiment.ts";
import { evaluationCompute, workerThreads } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { WeightsOf } from "../../run/weights/weights-board.ts";
import { mostRows } from "./batch-size.ts";
import type { EvaluatorSettings } from "./evaluator-settings.ts";
import type { LoadOutcome } from "../../../workers/load-outcome.ts";
import { EvaluatorReader, type MeterWords, newMeterWords } from "./evaluator-meter.ts";
import type { ResponseOptions } from "./slot-evaluator.ts";
import { slotShape } from "./slot-shape.ts";

/** The evaluator of one net. */
export interface NetEvaluator extends EvaluatorSlots {
  /** The name of the net. */
  readonly net: string;
  /** How the submitting threads treat requests and responses. */
  readonly options: ResponseOptions;
  /** For people: `2 sessions, each onnx on cpu, 1 thread`. */
  readonly description: string;
  /** Loads a version of the weights in all threads, between two batches; each may drop another version for it. */
  readonly load: (
    version: number,
    tensors: ReadonlyMap<string, Float32Array>,
  ) => Effect.Effect<void, RunError>;
  /** Frees the memory of a version that no request will name any more. */
  readonly drop: (version: number) => void;
  /** Number of rows computed so far; with symmetries, a position has several rows. */
  readonly computed: () => number;
  /** What the threads did since the last call, this number of seconds ago. */
  readonly flow: (seconds: number) => Omit<EvaluatorFlow, "type" | "evaluator">;
  /** Number of threads that compute side by side. */
  readonly sessions: number;
  /** Measures the best batch size of the net, see `measureBatchSize`; to be run before `load`; takes less than a second. */
  readonly measure: Effect.Effect<number, RunError>;
  /** Fails if a thread crashes, or needs a version of the weights that is not available. */
  readonly lost: Effect.Effect<never, RunError>;
}

/** The `workerData` of each thread of an evaluator. */
export interface EvaluatorData {
  readonly experiment: Experiment;
  readonly net: string;
  readonly compute: ComputeConfig;
  readonly notifier: Int32Array;
  /** Whether several threads share the slots. */
  readonly shared: boolean;
  /** Where this thread counts what it does. */
  readonly meter: MeterWords;
  /** Maximum number of versions of the weights that the thread holds. */
  readonly versions: number;
  /** Memory in which the thread reports that it has loaded a version, or cannot; absent: a failure ends the thread. */
  readonly outcome?: LoadOutcome;
}

/** A message to a thread of an evaluator. */
export type ToEvaluator =
  | { readonly type: "slots"; readonly worker: number; readonly slots: readonly Slot[] }
  | { readonly type: "load"; readonly version: number; readonly tensors: ReadonlyMap<string, Float32Array> }
  | { readonly type: "drop"; readonly version: number }
  | { readonly type: "measure"; readonly most: number }
  | { readonly type: "end" };

/** A message from a thread of an evaluator. */
export type FromEvaluator =
  | { readonly type: "open"; readonly description: string }
  | { readonly type: "unavailable"; readonly message: string }
  | { readonly type: "loaded"; readonly version: number }
  | { readonly type: "wanted"; readonly version: number }
  /** Once at most. */
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "measured"; readonly rows: number };

/** Number of weights of a net. */
export function weightsIn({ net }: OpenNetwork): number {
  if (net.model !== undefined) return net.model.weights;
  return net.parameters.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
}

type Thread = WorkerThread<ToEvaluator, FromEvaluator>;

/**
 * Starts the evaluator of a net; its threads end with the scope. Fails if the engine is not available. `weightsOf` gives
 * back a version that a thread has dropped and that a request names. `warn` is called at most once.
 */
export const openNetEvaluator = (
  { net, batch, sessions: given, cache, symmetries, versions }: EvaluatorSettings,
  opened: OpenExperiment,
  weightsOf: WeightsOf,
  warn: (message: string) => void = () => undefined,
): Effect.Effect<NetEvaluator, RunFailed | WorkerCrashed, Scope.Scope> =>
  Effect.gen(function* () {
    const { experiment } = opened;
    const network = networkOf(opened, net);
    const shape = slotShape(opened.game, network, batch);
    const { sessions, compute } = evaluationCompute(experiment.compute, weightsIn(network), given);
    const notifier = newNotifier();
    const meters = Array.from({ length: sessions }, newMeterWords);
    const reader = new EvaluatorReader(meters);
    const data = { experiment, net, compute, notifier, shared: sessions > 1, versions };
    const threads = yield* Effect.forEach(meters, (meter, number) =>
      spawnWorker<ToEvaluator, FromEvaluator>({
        name: `evaluator ${number + 1} of ${net}`,
        module: moduleBeside("batch-evaluator-worker", import.meta.url),
        data: { ...data, meter } satisfies EvaluatorData,
        device: compute.device,
        dismiss: (worker) => {
          worker.postMessage({ type: "end" } satisfies ToEvaluator);
          notify(notifier);
        },
      }),
    );
    const descriptions = yield* Effect.forEach(threads, (thread) => describe(thread, net), {
      concurrency: "unbounded",
    });
    const lost = yield* Deferred.make<never, RunError>();
    for (const thread of threads)
      thread.onCrash((crash) => void Deferred.doneUnsafe(lost, Effect.fail(crash)));
    let warned = false;
    for (const thread of threads)
      thread.onMessage((message) => {
        if (message.type !== "warning" || warned) return;
        warned = true;
        warn(`${calledNet(opened, net)}: ${message.message}`);
      });
    const hits = new Map<number, BigInt64Array>();
    const loads = new LoadsAwaited(threads);
    const post = (message: ToEvaluator) => {
      for (const thread of threads) thread.post(message);
      notify(notifier);
    };
    for (const thread of threads)
      thread.onMessage((message) => {
        if (message.type !== "wanted") return;
        const { version } = message;
        // A defect counts too: the thread waits for a response.
        const respond = Effect.matchCause(weightsOf(net, version), {
          onFailure: (cause) => void Deferred.doneUnsafe(lost, Effect.failCause(cause)),
          onSuccess: (weights) => {
            if (weights.kind !== "network") return;
            thread.post({ type: "load", version, tensors: weights.tensors });
            notify(notifier);
          },
        });
        Effect.runFork(respond);
      });
    return {
      net,
      options: { cache, symmetries },
      description: sessions === 1 ? descriptions[0]! : `${sessions} sessions, each ${descriptions[0]!}`,
      lost: Deferred.await(lost),
      sessions,
      measure: Effect.raceFirst(
        Effect.callback<number>((resume) => {
          threads[0]!.onMessage((message) => {
            if (message.type === "measured") resume(Effect.succeed(message.rows));
          });
          const most = mostRows(compute.device, batch, workerThreads(experiment));
          threads[0]!.post({ type: "measure", most });
          notify(notifier);
        }),
        Deferred.await(lost),
      ),
      computed: () => reader.rows,
      flow: (seconds) => ({ ...reader.read(seconds), net }),
      renew: (worker, count) => {
        const slots = Array.from({ length: count }, () => newSlot(shape));
        post({ type: "slots", worker, slots });
        const found = hits.get(worker) ?? new BigInt64Array(new SharedArrayBuffer(8));
        hits.set(worker, found);
        return { slots, notifier, hits: found };
      },
      load: (version, tensors) =>
        Effect.raceFirst(
          Effect.callback<void>((resume) => {
            loads.onLoaded(version, () => resume(Effect.void));
            post({ type: "load", version, tensors });
          }),
          Deferred.await(lost),
        ),
      drop: (version) => post({ type: "drop", version }),
    };
  });

/** The description of the engine and device of a thread, when it has opened them. */
const describe = (thread: Thread, net: string): Effect.Effect<string, RunFailed | WorkerCrashed> =>
  Effect.callback((resume) => {
    thread.onMessage((message) => {
      if (message.type === "open") resume(Effect.succeed(message.description));
      if (message.type === "unavailable")
        resume(Effect.fail(new RunFailed({ stage: `evaluator of ${net}`, reason: message.message })));
    });
    thread.onCrash((crash) => resume(Effect.fail(crash)));
  });

/** Calls back when all threads have loaded a version of the weights. */
class LoadsAwaited {
  readonly #threads: number;
  readonly #waiting = new Map<number, { missing: number; readonly done: () => void }>();

  constructor(threads: readonly Thread[]) {
    this.#threads = threads.length;
    for (const thread of threads)
      thread.onMessage((message) => {
        if (message.type === "loaded") this.#loaded(message.version);
      });
  }

  onLoaded(version: number, done: () => void): void {
    this.#waiting.set(version, { missing: this.#threads, done });
  }

  #loaded(version: number): void {
    const load = this.#waiting.get(version);
    if (load === undefined || --load.missing > 0) return;
    this.#waiting.delete(version);
    load.done();
  }
}
