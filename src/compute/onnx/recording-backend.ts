import * as tf from "@tensorflow/tfjs-core";
import type { ElementType } from "./graph.ts";
import { arrangementKernels } from "./kernels/arrangement.ts";
import { convolutionKernels } from "./kernels/convolution.ts";
import { elementwiseKernels } from "./kernels/elementwise.ts";
import { gatherKernels } from "./kernels/gather.ts";
import type { KernelMappings } from "./kernels/kernel.ts";
import { normalisationKernels } from "./kernels/normalisation.ts";
import { productKernels } from "./kernels/product.ts";
import { reductionKernels } from "./kernels/reduction.ts";
import type { RecordedTensor } from "./recorded-tensor.ts";
import { Recording, type RecordingOptions } from "./recording.ts";

const BACKEND = "onnx-recorder";

/** The kernels that can be recorded. */
export const recordedKernels: KernelMappings = {
  ...elementwiseKernels,
  ...arrangementKernels,
  ...gatherKernels,
  ...reductionKernels,
  ...productKernels,
  ...convolutionKernels,
  ...normalisationKernels,
};

/** A traced function used a tfjs kernel that has no counterpart in the recorded graph. */
export class KernelNotRecorded extends Error {
  readonly _tag = "KernelNotRecorded";
  readonly kernel: string;
  readonly layer: string;

  constructor(kernel: string, layer: string, reason?: string) {
    const place = layer === "" ? "outside any layer" : `in layer ${layer}`;
    super(
      reason === undefined
        ? `the tfjs kernel ${kernel}, used ${place}, has no ONNX mapping; ` +
            "express the layer with other operations, or use the engine tfjs"
        : `the tfjs kernel ${kernel}, used ${place}: ${reason}`,
    );
    this.name = "KernelNotRecorded";
    this.kernel = kernel;
    this.layer = layer;
  }
}

/** A tfjs backend that computes nothing. It writes every kernel into the graph being recorded. */
class RecordingBackend extends tf.KernelBackend {
  recording: Recording | undefined;

  /** The recording under way. */
  get current(): Recording {
    if (this.recording === undefined) throw new Error("nothing is being recorded");
    return this.recording;
  }

  override write(values: tf.BackendValues, shape: number[], dtype: tf.DataType): tf.DataId {
    const id = {};
    this.move(id, values, shape, dtype);
    return id;
  }

  override move(id: tf.DataId, values: tf.BackendValues, shape: number[], dtype: tf.DataType) {
    const type = dtype as ElementType;
    const data = values as Float32Array | Int32Array | Uint8Array;
    const uniform = data.every((value) => value === data[0]) ? data[0] : undefined;
    this.current.set(id, {
      kind: "constant",
      shape,
      type,
      layer: "",
      forms: {},
      name: "constant/given",
      // tfjs passes plain lists for small tensors.
      data: Array.isArray(data) ? arrayOf(type, data) : data,
      ...(uniform === undefined ? {} : { uniform }),
    });
  }

  override readSync(): never {
    throw new Error("a traced function reads a tensor's values, which are not known yet");
  }

  override disposeData(): boolean {
    return true;
  }

  override numDataIds(): number {
    return 0;
  }

  override refCount(): number {
    return 1;
  }

  override incRef(): void {}

  override memory(): { unreliable: boolean } {
    return { unreliable: true };
  }

  override timerAvailable(): boolean {
    return false;
  }

  override floatPrecision(): 32 {
    return 32;
  }

  override epsilon(): number {
    return 1e-7;
  }

  override dispose(): void {}
}

const backend = new RecordingBackend();
tf.registerBackend(BACKEND, () => backend, 0);

for (const [key, name] of Object.entries(tf)) {
  // tfjs exports the name of every kernel as a constant whose name and value are equal.
  if (key === name && !(name in recordedKernels)) register(name);
}
for (const name of Object.keys(recordedKernels)) register(name);

function register(kernelName: string): void {
  tf.registerKernel({
    kernelName,
    backendName: BACKEND,
    kernelFunc: ({ inputs, attrs }) => {
      const recording = backend.current;
      const named = Object.fromEntries(
        Object.entries(inputs)
          .filter(([, info]) => info !== undefined && info !== null)
          .map(([name, info]) => [name, recording.get((info as tf.TensorInfo).dataId)]),
      );
      recording.enter(Object.values(named));
      const mapping = recordedKernels[kernelName];
      if (mapping === undefined) throw new KernelNotRecorded(kernelName, recording.layer);
      try {
        const attributes = (attrs ?? {}) as Readonly<Record<string, unknown>>;
        const result = mapping({ recording, inputs: named, attributes });
        return "shape" in result
          ? tensorInfo(recording, result, attributes)
          : result.map((part) => tensorInfo(recording, part, {}));
      } catch (error) {
        if (error instanceof KernelNotRecorded) throw error;
        throw new KernelNotRecorded(kernelName, recording.layer, (error as Error).message);
      }
    },
  });
}

function tensorInfo(
  recording: Recording,
  tensor: RecordedTensor,
  attributes: Readonly<Record<string, unknown>>,
): tf.TensorInfo {
  const dataId = {};
  recording.set(dataId, tensor);
  const dtype = (attributes["dtype"] as tf.DataType | undefined) ?? (tensor.type as tf.DataType);
  return { dataId, shape: [...tensor.shape], dtype };
}

/** A tfjs tensor that represents `recorded` inside the recording under way. */
export function placeholder(recording: Recording, recorded: RecordedTensor): tf.Tensor {
  const info = tensorInfo(recording, recorded, {});
  return tf.engine().makeTensorFromTensorInfo(info);
}

/** Runs `body` while tfjs records into a new graph. Afterwards tfjs computes as before. */
export function record<T>(options: RecordingOptions, body: (recording: Recording) => T): T {
  if (backend.recording !== undefined) throw new Error("a function is already being recorded");
  const before = tf.getBackend();
  const recording = new Recording(options);
  backend.recording = recording;
  // Both backends initialise synchronously, so the change has happened when the call returns.
  void tf.setBackend(BACKEND);
  tf.engine().startScope("record");
  try {
    return body(recording);
  } finally {
    tf.engine().endScope();
    backend.recording = undefined;
    if (before !== "" && before !== undefined) void tf.setBackend(before);
  }
}

function arrayOf(type: ElementType, values: readonly number[]) {
  if (type === "int32") return Int32Array.from(values);
  if (type === "bool") return Uint8Array.from(values);
  return Float32Array.from(values);
}
