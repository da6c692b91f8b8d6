import * as tf from "@tensorflow/tfjs-core";
import type { Compiled, Engine } from "../../compute/engine.ts";
import { OPEN_WIDTH, ROWS, sizeOf, type TensorsByName } from "../../compute/tensors.ts";
import { NetDoesNotFit } from "../definition.ts";
import type { Inference, Net } from "../net.ts";
import { gatherAmong } from "../nets/gather-logits.ts";
import { packedShapes, packedTypes, unpackPlanes } from "../nets/packed-input.ts";
import { assertActions, assertValues, type FittedModel } from "./fit-model.ts";
import { OutputJudge } from "./output-judge.ts";

/** Probabilities below this one count as this one, whose logarithm is finite. */
const LEAST = 1e-30;

/**
 * Opens a model from elsewhere: a graph of ours unpacks the planes for it, and another one makes values and priors of its
 * outputs. The model itself is computed as its file says. Throws ModelFailed, NetDoesNotFit.
 */
export async function openModel(engine: Engine, net: Net, model: FittedModel): Promise<Inference> {
  const names = [model.value, model.policy].flatMap((head) => (head === undefined ? [] : [head.name]));
  const batch = model.batch ?? ROWS;
  const computed = await engine.load(
    model.file,
    { [model.planes.name]: [batch, ...model.planes.shape] },
    names,
  );
  // What the file leaves open is known only now.
  const sizes = Object.fromEntries(
    Object.entries(computed.outputs).map(([name, [, ...sizeOfRow]]) => [name, sizeOf(sizeOfRow as number[])]),
  );
  try {
    assertFits(net, model, sizes);
  } catch (error) {
    await computed.dispose();
    throw error;
  }
  const unpack = await engine.compile(
    (inputs) => {
      const planes = unpackPlanes(net, inputs);
      return { planes: model.layout === "nhwc" ? planes : tf.transpose(planes, [0, 3, 1, 2]) };
    },
    packedShapes(net, ROWS),
    { types: packedTypes, name: "planes" },
  );
  const respond = await engine.compile(
    (inputs) => responses(net, model, inputs),
    {
      ...(model.value === undefined ? {} : { valueOutput: [ROWS, sizes[model.value.name]!] }),
      ...(model.policy === undefined
        ? {}
        : { policyOutput: [ROWS, sizes[model.policy.name]!], gather: [ROWS, OPEN_WIDTH] }),
    },
    { types: { gather: "int32" }, name: "responses" },
  );
  const compute = new BatchedModel(model, computed, sizes);
  const judge = new OutputJudge(model, sizes);
  return {
    run: async ({ bytes, floats, gather, width }, rows, out) => {
      const planes = compute.room(rows);
      await unpack.run({ bytes, floats }, { planes }, rows);
      await compute.run(rows);
      judge.look(compute.heads, gather, rows, width);
      await respond.run({ ...compute.heads, gather }, { ...out }, rows, width);
    },
    outOfRange: () => judge.outOfRange,
    dispose: async () => {
      await Promise.all([computed, unpack, respond].map((each) => each.dispose()));
    },
  };
}

function assertFits(net: Net, { game, policy, value }: FittedModel, sizes: Sizes): void {
  try {
    if (value !== undefined) assertValues(value.name, sizes[value.name], game);
    if (policy !== undefined) assertActions(policy.name, sizes[policy.name], game);
  } catch (error) {
    throw new NetDoesNotFit(net.name, game.name, (error as Error).message);
  }
}

/** Numbers in a row of each output of a model. */
type Sizes = Readonly<Record<string, number>>;

/** Values [rows, seats] and priors [rows, width] for the model's outputs. */
function responses(
  net: Net,
  { value: head, policy: moves }: FittedModel,
  inputs: TensorsByName,
): TensorsByName {
  const value = inputs["valueOutput"] as tf.Tensor2D | undefined;
  const policy = inputs["policyOutput"] as tf.Tensor2D | undefined;
  const all: Record<string, tf.Tensor> = {};
  if (value !== undefined && head !== undefined) {
    const bounded = head.tanh ? tf.tanh(value) : value;
    const scaled = tf.add(tf.mul(bounded, head.factor), head.offset);
    const alone = value.shape[1] < net.seats;
    all["value"] = alone ? tf.concat([scaled, tf.add(tf.mul(scaled, -1), head.sum)], 1) : scaled;
  }
  if (policy !== undefined && moves !== undefined) {
    const logits = moves.probabilities ? tf.log(tf.maximum(policy, LEAST)) : policy;
    all["prior"] = tf.softmax(gatherAmong(logits as tf.Tensor2D, inputs["gather"]!));
  }
  return all;
}

/** A model with room for the planes and the outputs of a batch. */
class BatchedModel {
  readonly #model: FittedModel;
  readonly #computed: Compiled;
  readonly #sizes: Sizes;
  #capacity = 0;
  #planes: Float32Array = new Float32Array(0);
  /** By the names of the model's outputs. */
  #outputs: Readonly<Record<string, Float32Array>> = {};

  constructor(model: FittedModel, computed: Compiled, sizes: Sizes) {
    this.#model = model;
    this.#computed = computed;
    this.#sizes = sizes;
  }

  /** Where the planes of this number of positions are to be written. */
  room(rows: number): Float32Array {
    const { batch = 1, planes } = this.#model;
    if (rows > this.#capacity) {
      // A model for batches of one size computes whole ones; what follows the last position is padding.
      this.#capacity = Math.ceil(rows / batch) * batch;
      this.#planes = new Float32Array(this.#capacity * sizeOf(planes.shape));
      this.#outputs = Object.fromEntries(
        Object.entries(this.#sizes).map(([name, size]) => [name, new Float32Array(this.#capacity * size)]),
      );
    }
    return this.#planes;
  }

  /** Computes the outputs of the first `rows` positions. */
  async run(rows: number): Promise<void> {
    const { batch, planes } = this.#model;
    if (batch === undefined) return this.#computed.run({ [planes.name]: this.#planes }, this.#outputs, rows);
    const size = sizeOf(planes.shape);
    for (let first = 0; first < rows; first += batch) {
      const outputs = Object.entries(this.#outputs).map(([name, all]) => [
        name,
        all.subarray(first * this.#sizes[name]!, (first + batch) * this.#sizes[name]!),
      ]);
      const part = this.#planes.subarray(first * size, (first + batch) * size);
      await this.#computed.run({ [planes.name]: part }, Object.fromEntries(outputs), batch);
    }
  }

  /** The outputs by their meaning. */
  get heads(): Readonly<Record<string, Float32Array>> {
    const { value, policy } = this.#model;
    return {
      ...(value === undefined ? {} : { valueOutput: this.#outputs[value.name]! }),
      ...(policy === undefined ? {} : { policyOutput: this.#outputs[policy.name]! }),
    };
  }
}
