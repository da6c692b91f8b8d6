/** The one thread of a process that has sessions on WebGPU, for all threads that are connected with it. */
import { env, type InferenceSession, type Tensor } from "onnxruntime-node";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { COMPUTING, ENDING } from "./device-connection.ts";
import { type DeviceReply, type DeviceRequest, type FlatTensor, runtimeTensors } from "./device-sessions.ts";
import { openPlaced } from "./placement.ts";
import { createResidentSession, type ResidentSession } from "./resident-session.ts";
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
  const sessions = new Map<number, Session | ResidentSession>();
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
  sessions: Map<number, Session | ResidentSession>,
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
  sessions: Map<number, Session | ResidentSession>,
  request: DeviceRequest,
): Promise<Record<string, FlatTensor>> {
  const { session: number } = request;
  if (request.do === "create") {
    const { model, options, state } = request;
    const open = (placed: InferenceSession.SessionOptions): Promise<Session | ResidentSession> =>
      state === undefined
        ? createSession(model, placed)
        : createResidentSession(model as Uint8Array, placed, {
            ...state,
            values: runtimeTensors(state.values),
          });
    sessions.set(number, await openPlaced(open, model, options, (message) => process.emitWarning(message)));
    return {};
  }
  const session = sessions.get(number)!;
  if (request.do === "release") {
    sessions.delete(number);
    await session.release();
    return {};
  }
  if (request.do === "read") return flat(await (session as ResidentSession).read(request.names));
  const { inPlace, outputs } = request;
  const shared = runtimeTensors(inPlace);
  const fetches = Object.fromEntries(outputs.map((name) => [name, shared[name] ?? null]));
  const results = await session.run(runtimeTensors(request.feeds), fetches);
  return flat(
    Object.fromEntries(
      outputs.filter((name) => inPlace[name] === undefined).map((name) => [name, results[name]!]),
    ),
  );
}

function flat(tensors: Readonly<Record<string, Tensor>>): Record<string, FlatTensor> {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { data, dims, type }]) => [name, { type, data, dims } as FlatTensor]),
  );
}
