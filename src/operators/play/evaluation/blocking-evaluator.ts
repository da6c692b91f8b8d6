import { moduleBeside } from "../../../module-beside.ts";
import type { Evaluator } from "../../../games/evaluation.ts";
import { awaitLoaded, newLoadOutcome } from "../../../workers/load-outcome.ts";
import { newNotifier, notify } from "../../../workers/mailbox.ts";
import { type EvaluatorEndpoint, newSlot } from "../../../workers/slots.ts";
import { startWorker } from "../../../workers/worker-thread.ts";
import { evaluatorSettingsOf } from "./batch-evaluator.ts";
import { evaluationCompute } from "../../run/parallelism.ts";
import { type Experiment, networkOf, openExperiment } from "../../experiment/open-experiment.ts";
import { RunFailed } from "../../run/run-error.ts";
import { newMeterWords } from "./evaluator-meter.ts";
import { type EvaluatorData, type FromEvaluator, type ToEvaluator, weightsIn } from "./net-evaluator.ts";
import { SlotEvaluator } from "./slot-evaluator.ts";
import { slotShape } from "./slot-shape.ts";

/** Maximum number of positions in a request: the positions of one search in one game. */
const CAPACITY = 256;

/**
 * A net with fewer weights is computed by one thread. Two threads took twice its processor time, and no less wall time with the
 * smallest nets: they wait for each other after every operation.
 */
const FEW_WEIGHTS = 250_000;

/** An evaluator with a thread of its own. */
export interface BlockingEvaluator extends Evaluator<unknown> {
  /** Ends its thread; nothing can be evaluated afterwards. */
  close(): Promise<void>;
}

/**
 * Evaluates a net for plain code outside a run: `evaluate` blocks the calling thread while another thread computes.
 *
 * For programs that make one request after another, such as the referee. Runs batch the requests of many games instead.
 * The computing thread does not keep the process alive, so only callers that open many need `close`. Throws
 * RunFailed if the thread cannot compute, now or later. `called` is what messages call the net.
 */
export function openBlockingEvaluator(
  experiment: Experiment,
  net: string,
  tensors: ReadonlyMap<string, Float32Array>,
  called = `the net "${net}"`,
): BlockingEvaluator {
  const opened = openExperiment(experiment);
  const { game } = opened;
  const network = networkOf(opened, net);
  const notifier = newNotifier();
  const slot = newSlot(slotShape(game, network, CAPACITY));
  const weights = weightsIn(network);
  const { compute: ofAllCores } = evaluationCompute(experiment.compute, weights, 1);
  const compute = weights < FEW_WEIGHTS ? { ...ofAllCores, threads: 1 } : ofAllCores;
  const outcome = newLoadOutcome();
  const data: EvaluatorData = {
    experiment,
    net,
    compute,
    notifier,
    shared: false,
    meter: newMeterWords(),
    versions: 1,
    outcome,
  };
  const thread = startWorker<ToEvaluator, FromEvaluator>({
    name: `evaluator of ${net}`,
    module: moduleBeside("batch-evaluator-worker", import.meta.url),
    data,
    device: compute.device,
  });
  thread.onMessage((message) => {
    if (message.type === "warning") process.emitWarning(`${called}: ${message.message}`);
  });
  // A listener keeps the process alive.
  thread.release();
  thread.post({ type: "slots", worker: 0, slots: [slot] });
  thread.post({ type: "load", version: 0, tensors });
  notify(notifier);
  const demandThread = () => {
    const reason = awaitLoaded(outcome);
    if (reason === undefined) return;
    void thread.stop();
    throw new RunFailed({ stage: `evaluator of ${net}`, reason });
  };
  demandThread();
  const endpoint: EvaluatorEndpoint = {
    slots: [slot],
    notifier,
    hits: new BigInt64Array(1),
  };
  const options = evaluatorSettingsOf(experiment, net);
  const evaluator = new SlotEvaluator(game, network, endpoint, options, () => called);
  return {
    evaluate: (request) => {
      // A thread that has ended takes no requests.
      demandThread();
      if (evaluator.add(request, 0)) return;
      evaluator.submit();
      try {
        evaluator.collect();
      } catch (error) {
        demandThread();
        throw error;
      }
    },
    close: () => thread.stop(),
  };
}
