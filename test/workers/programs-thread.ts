/** A thread for tests that never returns to its event loop and speaks with a program meanwhile. */
import { parentPort, workerData } from "node:worker_threads";
import { OutsideProgram } from "../../src/workers/outside-program.ts";

const program = new OutsideProgram(workerData as string[]);
for (;;) parentPort!.postMessage(program.readLine(60_000));
