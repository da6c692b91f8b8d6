import { openEngine } from "../compute/open-engine.ts";
import { decodeGameRecord } from "../formats/game-records.ts";
import { PlanePacker } from "../games/packed-planes.ts";
import { randomReport } from "../operators/measuring/cost/random-games.ts";
import { openPlayingNet } from "../operators/play/evaluation/calibration.ts";
import { NetBatch } from "../operators/play/evaluation/net-batch.ts";
import { PositionRows } from "../operators/play/evaluation/position-rows.ts";
import { slotShape } from "../operators/play/evaluation/slot-shape.ts";
import { networkOf, type OpenExperiment } from "../operators/experiment/open-experiment.ts";
import { newSlot, type Slot } from "../workers/slots.ts";
import { sha256 } from "../formats/sha256.ts";

/** Sizes of the batches that are computed: processors compute small, odd and large ones by different code. */
const BATCHES = [1, 2, 7, 16, 33] as const;
const POSITIONS = Math.max(...BATCHES);

/**
 * A hash of what this machine computes with weights of a net: values and priors of some positions, bit by bit. Machines with
 * equal hashes play equal games. Names of processors would prove nothing.
 */
export async function netBits(
  opened: OpenExperiment,
  name: string,
  tensors: ReadonlyMap<string, Float32Array>,
): Promise<string> {
  const trial = await openNetTrial(opened, name, tensors);
  try {
    const outputs: Uint8Array[] = [];
    for (const rows of BATCHES) outputs.push(...(await trial.compute(rows)));
    return sha256(...outputs);
  } finally {
    await trial.dispose();
  }
}

/** A net that is tried on positions of games with random moves. */
export interface NetTrial {
  /** Computes the first positions, at most 33; returns the bytes of their values and of their priors. */
  readonly compute: (rows: number) => Promise<Uint8Array[]>;
  readonly dispose: () => Promise<void>;
}

/** Opens a trial of a net with weights, as the experiment has its nets computed, in one thread. */
export async function openNetTrial(
  opened: OpenExperiment,
  name: string,
  tensors: ReadonlyMap<string, Float32Array>,
): Promise<NetTrial> {
  const { experiment, game } = opened;
  const network = networkOf(opened, name);
  const engine = await openEngine({ ...experiment.compute, threads: 1 });
  const inference = await openPlayingNet(engine, opened, name, tensors);
  const shape = slotShape(game, network, POSITIONS);
  const slot = newSlot(shape);
  writePositions(opened, name, slot);
  const batch = new NetBatch(shape, experiment.compute.device);
  return {
    compute: async (rows) => {
      await batch.compute(inference, [{ slot, first: 0, rows }]);
      return [
        bytesOf(slot.values.slice(0, rows * shape.values)),
        bytesOf(slot.priors.slice(0, slot.starts[rows])),
      ];
    },
    dispose: () => inference.dispose(),
  };
}

/** Writes positions of games with random moves; after short games, those of further ones. */
function writePositions(opened: OpenExperiment, name: string, slot: Slot): void {
  const { experiment, game } = opened;
  const network = networkOf(opened, name);
  const positions = new PositionRows(game, new PlanePacker(network.planes), network.net.logitOf);
  const [agent = ""] = Object.keys(experiment.agents);
  const seats = Array.from({ length: game.players }, () => agent);
  let row = 0;
  for (let index = 0; row < POSITIONS; index++) {
    const planned = { stage: "bits", name: [], index, generation: 0, seats };
    const { actions } = decodeGameRecord(randomReport(opened, planned).record, "bits");
    const state = game.initial();
    for (const action of actions) {
      if (row === POSITIONS) return;
      if (game.toMove(state) >= 0)
        positions.write(slot, row++, state, 0, network.hasPolicy ? positions.listLegal(state) : 0);
      game.play(state, action);
    }
  }
}

function bytesOf(floats: Float32Array): Uint8Array {
  return new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
}
