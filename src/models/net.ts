import type { Tensor, Tensor2D, Tensor3D, Tensor4D } from "@tensorflow/tfjs-core";
import type { TensorsByName } from "../compute/tensors.ts";
import type { Random } from "../random.ts";
import { type Initialiser, initialised } from "./nets/initialiser.ts";

/** A parameter of a net: trained weights, or statistics that training keeps up to date. */
export interface ParameterSpec {
  /** The layer's path and the parameter's name: `block3/conv1/filter`. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly initialiser: Initialiser;
  /** False for running statistics: the optimiser leaves them alone. */
  readonly trained: boolean;
}

/**
 * What a net may learn in addition to value and policy, so that its tower gets more signal from a game than who won (Wu
 * 2019, sections 3.4 and 4.1): `score`, every seat's final return; `ownership`, the seat that covers each cell at the end;
 * `reply`, the policy of the next to move.
 */
export type AuxiliaryTarget = "score" | "ownership" | "reply";

/** What a net computes for a batch. */
export interface NetOutputs {
  /** [rows, seats]: a value per seat, in the units of the game's returns. */
  readonly value: Tensor2D;
  /** [rows, logits]: the logit of action a is number `logitOf[a]`, or number a where the net has no `logitOf`. */
  readonly policy?: Tensor2D;
  /** While training, where the net has that target: [rows, seats], in units of the game's returns. */
  readonly score?: Tensor2D;
  /** While training, where the net has that target: [rows, cells, seats], logits of covering the cell at the end. */
  readonly ownership?: Tensor3D;
  /** While training, where the net has that target: [rows, logits], as `policy`, of the next to move. */
  readonly reply?: Tensor2D;
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
  /** Number of actions, where the net has a policy. */
  readonly actions?: number;
  /** Numbers in a row of logits, where the net has a policy: as many as actions, or more. */
  readonly logits?: number;
  /** The place of every action's logit in a row of logits; absent where action a has number a. */
  readonly logitOf?: Int32Array;
  /** The net's auxiliary targets; none when absent. */
  readonly auxiliaryTargets?: readonly AuxiliaryTarget[];
  /** A value of this size counts as one unit of error in losses: about the size of the game's returns. */
  readonly valueScale: number;
  /** An error of this size in a score counts as one unit, where the net has that target. Default `valueScale`. */
  readonly scoreScale?: number;
  readonly parameters: readonly ParameterSpec[];
  /** `x` is [rows, height, width, channels]; while training, statistics come from the batch. */
  forward(parameters: TensorsByName, x: Tensor4D, training: boolean): NetOutputs;
}

/** Fresh parameters, drawn one after the other in the order of the specs. */
export function initialWeights(net: Net, random: Random): Map<string, Float32Array> {
  return new Map(
    net.parameters.map(({ name, shape, initialiser }) => [name, initialised(initialiser, shape, random)]),
  );
}
