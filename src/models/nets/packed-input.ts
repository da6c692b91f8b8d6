import * as tf from "@tensorflow/tfjs-core";
import type { InputType } from "../../compute/tensors.ts";
import { SMALL_CELLS } from "../../compute/onnx/kernels/small-convolution.ts";
import { inLayer } from "../../compute/layer.ts";
import type { PlaneEncoding } from "../../games/game.ts";
import { packedChannel } from "../../games/packed-planes.ts";
import type { Net } from "../net.ts";

/** The planes of a net's positions, and how they are packed. */
type PackedInput = Pick<Net, "input" | "encoding">;

/** The types of the inputs that are not floats. */
export const packedTypes = { bytes: "uint8" } as const satisfies Record<string, InputType>;

/** Row i holds the eight bits of i, the least first. */
const BITS = Float32Array.from({ length: 256 * 8 }, (_, i) => ((i >> 3) >> (i & 7)) & 1);

/** The shapes of packed rows as inputs of a graph: `bytes` and `floats`; one without numbers is absent. */
export function packedShapes<R>(
  { input: [height, width], encoding }: PackedInput,
  rows: R,
): Readonly<Record<string, readonly [rows: R, width: number]>> {
  const widths = { bytes: 0, floats: 0 };
  for (const { as, channels } of encoding)
    widths[inputOf(as)] += channels * packedChannel(as, height * width);
  return Object.fromEntries(
    Object.entries(widths).flatMap(([name, size]) => (size > 0 ? [[name, [rows, size] as const]] : [])),
  );
}

/**
 * The planes [rows, height, width, channels] that packed rows hold (see `PlanePacker`): exactly the floats that the game
 * wrote.
 *
 * A byte of bits becomes eight floats by a table, which costs less than arithmetic, and every provider of ONNX Runtime
 * has it.
 */
export function unpackPlanes(
  { input: [height, width, channels], encoding }: PackedInput,
  inputs: Readonly<Partial<Record<"bytes" | "floats", tf.Tensor>>>,
): tf.Tensor4D {
  return inLayer("planes", () => {
    const cells = height * width;
    const begins = { bytes: 0, floats: 0 };
    const groups = encoding.map((group) => {
      const from = inputOf(group.as);
      const whole = inputs[from]! as tf.Tensor2D;
      const each = packedChannel(group.as, cells);
      const size = group.channels * each;
      const part = size === whole.shape[1] ? whole : tf.slice(whole, [0, begins[from]], [-1, size]);
      begins[from] += size;
      return unpacked(group, tf.reshape(part, [-1, group.channels, each]), cells);
    });
    const images = groups.length === 1 ? groups[0]! : tf.concat(groups, 1);
    // Both are the same planes. A recorder moves no numbers for the first, which suits large boards; convolutions of small
    // boards take channels last.
    if (cells > SMALL_CELLS)
      return tf.transpose(tf.reshape(images, [-1, channels, height, width]), [0, 2, 3, 1]);
    return tf.reshape(tf.transpose(images, [0, 2, 1]), [-1, height, width, channels]);
  });
}

/** The channels [rows, channels, cells] of a group, from [rows, channels, numbers of a packed channel]. */
function unpacked(group: PlaneEncoding, part: tf.Tensor3D, cells: number): tf.Tensor3D {
  switch (group.as) {
    case "bits": {
      const bits = tf.gather(tf.tensor2d(BITS, [256, 8]), part);
      const whole = tf.reshape<tf.Rank.R3>(bits, [-1, group.channels, 8 * part.shape[2]]);
      return whole.shape[2] === cells ? whole : tf.slice(whole, [0, 0, 0], [-1, -1, cells]);
    }
    case "bytes": {
      const numbers = tf.cast(part, "float32");
      return group.divisor === undefined ? numbers : tf.div(numbers, group.divisor);
    }
    case "uniform":
      // Recorded as ONNX's Expand, which takes a sixth of the time of its Tile.
      return tf.mul(part, tf.ones([1, 1, cells]));
    default:
      return part;
  }
}

function inputOf(as: PlaneEncoding["as"]): "bytes" | "floats" {
  return as === "bits" || as === "bytes" ? "bytes" : "floats";
}
