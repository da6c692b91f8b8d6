/** A thread with a session of its own, run directly: says how many rows a second it computes in batches of some size. */
import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { openEngine } from "../src/compute/open-engine.ts";
import { exportOnnx, openInference } from "../src/models/nets/inference.ts";
import { initialWeights } from "../src/models/net.ts";
import { type Experiment, networkOf, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { Random } from "../src/random.ts";
import { randomPositions } from "./random-positions.ts";

/** What the thread is started with. */
export interface RawSessionData {
  readonly experiment: Experiment;
  readonly net: string;
  /** The largest batch that will be asked for. */
  readonly most: number;
  /**
   * `exported`: the exported graph in a session made directly, from float planes to values and all logits. `evaluation`: the
   * graph that the evaluator runs, from packed planes to values and priors.
   */
  readonly graph: "exported" | "evaluation";
}

/** Computes batches of `rows` rows for so many milliseconds. */
export interface RawSessionTask {
  readonly rows: number;
  readonly milliseconds: number;
}

const { experiment, net: name, most, graph } = workerData as RawSessionData;
const { net } = networkOf(openExperiment(experiment), name);
const random = Random.named("bench", "raw");
const weights = initialWeights(net, random);
const run = graph === "exported" ? await exported() : await evaluation();
parentPort!.on("message", ({ rows, milliseconds }: RawSessionTask) => {
  const compute = async () => {
    await run(rows);
    const start = performance.now();
    let computed = 0;
    while (performance.now() - start < milliseconds) {
      await run(rows);
      computed += rows;
    }
    parentPort!.postMessage(computed);
  };
  void compute();
});
parentPort!.postMessage(0);

async function exported(): Promise<(rows: number) => Promise<unknown>> {
  const session = await InferenceSession.create(exportOnnx(net, weights), { intraOpNumThreads: 1 });
  const size = net.input.reduce((product, length) => product * length, 1);
  const x = Float32Array.from({ length: most * size }, () => random.below(2));
  const known = new Map<number, { feeds: Record<string, Tensor>; outputs: InferenceSession.ReturnType }>();
  return async (rows) => {
    let tensors = known.get(rows);
    if (tensors === undefined) {
      const feeds = { x: new Tensor("float32", x.subarray(0, rows * size), [rows, ...net.input]) };
      known.set(rows, (tensors = { feeds, outputs: await session.run(feeds) }));
    }
    await session.run(tensors.feeds, tensors.outputs);
  };
}

async function evaluation(): Promise<(rows: number) => Promise<unknown>> {
  const inference = await openInference(await openEngine({ threads: 1 }), net, weights);
  const { batch, out } = randomPositions(net, most, random);
  return (rows) => inference.run(batch, rows, out);
}
