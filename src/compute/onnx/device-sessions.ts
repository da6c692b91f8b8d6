import { type InferenceSession, Tensor } from "onnxruntime-node";
import type { MessagePort } from "node:worker_threads";
import type { InputArray, InputType } from "../tensors.ts";
import { ownConnection, reasonOfEnd } from "./device-connection.ts";
import type { CreateResident, ResidentSession } from "./resident-session.ts";
import type { CreateSession, Session } from "./session.ts";

/** A tensor on its way between two threads. */
export interface FlatTensor {
  readonly type: InputType;
  readonly data: InputArray;
  readonly dims: readonly number[];
}

type Tensors = Readonly<Record<string, Tensor>>;
type FlatTensors = Readonly<Record<string, FlatTensor>>;

/** A request to the thread of a device; each connection numbers its sessions. */
export type DeviceRequest = { readonly ticket: number; readonly session: number } & (
  | {
      readonly do: "create";
      readonly model: Uint8Array | string;
      readonly options: InferenceSession.SessionOptions;
      /** What the graph keeps; absent: nothing. */
      readonly state?: {
        readonly values: FlatTensors;
        readonly next: readonly (readonly [input: string, output: string])[];
      };
    }
  | {
      readonly do: "run";
      readonly feeds: FlatTensors;
      /** Names of the outputs. */
      readonly outputs: readonly string[];
      /** Outputs in shared memory, which are written there. */
      readonly inPlace: FlatTensors;
    }
  | {
      readonly do: "read";
      /** Names of kept inputs. */
      readonly names: readonly string[];
    }
  | { readonly do: "release" }
);

/** Its response: the outputs that were not written in place. */
export type DeviceReply =
  | { readonly ticket: number; readonly results: FlatTensors }
  | { readonly ticket: number; readonly error: string };

/** Opens sessions in the thread of the device; its connection is opened with the first one. */
export const createDeviceSession: CreateSession = async (model, options) =>
  await connected().create(model, options);

/** The same for a session that keeps values on the device. */
export const createResidentDeviceSession: CreateResident = async (model, options, { next, values }) =>
  await connected().create(model, options, { next, values: flatTensors(Object.entries(values)) });

function connected(): DeviceSessions {
  return (opened ??= new DeviceSessions(ownConnection()));
}

let opened: DeviceSessions | undefined;

/** A request without its ticket. */
type Asked<R> = R extends DeviceRequest ? Omit<R, "ticket"> : never;

interface Waiter {
  readonly resolve: (results: FlatTensors) => void;
  readonly reject: (error: Error) => void;
}

/** The sessions of the calling thread in the thread of the device. */
class DeviceSessions {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiter>();
  #tickets = 0;
  #sessions = 0;
  #closed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (reply: DeviceReply) => {
      const waiter = this.#waiting.get(reply.ticket);
      this.#forget(reply.ticket);
      if ("error" in reply) waiter?.reject(new Error(reply.error));
      else waiter?.resolve(reply.results);
    });
    port.on("close", () => {
      this.#closed = true;
      for (const [ticket, { reject }] of this.#waiting) {
        this.#forget(ticket);
        reject(goneError());
      }
    });
    // Only open requests keep the calling thread alive.
    port.unref();
  }

  async create(
    model: Uint8Array | string,
    options: InferenceSession.SessionOptions,
    state?: (DeviceRequest & { readonly do: "create" })["state"],
  ): Promise<Session & ResidentSession> {
    const session = this.#sessions++;
    await this.#ask({ do: "create", session, model, options, ...(state === undefined ? {} : { state }) });
    return {
      run: (feeds, outputs) => this.#run(session, feeds, outputs),
      read: async (names) => runtimeTensors(await this.#ask({ do: "read", session, names })),
      release: async () => void (await this.#ask({ do: "release", session })),
    };
  }

  async #run(session: number, feeds: Tensors, outputs: Parameters<Session["run"]>[1]): Promise<Tensors> {
    const given = new Map(
      isNames(outputs) ? outputs.map((name) => [name, null]) : Object.entries<Tensor | null>(outputs),
    );
    const shared = [...given].filter((entry): entry is [string, Tensor] => isShared(entry[1]?.data));
    const results = await this.#ask({
      do: "run",
      session,
      feeds: flatTensors(Object.entries(feeds)),
      outputs: [...given.keys()],
      inPlace: flatTensors(shared),
    });
    return Object.fromEntries(
      [...given].map(([name, tensor]) => {
        const result = results[name];
        if (tensor === null) return [name, tensorOf(result!)];
        if (result !== undefined) (tensor.data as InputArray).set(result.data);
        return [name, tensor];
      }),
    );
  }

  #ask(request: Asked<DeviceRequest>): Promise<FlatTensors> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(goneError());
      const ticket = this.#tickets++;
      this.#waiting.set(ticket, { resolve, reject });
      this.#port.ref();
      this.#port.postMessage({ ...request, ticket } satisfies DeviceRequest);
    });
  }

  #forget(ticket: number): void {
    this.#waiting.delete(ticket);
    if (this.#waiting.size === 0) this.#port.unref();
  }
}

function tensorOf({ data, dims, type }: FlatTensor): Tensor {
  return new Tensor(type, data, dims);
}

/** The tensors that a message holds. */
export function runtimeTensors(flat: FlatTensors): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(flat).map(([name, each]) => [name, tensorOf(each)]));
}

function goneError(): Error {
  return new Error(`the thread that computes on webgpu has ended${reasonOfEnd()}`);
}

function flatTensors(tensors: readonly (readonly [string, Tensor])[]): FlatTensors {
  return Object.fromEntries(
    tensors.map(([name, { type, data, dims }]) => [
      name,
      { type: type as InputType, data: sendable(data as InputArray), dims },
    ]),
  );
}

/** An array whose message holds no more than its own numbers: that of a view would hold all of the memory below. */
function sendable(data: InputArray): InputArray {
  return isShared(data) || data.byteLength === data.buffer.byteLength ? data : data.slice();
}

function isShared(data: unknown): boolean {
  return ArrayBuffer.isView(data) && data.buffer instanceof SharedArrayBuffer;
}

function isNames(outputs: Parameters<Session["run"]>[1]): outputs is readonly string[] {
  return Array.isArray(outputs);
}
