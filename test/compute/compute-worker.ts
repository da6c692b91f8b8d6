import { parentPort, workerData } from "node:worker_threads";
import * as tf from "@tensorflow/tfjs-core";
import { openEngine } from "../../src/compute/open-engine.ts";

/** Multiplies 1 by twice and by three times the factor given, by two engines in turn. */
const engines = [await openEngine(), await openEngine({ threads: 2 })];
const compiled = await Promise.all(
  engines.map((engine, i) =>
    engine.compile(({ x }) => ({ y: tf.mul(x!, (workerData as number) * (i + 2)) }), { x: [1] }),
  ),
);
const answers: number[] = [];
for (const program of compiled) {
  const y = new Float32Array(1);
  await program.run({ x: Float32Array.of(1) }, { y }, 1);
  answers.push(y[0]!);
}
parentPort!.postMessage(answers);
