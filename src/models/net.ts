import type { Tensor, Tensor2D, Tensor3D, Tensor4D } from "@tensorflow/tfjs-core";
import type { Engine } from "../compute/engine.ts";
import type { TensorsByName } from "../compute/tensors.ts";
import type { PlaneEncoding } from "../games/game.ts";
import type { PackedRows } from "../games/packed-planes.ts";
import type { Random } from "../random.ts";
import { type Initialiser, initialised } from "./nets/initialiser.ts";

/** A parameter of a net: trained weights, or statistics that training keeps up to date. */
export interface ParameterSpec {
  /** The path of the layer and the name of the parameter: `block3/conv1/filter`. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly initialiser: Initialiser;
  /** False for running statistics: the optimiser leaves them alone. */
  readonly trained: boolean;
}

/**
 * What a net may learn in addition to value and policy, so that its tower gets more signal from a game than the winner (Wu
 * 2019, sections 3.4 and 4.1): `score`, every seat's final score (`Game.nets.score`, or its return); `ownership`, the seat that covers each cell at the end;
 * `reply`, the policy of the next decision.
 */
export type AuxiliaryTarget = "score" | "ownership" | "reply";

/** What a net computes for a batch. */
export interface NetOutputs {
  /** [rows, seats]: a value for each seat, in the units of the net's `values` option; absent without a value head. */
  readonly value?: Tensor2D;
  /** [rows, logits]: the logit of action a has index `logitOf[a]`, or index a if the net has no `logitOf`. */
  readonly policy?: Tensor2D;
  /** In training, if the net has this target: [rows, seats], in units of the game's scores. */
  readonly score?: Tensor2D;
  /** In training, if the net has this target: [rows, cells, seats], logits of covering the cell at the end. */
  readonly ownership?: Tensor3D;
  /** In training, if the net has this target: [rows, logits], the policy of the next decision, laid out as `policy`. */
  readonly reply?: Tensor2D;
  /** In training: new values of the parameters that are not trained. */
  readonly state: Readonly<Record<string, Tensor>>;
}

/** A net: a pure tfjs function with its parameters. */
export interface Net {
  /** The net's name in experiment files. */
  readonly name: string;
  /** The shape of one position: height, width, channels. */
  readonly input: readonly [height: number, width: number, channels: number];
  /** How the planes of a position are packed for transfer (`PlanePacker`). */
  readonly encoding: readonly PlaneEncoding[];
  /** Number of values: the number of seats of the game. */
  readonly seats: number;
  /** False for a net without a value head. */
  readonly hasValue?: false;
  /** Number of actions; absent without a policy. */
  readonly actions?: number;
  /** Logits in a row, at least as many as actions; absent without a policy. */
  readonly logits?: number;
  /** The index of each action's logit in a row; absent if the logit of action a has index a. */
  readonly logitOf?: Int32Array;
  /** Most legal actions of a position (`Game.maxLegal`); absent without a policy. */
  readonly maxLegal?: number;
  /** The net's auxiliary targets; none when absent. */
  readonly auxiliaryTargets?: readonly AuxiliaryTarget[];
  /** One unit of value errors in losses: about the size of the values. */
  readonly valueScale: number;
  /** One unit of score errors in losses, for nets with the target `score`. Default `valueScale`. */
  readonly scoreScale?: number;
  readonly parameters: readonly ParameterSpec[];
  /**
   * What computes this net in place of `forward` and weights, such as a model of others. A net with it has no parameters
   * and is not trained.
   */
  readonly model?: {
    /** Number of its weights, roughly. */
    readonly weights: number;
    /** Its file, and its own names of its outputs. */
    readonly file: string;
    readonly outputs: { readonly value?: string; readonly policy?: string };
    /** Throws ModelFailed, NetDoesNotFit. */
    open(engine: Engine): Promise<Inference>;
  };
  /** `x` is [rows, height, width, channels]. In training, batch normalisation uses the statistics of the batch. */
  forward(parameters: TensorsByName, x: Tensor4D, training: boolean): NetOutputs;
}

/**
 * The name of an array among the weights of a version that plays in int8: the least and the greatest number of each quantised
 * activation. It is not a parameter of the net.
 */
export const INT8_RANGES = "int8/ranges";

/** A net with fixed weights, ready to evaluate batches. */
export interface Inference {
  /**
   * Evaluates the first `rows` positions of a batch.
   *
   * Writes, for nets with a value head, values [rows, seats] and, for nets with a policy, priors [rows, width]: the softmax over the gathered logits of
   * each row, 0 after the last. The arrays may be longer than needed and may lie in shared memory. They belong to the caller
   * again when the promise settles; until then the thread is busy.
   */
  run(batch: InferenceBatch, rows: number, out: InferenceOutputs): Promise<void>;
  /**
   * The first number so far that is finite and none of those that the output was said to have, in words; undefined if there is none.
   * Absent from nets of which nothing is said.
   */
  outOfRange?(): string | undefined;
  dispose(): Promise<void>;
}

/** Positions and the gather indices of their legal actions. */
export interface InferenceBatch extends PackedRows {
  /**
   * Row-major [rows, width], for nets with a policy: the indices of the logits of the legal actions of each position
   * (`Net.logitOf`), and `NO_INDEX` after the last.
   */
  readonly gather: Int32Array;
  /** A width that `gatherWidth` gives, so that the bits of a position do not depend on its batch. */
  readonly width: number;
}

/** The arrays that receive the outputs. */
export interface InferenceOutputs {
  readonly value: Float32Array;
  readonly prior?: Float32Array;
}

/** Initial parameters, drawn in the order of the specs. */
export function initialWeights(net: Net, random: Random): Map<string, Float32Array> {
  return new Map(
    net.parameters.map(({ name, shape, initialiser }) => [name, initialised(initialiser, shape, random)]),
  );
}
