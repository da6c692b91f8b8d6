import { InferenceSession, Tensor } from "onnxruntime-node";
import type { GraphProto } from "./model-messages.ts";
import { encodeModel, valueInfo } from "./graph.ts";
import type { Session } from "./session.ts";

/** The values that a graph keeps from call to call. */
export interface ResidentState {
  /** Inputs of the graph before its first call, by name. */
  readonly values: Readonly<Record<string, Tensor>>;
  /** Which output replaces an input for the next call. */
  readonly next: readonly (readonly [input: string, output: string])[];
}

/** A session that keeps a part of its inputs, where it computes. */
export interface ResidentSession extends Session {
  /** Copies of kept inputs as they are now. */
  read(names: readonly string[]): Promise<Readonly<Record<string, Tensor>>>;
}

/** Opens a graph with the values that it keeps. */
export type CreateResident = (
  model: Uint8Array,
  options: InferenceSession.SessionOptions,
  state: ResidentState,
) => Promise<ResidentSession>;

/** Outputs of this kind stay in the memory of the device. */
const ON_DEVICE = "gpu-buffer";

/** The prefix of a copy's name. */
const COPY = "copy/";

/**
 * Opens a session in the calling thread that keeps values in the memory of its device: they are copied there once, no call copies
 * them back, and `read` copies those that are named. Two buffers of each value take turns, so that no call allocates one.
 *
 * ONNX Runtime's binding for Node cannot read such a buffer, so a graph of plain copies does.
 */
export const createResidentSession: CreateResident = async (model, options, { next, values }) => {
  const onDevice = options.executionProviders?.includes("webgpu") === true;
  const staying = (names: readonly string[]) =>
    onDevice ? { preferredOutputLocation: Object.fromEntries(names.map((name) => [name, ON_DEVICE])) } : {};
  const names = Object.keys(values);
  const session = await InferenceSession.create(model, {
    ...options,
    ...staying(next.map(([, output]) => output)),
  } as InferenceSession.SessionOptions);
  const copies = copyGraph(values);
  const reader = await InferenceSession.create(copies, options);
  const current: Record<string, Tensor> = { ...values };
  if (onDevice) {
    const writer = await InferenceSession.create(copies, {
      ...options,
      ...staying(names.map((name) => `${COPY}${name}`)),
    } as InferenceSession.SessionOptions);
    Object.assign(current, withoutPrefix(await writer.run(current)));
    await writer.release();
  }
  /** The buffers of the call before the last one, by the name of the output. */
  const spare: Record<string, Tensor> = {};
  return {
    run: async (feeds, outputs) => {
      const wanted = Object.fromEntries(
        Array.isArray(outputs) ? (outputs as string[]).map((name) => [name, null]) : Object.entries(outputs),
      ) as Record<string, Tensor | null>;
      for (const [, output] of next) wanted[output] = spare[output] ?? null;
      const results = await session.run({ ...current, ...feeds }, wanted);
      for (const [input, output] of next) {
        if (onDevice) spare[output] = current[input]!;
        current[input] = results[output]!;
      }
      return results;
    },
    read: async (wanted) =>
      withoutPrefix(
        await reader.run(
          current,
          wanted.map((name) => `${COPY}${name}`),
        ),
      ),
    release: async () => {
      await session.release();
      await reader.release();
    },
  };
};

/** A model that copies each of these tensors. */
function copyGraph(values: ResidentState["values"]): Uint8Array {
  const named = Object.entries(values);
  const graph: GraphProto = {
    name: "copies",
    node: named.map(([name]) => ({
      name: `${COPY}${name}`,
      opType: "Identity",
      input: [name],
      output: [`${COPY}${name}`],
    })),
    input: named.map(([name, { dims }]) => valueInfo(name, dims)),
    output: named.map(([name, { dims }]) => valueInfo(`${COPY}${name}`, dims)),
  };
  return encodeModel(graph);
}

function withoutPrefix(results: Readonly<Record<string, Tensor>>): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(results).map(([name, tensor]) => [name.slice(COPY.length), tensor]),
  );
}
