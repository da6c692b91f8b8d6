/** The one thread of a process that has sessions on WebGPU, for all threads that are connected with it. */
import { env, Tensor } from "onnxruntime-node";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { COMPUTING, ENDING } from "./device-connection.ts";
import type { DeviceReply, DeviceRequest, FlatTensor } from "./device-sessions.ts";
import { createSession, type Session } from "./session.ts";

env.logLevel = "fatal";

const words = workerData as Int32Array;
/** Requests of all threads are served one after another. */
let last: Promise<void> = Promise.resolve();

/** Calls `compute` once all that was asked for before is done, unless the process is ending. */
function queue(compute: () => Promise<void>): void {
  last = last.then(async () => {
    Atomics.store(words, COMPUTING, 1);
    try {
      if (Atomics.load(words, ENDING) === 0) await compute();
    } finally {
      Atomics.store(words, COMPUTING, 0);
      Atomics.notify(words, COMPUTING);
    }
  });
}

parentPort!.on("message", (port: MessagePort) => {
  const sessions = new Map<number, Session>();
  port.on("message", (request: DeviceRequest) => {
    queue(() => respond(port, sessions, request));
  });
  port.on("close", () => {
    queue(async () => {
      for (const session of sessions.values()) await session.release();
      sessions.clear();
    });
  });
});

async function respond(
  port: MessagePort,
  sessions: Map<number, Session>,
  request: DeviceRequest,
): Promise<void> {
  const { ticket } = request;
  try {
    const results = await performed(sessions, request);
    const transfer = Object.values(results).map(({ data }) => data.buffer as ArrayBuffer);
    port.postMessage({ ticket, results } satisfies DeviceReply, transfer);
  } catch (error) {
    port.postMessage({ ticket, error: (error as Error).message } satisfies DeviceReply);
  }
}

/** Performs a request; returns the outputs that are not written in place. */
async function performed(
  sessions: Map<number, Session>,
  request: DeviceRequest,
): Promise<Record<string, FlatTensor>> {
  const { session: number } = request;
  if (request.do === "create") {
    sessions.set(number, await createSession(request.model, request.options));
    return {};
  }
  const session = sessions.get(number)!;
  if (request.do === "release") {
    sessions.delete(number);
    await session.release();
    return {};
  }
  const { inPlace, outputs } = request;
  const shared = tensorsOf(inPlace);
  const fetches = Object.fromEntries(outputs.map((name) => [name, shared[name] ?? null]));
  const results = await session.run(tensorsOf(request.feeds), fetches);
  return Object.fromEntries(
    outputs
      .filter((name) => inPlace[name] === undefined)
      .map((name) => {
        const { data, dims, type } = results[name]!;
        return [name, { type, data, dims } as FlatTensor];
      }),
  );
}

function tensorsOf(flat: Readonly<Record<string, FlatTensor>>): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(flat).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]),
  );
}
