/** A thread of a batching evaluator: takes the requests in the slots, computes them in batches, writes the responses. */
import { parentPort, workerData } from "node:worker_threads";
import { computesItself } from "../../../compute/engine.ts";
import { openEngine } from "../../../compute/open-engine.ts";
import { type Inference, initialWeights } from "../../../models/net.ts";
import { Random } from "../../../random.ts";
import { reportEnd, reportLoaded } from "../../../workers/load-outcome.ts";
import { Mailbox } from "../../../workers/mailbox.ts";
import { refuse, type Slot, take } from "../../../workers/slots.ts";
import { threadSeconds } from "../../../workers/thread-seconds.ts";
import { endThread } from "../../../workers/worker-thread.ts";
import type { EvaluatorData, FromEvaluator, ToEvaluator } from "./net-evaluator.ts";
import { measureBatchSize } from "./batch-size.ts";
import { openPlayingNet } from "./calibration.ts";
import { checkedShare, EvaluationCheck } from "./evaluation-check.ts";
import { EvaluatorMeter } from "./evaluator-meter.ts";
import { LoadedVersions } from "./loaded-versions.ts";
import { NetBatch } from "./net-batch.ts";
import { RequestBatch } from "./request-batch.ts";
import { slotShape } from "./slot-shape.ts";
import { calledNet, networkOf, openExperiment } from "../../experiment/open-experiment.ts";

/**
 * If several threads share the slots of a CPU, a batch with this number of rows takes no further request. Smaller batches
 * cost more per row; larger batches cost hardly less. A GPU takes all requests there are.
 */
const ENOUGH = 16;

const {
  experiment,
  net: name,
  compute,
  notifier,
  shared,
  meter: words,
  versions,
  outcome,
} = workerData as EvaluatorData;
const port = parentPort!;
const post = (message: FromEvaluator) => port.postMessage(message);
const opened = openExperiment(experiment);
const network = networkOf(opened, name);
const { net } = network;
const share = checkedShare(compute);
const engines = await Promise.all([
  openEngine(compute),
  // What the engine is compared with.
  share > 0 ? openEngine({ engine: "onnx" }) : undefined,
]).catch((error: unknown) => {
  post({ type: "unavailable", message: (error as Error).message });
  if (outcome !== undefined) reportLoaded(outcome, (error as Error).message);
  return undefined;
});
const mailbox = new Mailbox<ToEvaluator>(port, notifier);
const slots = new Map<number, readonly Slot[]>();
if (outcome !== undefined) {
  // A caller that blocks gets no event of this thread: it reads there why the thread ended, and from its slots that it did.
  reportEnd(outcome);
  process.on("exit", () => [...slots.values()].flat().forEach(refuse));
}
if (engines === undefined) {
  // Requests submitted nevertheless are refused, so that no thread waits for ever.
  for (;;) {
    const notifications = Atomics.load(notifier, 0);
    for (let message = mailbox.poll(); message !== undefined; message = mailbox.poll())
      if (message.type === "slots") slots.set(message.worker, message.slots);
      else if (message.type === "end") endThread();
    for (const slot of [...slots.values()].flat()) if (take(slot) > 0) refuse(slot);
    Atomics.wait(notifier, 0, notifications);
  }
} else {
  const [engine, reference] = engines;
  post({ type: "open", description: engine.description });
  const rows = new NetBatch(slotShape(opened.game, network, 0), compute.device);
  const batch = new RequestBatch(rows);
  const enough = shared && computesItself(compute) ? ENOUGH : Infinity;
  const loaded = new LoadedVersions<Inference>(versions);
  const meter = new EvaluatorMeter(words);
  const check =
    reference === undefined
      ? undefined
      : new EvaluationCheck({
          share,
          net,
          engine,
          reference,
          open: (tensors) => openPlayingNet(reference, opened, name, tensors),
          meter,
        });
  /** The version as it plays: with checks, if there are any. */
  const openVersion = async (version: number, tensors: ReadonlyMap<string, Float32Array>) => {
    const inference = await openPlayingNet(engine, opened, name, tensors);
    return check?.watch(inference, tensors, calledNet(opened, name, version)) ?? inference;
  };
  /** Whether an answer out of its range has been reported. */
  let warned = false;

  const handle = async (message: ToEvaluator): Promise<void> => {
    switch (message.type) {
      case "slots":
        slots.set(message.worker, message.slots);
        return;
      case "end":
        return endThread();
      case "measure": {
        const random = Random.named("batch size");
        const trial = await openPlayingNet(engine, opened, name, initialWeights(net, random));
        const target = await measureBatchSize((count) => rows.tryOut(trial, count), message.most);
        await trial.dispose();
        post({ type: "measured", rows: target });
        return;
      }
      case "drop":
        await loaded.remove(message.version)?.dispose();
        meter.loaded(loaded.size);
        return;
      case "load": {
        const { version, tensors } = message;
        await loaded.remove(version)?.dispose();
        // Before the new one is opened, so that no more than the bound are in memory at any time.
        await loaded.makeRoom()?.dispose();
        try {
          loaded.add(version, await openVersion(version, tensors));
        } catch (error) {
          if (outcome === undefined) throw error;
          return reportLoaded(outcome, (error as Error).message);
        }
        if (outcome !== undefined) reportLoaded(outcome);
        meter.loaded(loaded.size);
        post({ type: "loaded", version });
      }
    }
  };
  /** A version of the net. If it is not loaded, this thread asks for its weights and does nothing else until they come. */
  const inferenceOf = async (version: number): Promise<Inference> => {
    for (let asked = false; ; asked = true) {
      const inference = loaded.use(version);
      if (inference !== undefined) return inference;
      if (!asked) post({ type: "wanted", version });
      // Looked for after each message: a later one may be another version, for which this one makes room.
      await handle(mailbox.take());
    }
  };

  for (;;) {
    const notifications = Atomics.load(notifier, 0);
    for (let message = mailbox.poll(); message !== undefined; message = mailbox.poll()) await handle(message);
    if (!batch.take([...slots.values()].flat(), enough)) {
      Atomics.wait(notifier, 0, notifications);
      continue;
    }
    meter.busy(true);
    const begun = threadSeconds();
    // One after another: however small the bound, every version has its turn.
    for (const version of batch.versions) {
      const inference = await inferenceOf(version);
      meter.computed(await batch.compute(version, inference));
      if (warned) continue;
      const message = inference.outOfRange?.();
      if (message === undefined) continue;
      warned = true;
      post({ type: "warning", message });
    }
    meter.busy(false);
    // GPUs and other processes work elsewhere, and so do further threads of a session.
    batch.respond(computesItself(compute) && compute.threads === 1 ? threadSeconds() - begun : NaN);
  }
}
