import { moduleBeside } from "../../module-beside.ts";
import { isMainThread, MessageChannel, type MessagePort, Worker, workerData } from "node:worker_threads";
import { ComputeUnavailable, type Device } from "../engine.ts";

/** Where a thread finds its connection in its `workerData`. */
const CONNECTION = "deviceConnection";

/** The thread that has all sessions of this process on WebGPU, once it was needed. */
let deviceThread: Worker | undefined;
/** Why the latest one has ended. */
let ended = "";

/**
 * A new connection to the one thread of this process that creates, runs and releases sessions on WebGPU: ONNX Runtime's provider
 * ends the process if two threads use it. The main thread starts it when it is first needed. It lives as long as the process.
 */
function connect(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  (deviceThread ??= startDeviceThread()).postMessage(port2, [port2]);
  return port1;
}

/** Index into the words that the main thread shares with the thread of the device: 1 while a native call is running. */
export const COMPUTING = 0;
/** Index into the same words: 1 once the process ends, so that no further call begins. */
export const ENDING = 1;

/** Milliseconds that the end of the process waits for what is being computed. */
const PATIENCE = 10_000;

function startDeviceThread(): Worker {
  const module = moduleBeside("device-thread", import.meta.url);
  const words = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(module, { name: "webgpu", workerData: words });
  thread.unref();
  // A thread that is ended in the middle of a native call ends the process by SIGABRT.
  process.on("exit", () => {
    Atomics.store(words, ENDING, 1);
    Atomics.wait(words, COMPUTING, 1, PATIENCE);
  });
  thread.on("error", (error) => (ended = error.message));
  thread.on("exit", (code) => {
    ended ||= `exit code ${code}`;
    deviceThread = undefined;
  });
  return thread;
}

/** What a thread that computes nets on this device needs in its `workerData`, and the ports among it. */
export function connectionFor(device: Device | undefined): {
  readonly data: Readonly<Record<string, MessagePort>>;
  readonly ports: readonly MessagePort[];
} {
  if (device !== "webgpu") return { data: {}, ports: [] };
  const port = connect();
  return { data: { [CONNECTION]: port }, ports: [port] };
}

/** The connection of the calling thread. Throws ComputeUnavailable in a thread that ludoflow has not started. */
export function ownConnection(): MessagePort {
  if (isMainThread) return connect();
  const port = (workerData as Readonly<Record<string, MessagePort>> | null)?.[CONNECTION];
  if (port !== undefined) return port;
  throw new ComputeUnavailable(
    "onnx on webgpu",
    "ONNX Runtime computes on WebGPU in one thread of a process only, and this worker thread cannot reach it",
    "call ludoflow from the main thread, or choose the device cpu",
  );
}

/** Why the thread has ended, as far as it is known in the calling thread. */
export function reasonOfEnd(): string {
  return ended === "" ? "" : `: ${ended}`;
}
