import type { Game } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import type { SlotShape } from "../../../workers/slots.ts";

/** The sizes of a slot with `capacity` rows for requests to a net. */
export function slotShape<S>(game: Game<S>, network: OpenNetwork, capacity: number): SlotShape {
  const { bytes, floats } = new PlanePacker(network.planes);
  return { capacity, bytes, floats, values: game.players, gather: network.hasPolicy ? game.maxLegal : 0 };
}
