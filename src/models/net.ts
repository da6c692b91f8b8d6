import type { Tensor, Tensor2D, Tensor4D } from "@tensorflow/tfjs-core";
import type { Tensors } from "../compute/tensors.ts";
import type { Random } from "../random.ts";
import { type Initialiser, initialised } from "./initialiser.ts";

/** A parameter of a net: trained weights, or statistics that training keeps up to date. */
export interface ParameterSpec {
  /** The layer's path and the parameter's name: `block3/conv1/filter`. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly initialiser: Initialiser;
  /** False for running statistics: the optimiser leaves them alone. */
  readonly trained: boolean;
}

/** What a net computes for a batch. */
export interface NetOutputs {
  /** [rows, seats]: a value per seat, in the units of the game's returns. */
  readonly value: Tensor2D;
  /** [rows, actions]: logits over the fixed numbering of decisions. */
  readonly policy?: Tensor2D;
  /** While training: new values of the parameters that are not trained. */
  readonly state: Readonly<Record<string, Tensor>>;
}

/** A net: a pure tfjs function with its parameters. */
export interface Net {
  /** The net's name in experiment files. */
  readonly name: string;
  /** One position: height, width, channels. */
  readonly input: readonly [height: number, width: number, channels: number];
  /** Number of values: the game's seats. */
  readonly seats: number;
  /** Number of logits, where the net has a policy. */
  readonly actions?: number;
  /** A value of this size counts as one unit of error in losses: about the size of the game's returns. */
  readonly valueScale: number;
  readonly parameters: readonly ParameterSpec[];
  /** `x` is [rows, height, width, channels]; while training, statistics come from the batch. */
  forward(parameters: Tensors, x: Tensor4D, training: boolean): NetOutputs;
}

/** Fresh parameters, drawn one after the other in the order of the specs. */
export function initialWeights(net: Net, random: Random): Map<string, Float32Array> {
  return new Map(
    net.parameters.map(({ name, shape, initialiser }) => [name, initialised(initialiser, shape, random)]),
  );
}
