import { Type } from "../../schema.ts";
import { leafPlayouts } from "../playouts/leaf-playouts.ts";
import { playoutCap } from "./playout-cap.ts";

/** The options that every policy-guided search takes. */
export const policySearchOptions = (simulations: number) => ({
  simulations: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: simulations,
      description: "Simulations a decision; the root's own evaluation comes on top.",
    }),
  ),
  playoutCap: Type.Optional(playoutCap),
  playouts: Type.Optional(leafPlayouts),
  reuse: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Keep the tree below the moves that are played; its simulations come on top of the new ones.",
    }),
  ),
  perSeat: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        "Whether every seat that the agent plays in has a tree of its own; false: they share one, which with reuse goes on at every ply, for self-play.",
    }),
  ),
});
