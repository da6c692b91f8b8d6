import type { InputArray, InputType } from "../../../compute/tensors.ts";
import type { Planes } from "../../../games/game.ts";
import type { PlanePacker } from "../../../games/packed-planes.ts";
import { type LossOptions, openLoss } from "../../../models/nets/loss.ts";
import {
  type AuxiliaryArrays,
  lossTargets,
  type TargetName,
  type TargetSpec,
  targetTypes,
} from "../../../models/nets/loss-targets.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import type { TrainingBatch } from "../../../models/nets/training.ts";

/** The parts of the minibatches for a net and a loss. */
export interface BatchLayout<S> {
  /** The input planes of the net. */
  readonly planes: Planes<S>;
  /** Number of rows of a batch. */
  readonly batch: number;
  /** The layout of policies, if the loss has one. */
  readonly policy?: PolicyRows;
  /** Further inputs of the loss, auxiliary targets among them; see `lossTargets`. */
  readonly auxiliary: readonly TargetSpec[];
  /** Whether each position is drawn with a random symmetry of the board. */
  readonly symmetries: boolean;
}

/** The layout of policies in a minibatch. */
export interface PolicyRows {
  /** The index of each action's logit; absent: the action itself. */
  readonly logitOf?: Int32Array;
  /** Whether `policyIndices` lists all legal actions; else only those of the policy target. */
  readonly legalOnly: boolean;
}

/** The layout of the minibatches for a net that is trained with a loss. */
export function batchLayout(
  {
    batch,
    loss: options,
    symmetries,
  }: { readonly batch: number; readonly loss: LossOptions; readonly symmetries: boolean },
  { net, planes }: OpenNetwork,
): BatchLayout<unknown> {
  const loss = openLoss(options);
  const { logitOf } = net;
  const policy = { legalOnly: loss.legalOnly, ...(logitOf === undefined ? {} : { logitOf }) };
  return { planes, batch, ...(loss.policy ? { policy } : {}), auxiliary: lossTargets(net, loss), symmetries };
}

/** Memory for a minibatch of this layout, shared between threads, in a game of so many seats and legal actions. */
export function batchRoom<S>(
  { batch, policy, auxiliary }: Pick<BatchLayout<S>, "batch" | "policy" | "auxiliary">,
  packer: Pick<PlanePacker<S>, "bytes" | "floats">,
  { maxLegal, players }: { readonly maxLegal: number; readonly players: number },
): TrainingBatch {
  const shared = (width: number, bytesEach: number) => new SharedArrayBuffer(batch * width * bytesEach);
  const floats = (width: number) => new Float32Array(shared(width, 4));
  const integers = (width: number) => new Int32Array(shared(width, 4));
  const bytes = (width: number) => new Uint8Array(shared(width, 1));
  const rooms = { float32: floats, int32: integers, uint8: bytes };
  const types: Partial<Record<TargetName, InputType>> = targetTypes;
  const targets = auxiliary.map(({ name, width }) => [name, rooms[types[name] ?? "float32"](width)]);
  return {
    bytes: bytes(packer.bytes),
    floats: floats(packer.floats),
    value: floats(players),
    ...(policy === undefined ? {} : { policy: floats(maxLegal), policyIndices: integers(maxLegal) }),
    ...(auxiliary.length === 0 ? {} : { auxiliary: Object.fromEntries(targets) as AuxiliaryArrays }),
  };
}

/** Size of a minibatch in bytes. */
export function bytesOfBatch({ auxiliary = {}, ...arrays }: TrainingBatch): number {
  const all: readonly InputArray[] = [...Object.values(arrays), ...Object.values(auxiliary)];
  return all.reduce((sum, array) => sum + array.byteLength, 0);
}
