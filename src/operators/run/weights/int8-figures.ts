import type { Int8Error } from "../../../models/nets/int8.ts";
import { emitFigures } from "./emit-figures.ts";

/** Emits the error of a version that plays in int8, as figures of a stage, or of the net if no stage learns it. */
export function emitInt8Error(
  env: Parameters<typeof emitFigures>[0],
  learned: number,
  { divergence, equalMoves, value }: Int8Error,
): void {
  emitFigures(env, learned, {
    "int8: mean error of values": value,
    "int8: mean divergence of priors, nats": divergence,
    "int8: share of equal most probable moves": equalMoves,
  });
}
