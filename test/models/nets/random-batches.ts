import type { PackedRows } from "../../../src/games/packed-planes.ts";
import { initialWeights, type Net } from "../../../src/models/net.ts";
import { packedShapes } from "../../../src/models/nets/packed-input.ts";
import type { TrainingBatch } from "../../../src/models/nets/training.ts";
import type { Random } from "../../../src/random.ts";

/** Planes of zeros and ones. */
export function positions(net: Net, rows: number, random: Random): Float32Array {
  const [height, width, channels] = net.input;
  return Float32Array.from({ length: rows * height * width * channels }, () => random.below(2));
}

/** Random positions, packed: bits of all kinds, bytes, and floats of zeros and ones. */
function packedPositions(net: Net, rows: number, random: Random): PackedRows {
  const { bytes = [0, 0], floats = [0, 0] } = packedShapes(net, rows);
  return {
    bytes: Uint8Array.from({ length: bytes[0] * bytes[1] }, () => random.below(256)),
    floats: Float32Array.from({ length: floats[0] * floats[1] }, () => random.below(2)),
  };
}

/** A batch with all that any loss asks for. */
export function batchFor(net: Net, rows: number, random: Random): TrainingBatch {
  const { actions = 0, maxLegal = 0, seats } = net;
  const cells = net.input[0] * net.input[1];
  /** About half of the actions in each row, at least one; a third of these are not in the target. */
  const policies = () => {
    const indices = new Int32Array(rows * maxLegal).fill(-1);
    const policy = new Float32Array(rows * maxLegal);
    for (let row = 0; row < rows; row++) {
      const moves = Array.from({ length: actions }, (_, action) => action)
        .filter((action) => action === 0 || random.below(2) === 0)
        .slice(0, maxLegal);
      const draws = moves.map((_, i) => (i > 0 && random.below(3) === 0 ? 0 : random.float()));
      const sum = draws.reduce((x, y) => x + y, 0);
      for (const [i, action] of moves.entries()) {
        indices[row * maxLegal + i] = net.logitOf?.[action] ?? action;
        policy[row * maxLegal + i] = draws[i]! / sum;
      }
    }
    return [indices, policy] as const;
  };
  const [policyIndices, policy] = policies();
  const [replyIndices, reply] = policies();
  return {
    ...packedPositions(net, rows, random),
    value: Float32Array.from({ length: rows * seats }, () => net.valueScale * random.normal()),
    policy,
    policyIndices,
    auxiliary: {
      rowWeight: Float32Array.from({ length: rows }, (_, row) => (2 * row + 1) / rows),
      policyWeight: Float32Array.from({ length: rows }, (_, row) => (row === 1 ? 0 : 1)),
      score: Float32Array.from({ length: rows * seats }, () => -80 + random.below(100)),
      ownership: Uint8Array.from({ length: rows * cells }, () => random.below(seats + 1)),
      reply,
      replyIndices,
    },
  };
}

/** Weights as after training: no zeros of biases, no zeros and ones of statistics. */
export function randomWeights(net: Net, random: Random): Map<string, Float32Array> {
  return new Map(
    [...initialWeights(net, random)].map(([name, values]) => [
      name,
      name.endsWith("/variance") || name.endsWith("/scale")
        ? values.map(() => 0.5 + random.float())
        : values.map((value) => value + 0.2 * random.normal()),
    ]),
  );
}

/** Room for the outputs for so many positions. */
export function outputsOf(
  net: Net,
  rows: number,
): { readonly value: Float32Array; readonly policy?: Float32Array } {
  return {
    value: new Float32Array(rows * net.seats),
    ...(net.actions === undefined ? {} : { policy: new Float32Array(rows * net.logits!) }),
  };
}
