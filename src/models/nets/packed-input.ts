import * as tf from "@tensorflow/tfjs-core";
import type { InputType } from "../../compute/tensors.ts";
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
  { input: [height, width], encoding }: PackedInput,
  inputs: Readonly<Partial<Record<"bytes" | "floats", tf.Tensor>>>,
): tf.Tensor4D {
  return inLayer("planes", () => {
    const cells = height * width;
    const begins = { bytes: 0, floats: 0 };
    const groups = encoding.map((group) => {
      const { as, channels } = group;
      const from = inputOf(as);
      const whole = inputs[from]! as tf.Tensor2D;
      const each = packedChannel(as, cells);
      const begin = begins[from];
      begins[from] += channels * each;
      const all = channels * each === whole.shape[1];
      const part = all ? whole : tf.slice(whole, [0, begin], [-1, channels * each]);
      const image = (numbers: tf.Tensor) =>
        tf.reshape<tf.Rank.R4>(numbers, [-1, channels, height, width] as unknown as [
          number,
          number,
          number,
          number,
        ]);
      switch (group.as) {
        case "bits": {
          const bits = tf.reshape(tf.gather(tf.tensor2d(BITS, [256, 8]), part as tf.Tensor2D), [
            -1,
            channels,
            8 * each,
          ]);
          return image(8 * each === cells ? bits : tf.slice(bits, [0, 0, 0], [-1, -1, cells]));
        }
        case "bytes": {
          const numbers = tf.cast(part, "float32");
          return image(group.divisor === undefined ? numbers : tf.div(numbers, group.divisor));
        }
        case "uniform":
          return tf.tile(tf.reshape<tf.Rank.R4>(part, [-1, channels, 1, 1]), [1, 1, height, width]);
        case "floats":
          return image(part);
      }
    });
    return tf.transpose(groups.length === 1 ? groups[0]! : tf.concat(groups, 1), [0, 2, 3, 1]);
  });
}

function inputOf(as: PlaneEncoding["as"]): "bytes" | "floats" {
  return as === "bits" || as === "bytes" ? "bytes" : "floats";
}
