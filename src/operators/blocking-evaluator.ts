import type { Evaluator } from "../games/evaluation.ts";
import { newBell, ring } from "../workers/mailbox.ts";
import { newSlot } from "../workers/slots.ts";
import { startWorker, workerModule } from "../workers/worker-thread.ts";
import type { EvaluatorData, ToEvaluator } from "./batch-evaluator.ts";
import { NetRows } from "./net-rows.ts";
import { evaluationCompute } from "./parallelism.ts";
import { type Experiment, networkOf, openSetting } from "./setting.ts";
import { SlotEvaluator } from "./slot-evaluator.ts";

/** Most positions of one request: those of a search in one game. */
const CAPACITY = 256;

/**
 * A net for plain code outside a run: `evaluate` blocks the calling thread while a thread of its own computes.
 *
 * For programs that answer one question after another, like the referee; runs batch many games instead. The thread
 * does not keep the process alive.
 */
export function openBlockingEvaluator(
  experiment: Experiment,
  net: string,
  tensors: ReadonlyMap<string, Float32Array>,
): Evaluator<unknown> {
  const setting = openSetting(experiment);
  const { game } = setting;
  const { planes, hasPolicy } = networkOf(setting, net);
  const bell = newBell();
  const slot = newSlot({
    capacity: CAPACITY,
    features: new NetRows(game, planes).features,
    values: game.players,
    policy: hasPolicy ? game.actions : 0,
  });
  const compute = evaluationCompute(experiment.compute);
  const data: EvaluatorData = { experiment, net, compute, bell };
  const thread = startWorker<ToEvaluator, never>({
    name: `evaluator of ${net}`,
    module: workerModule("batch-evaluator-worker", import.meta.url),
    data,
  });
  thread.release();
  thread.post({ type: "slot", worker: 0, slot });
  thread.post({ type: "load", ticket: 0, tensors });
  ring(bell);
  const evaluator = new SlotEvaluator(game, planes, slot, bell);
  return {
    evaluate: (request) => {
      evaluator.add(request);
      evaluator.flush();
    },
  };
}
