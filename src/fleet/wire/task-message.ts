import { type GameTask, weightsNamed } from "../../operators/play/game-task.ts";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import type { NetVersion } from "../../operators/run/weights/weights-board.ts";
import { isOtherProgram } from "../../operators/experiment/agent-kinds.ts";
import { participantNamed } from "../../operators/experiment/participant.ts";
import { decodePacket, encodePacket, PacketInvalid } from "./packet.ts";
import { isPlainMap } from "../../formats/plain-map.ts";
import { sha256 } from "../../formats/sha256.ts";

/** A version of a net's weights, and the SHA-256 of its bytes. */
export interface FleetWeights extends NetVersion {
  readonly sha256: string;
}

/** A game for a joiner. */
export interface SharedTask {
  /** What the run is: see `SharedRun`. */
  readonly described: string;
  readonly task: GameTask;
  /** The weights that the game is played with. */
  readonly weights: readonly FleetWeights[];
}

/**
 * The bytes of a task, and its key. The key is a hash of all that the game is a function of, so a result for it is right
 * whichever process has asked for it.
 */
export function encodeTask(shared: SharedTask): { readonly key: string; readonly bytes: Uint8Array } {
  const bytes = encodePacket({ data: shared, parts: {} });
  return { bytes, key: sha256(bytes).slice(0, 32) };
}

/** Reads a task as the process of a run has written it. Throws PacketInvalid. */
export function decodeTask(bytes: Uint8Array): SharedTask {
  const { data } = decodePacket(bytes);
  if (
    !isPlainMap(data) ||
    typeof data["described"] !== "string" ||
    !isPlainMap(data["task"]) ||
    !Array.isArray(data["weights"])
  )
    throw new PacketInvalid("it is no task");
  return data as unknown as SharedTask;
}

/**
 * Whether other machines can play a game: no program that the experiment names plays in it, and its weights are those of nets
 * that ludoflow computes. Tables change in the memory of this machine, and models of others are files of it.
 */
export function isShareable(opened: OpenExperiment, task: GameTask): boolean {
  const { agents } = opened.experiment;
  if (task.seats.some((name) => isOtherProgram(agents[participantNamed(name).agent]!))) return false;
  return weightsNamed(opened, task).every(({ net }) => {
    const open = opened.nets.get(net)!;
    return open.kind === "network" && open.net.model === undefined;
  });
}
