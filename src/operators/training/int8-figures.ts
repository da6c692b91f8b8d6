import type { RunEvent } from "../../events/event.ts";
import type { Int8Error } from "../../models/nets/int8.ts";

/** Emits the error of a version that plays in int8, as figures of a stage, or of the net where no stage learns it. */
export function emitInt8Error(
  { emit, stage }: { readonly emit: (event: RunEvent) => void; readonly stage: string },
  learned: number,
  { divergence, equalMoves, value }: Int8Error,
): void {
  const figures = {
    "int8: mean error of values": value,
    "int8: mean divergence of priors, nats": divergence,
    "int8: share of equal most probable moves": equalMoves,
  };
  for (const [name, figure] of Object.entries(figures))
    if (Number.isFinite(figure)) emit({ type: "figure", stage, name, value: figure, learned, unit: "steps" });
}
