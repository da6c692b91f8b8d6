import type { GraphValue } from "../graph.ts";
import type { Recording } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";

/** The shape of a filter in tfjs. */
export type FilterShape = readonly [height: number, width: number, inputs: number, outputs: number];

/** True if blocks of this size divide both numbers of channels. */
export function canBeBlocked(channelBlock: number | undefined, from: number, to: number): boolean {
  return channelBlock !== undefined && from % channelBlock === 0 && to % channelBlock === 0;
}

/**
 * Blocks [..., a, b] as [..., b, a], by the runtime's reordering of images: 0.3 ms in place of 2.2 by `Transpose`, for 128
 * filters of 3x3.
 */
export function transposedWithin(recording: Recording, blocks: GraphValue): GraphValue {
  const [a, b] = blocks.shape.slice(-2) as [number, number];
  const count = sizeOf(blocks.shape) / (a * b);
  const images = recording.reshaped(blocks, [count, a, 1, b]);
  return recording.blockedNode("ReorderInput", [images], images.shape);
}
