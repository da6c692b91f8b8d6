import { InferenceSession, Tensor } from "onnxruntime-node";
import { blockedStepAgrees, probeOptions } from "./blocked-probe.ts";
import { encodeModel, OnnxGraph } from "./graph.ts";
import { BLOCKED_DOMAIN } from "./recording.ts";

const CHANNELS = 64;
const WIDTH = 2;

/**
 * The number of channels in a block of this runtime's blocked images on this processor (16 with AVX-512, 8 with AVX2);
 * undefined if training must use ONNX's own operators. tfjs's gradients must be loaded.
 *
 * Nothing promises the blocked operators: they are private to the runtime. So the size of a block is found by reordering a
 * numbered image, and one training step of a small net must give the same numbers as with ONNX's own operators. A runtime
 * that has blocks and fails this step warns, because training is slower without them.
 */
export async function findChannelBlock(): Promise<number | undefined> {
  const block = await sizeOfBlock();
  if (block === undefined) return undefined;
  try {
    if (await blockedStepAgrees(block)) return block;
    warn("a training step with them gives other numbers than one without");
  } catch (error) {
    warn((error as Error).message.split("\n")[0]!);
  }
  return undefined;
}

function warn(why: string): void {
  process.emitWarning(`ONNX Runtime's blocked operators are not used, and training is slower: ${why}`, {
    type: "ComputeWarning",
  });
}

async function sizeOfBlock(): Promise<number | undefined> {
  const shape = [1, CHANNELS, 1, WIDTH];
  const graph = new OnnxGraph();
  const x = graph.input("x", shape);
  const y = graph.node("", "ReorderInput", [x], shape, {}, "float32", BLOCKED_DOMAIN);
  const numbered = Float32Array.from({ length: CHANNELS * WIDTH }, (_, i) => i);
  try {
    const model = encodeModel(graph.toGraph("probe", "", { y }));
    const session = await InferenceSession.create(model, probeOptions);
    const results = await session.run({ x: new Tensor("float32", numbered, shape) });
    await session.release();
    return blockOf(results["y"]!.data as Float32Array);
  } catch {
    // A runtime without these operators: convolutions are written as ONNX's own.
    return undefined;
  }
}

/** The size of a block in an image that held 0, 1, 2, ... by channel and column; undefined if it is not such an image. */
function blockOf(reordered: Float32Array): number | undefined {
  // The second column of channel 0 comes after the first column of all channels of the block.
  const block = reordered.indexOf(1);
  if (block < 4 || CHANNELS % block !== 0) return undefined;
  const expected = (i: number) => {
    const column = Math.floor(i / block) % WIDTH;
    const channel = Math.floor(i / (block * WIDTH)) * block + (i % block);
    return channel * WIDTH + column;
  };
  return reordered.every((value, i) => value === expected(i)) ? block : undefined;
}
