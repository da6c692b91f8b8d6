import { initialWeights, INT8_RANGES } from "../../../models/net.ts";
import type { GameConfig } from "../../../games/registry.ts";
import { Random } from "../../../random.ts";
import type { SharedTables } from "../../../models/tables.ts";
import { takesWeightsOf } from "../../../models/registry.ts";
import { type Checkpoint, listCheckpoints, readCheckpoint } from "./checkpoint-files.ts";
import type { Tensor, Tensors } from "../items.ts";
import { part, playingPart, rangesTensor, weightsOf } from "./named-tensors.ts";
import {
  type Experiment,
  type NetConfig,
  ownerOf,
  type OpenExperiment,
} from "../../experiment/open-experiment.ts";

/** The weights of a net in the form that evaluators and players load. */
export type PublishedWeights =
  | { readonly kind: "tables"; readonly tables: SharedTables }
  | { readonly kind: "network"; readonly tensors: ReadonlyMap<string, Float32Array> };

/** The state from which learning starts: everything in a checkpoint, or only fresh weights. */
export interface StartingPoint {
  /** Weights under `weights/...`; further state of the learner under other names. */
  readonly tensors: Tensors;
  /** The counters of the learner; empty before any learning. */
  readonly progress: Readonly<Record<string, number>>;
}

/** The starting points that were read before the run began, by net. Each one is removed when it is used. */
export type StartsRead = Map<string, StartingPoint>;

/**
 * The last checkpoint of a net in the run's folder of checkpoints, else the weights of the checkpoint that the net's
 * `weights` names; undefined if there is neither. Throws CheckpointUnusable.
 */
export function readStart(
  opened: OpenExperiment,
  checkpoints: string | undefined,
  net: string,
): StartingPoint | undefined {
  const { experiment } = opened;
  const last = checkpoints === undefined ? undefined : listCheckpoints(checkpoints).at(-1);
  if (last !== undefined) return readCheckpoint(last.path, ownerOf(experiment, net));
  if (experiment.nets[net]!.weights === undefined) return undefined;
  // Weights of another run: the further state of its learner does not belong to this run.
  return { tensors: playingPart(readNamedWeights(experiment, net).tensors), progress: {} };
}

/** The checkpoint that a net's `weights` names: see `readWeightsFor`. */
export function readNamedWeights(experiment: Experiment, name: string): Checkpoint {
  return readWeightsFor(ownerOf(experiment, name), experiment.nets[name]!.weights!);
}

/** The checkpoint in a folder, of this net or of a net whose weights it can start from. Throws CheckpointUnusable. */
export function readWeightsFor(
  { game, net }: { game: GameConfig; net: NetConfig },
  folder: string,
): Checkpoint {
  return readCheckpoint(folder, {
    game,
    net,
    takesWeightsOf: (saved) => takesWeightsOf(net, saved as NetConfig),
  });
}

/** Initial weights: a function of the seed and the name of the net. */
export function freshWeights(opened: OpenExperiment, name: string): Tensors {
  const open = opened.nets.get(name)!;
  if (open.kind === "tables") return new Map();
  const random = Random.named(opened.experiment.seed, "nets", name);
  return tensorsOf(opened, name, { kind: "network", tensors: initialWeights(open.net, random) });
}

/** Weights in the form that evaluators and players load. */
export function publishable(opened: OpenExperiment, name: string, tensors: Tensors): PublishedWeights {
  const open = opened.nets.get(name)!;
  if (open.kind === "network") return { kind: "network", tensors: weightsOf(tensors) };
  return { kind: "tables", tables: open.load(part(tensors, "weights/")) };
}

/** Published weights as a checkpoint holds them, without a state of the learner: the inverse of `publishable`. */
export function tensorsOf(opened: OpenExperiment, name: string, weights: PublishedWeights): Tensors {
  const open = opened.nets.get(name)!;
  if (weights.kind === "tables" && open.kind === "tables")
    return new Map([...open.save(weights.tables)].map(([key, array]) => [`weights/${key}`, array]));
  if (weights.kind !== "network" || open.kind !== "network")
    throw new Error(`these weights do not belong to the net "${name}"`);
  const ranges = weights.tensors.get(INT8_RANGES);
  return new Map([
    ...open.net.parameters.map(({ name: parameter, shape }): [string, Tensor] => [
      `weights/${parameter}`,
      { shape, data: weights.tensors.get(parameter)! },
    ]),
    ...(ranges === undefined ? [] : [rangesTensor(ranges)]),
  ]);
}
