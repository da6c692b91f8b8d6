/** Runs a thread's own module, and fails in place of one of its responses. */
import worker, { parentPort, workerData } from "node:worker_threads";
import { syncBuiltinESMExports } from "node:module";
import type { FailingData } from "./watched-threads.ts";

const { module, failure, data } = workerData as FailingData;
const port = parentPort!;
const post = port.postMessage.bind(port);
let responses = 0;
port.postMessage = (...message: Parameters<typeof post>) => {
  const due = ++responses === failure.atRequest;
  if (due && (failure.again || Atomics.compareExchange(failure.done, 0, 0, 1) === 0)) {
    if (failure.how === "exit") process.exit(7);
    if (failure.how === "fill its heap")
      for (const kept: object[] = []; ;) kept.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
    throw new Error("the disk is on fire");
  }
  post(...message);
};
Object.assign(worker, { workerData: data });
syncBuiltinESMExports();
await import(module);
