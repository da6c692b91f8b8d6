import { InferenceSession, Tensor } from "onnxruntime-node";
import { encodeModel, OnnxGraph } from "./graph.ts";
import { BLOCKED_DOMAIN } from "./recording.ts";

const CHANNELS = 64;
const WIDTH = 2;

/**
 * The number of channels in a block of this runtime's blocked images on this processor (16 with AVX-512, 8 with
 * AVX2), found by reordering a numbered image; undefined where the runtime has no such images.
 */
export function channelBlock(): Promise<number | undefined> {
  known ??= find();
  return known;
}

let known: Promise<number | undefined> | undefined;

async function find(): Promise<number | undefined> {
  const shape = [1, CHANNELS, 1, WIDTH];
  const graph = new OnnxGraph();
  const x = graph.input("x", shape);
  const y = graph.node("", "ReorderInput", [x], shape, {}, "float32", BLOCKED_DOMAIN);
  const numbered = Float32Array.from({ length: CHANNELS * WIDTH }, (_, i) => i);
  try {
    const session = await InferenceSession.create(encodeModel(graph.toGraph("probe", "", { y })));
    const results = await session.run({ x: new Tensor("float32", numbered, shape) });
    await session.release();
    return blockOf(results["y"]!.data as Float32Array);
  } catch {
    // Without these operators convolutions are written as ONNX's own.
    return undefined;
  }
}

/** The size of a block in an image that held 0, 1, 2, ... by channel and column. */
function blockOf(reordered: Float32Array): number | undefined {
  // The second column of channel 0 comes after the first one of the block's channels.
  const block = reordered.indexOf(1);
  if (block < 4 || CHANNELS % block !== 0) return undefined;
  const expected = (i: number) => {
    const column = Math.floor(i / block) % WIDTH;
    const channel = Math.floor(i / (block * WIDTH)) * block + (i % block);
    return channel * WIDTH + column;
  };
  return reordered.every((value, i) => value === expected(i)) ? block : undefined;
}
