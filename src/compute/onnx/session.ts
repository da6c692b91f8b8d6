import { InferenceSession, type Tensor } from "onnxruntime-node";

/** A graph that ONNX Runtime has opened, in this thread or in that of its device. */
export interface Session {
  /** Computes the outputs that are named; those whose tensors are given are written there. */
  run(
    feeds: Readonly<Record<string, Tensor>>,
    outputs: readonly string[] | Readonly<Record<string, Tensor | null>>,
  ): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** Opens a graph: the bytes of a model, or the path of its file. */
export type CreateSession = (
  model: Uint8Array | string,
  options: InferenceSession.SessionOptions,
) => Promise<Session>;

/** Opens a session in the calling thread. */
export const createSession: CreateSession = (model, options) =>
  typeof model === "string"
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options);
