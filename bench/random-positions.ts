import type { InferenceBatch } from "../src/models/net.ts";
import { gatherWidth } from "../src/models/nets/gather-width.ts";
import type { Net } from "../src/models/net.ts";
import { packedShapes } from "../src/models/nets/packed-input.ts";
import type { Random } from "../src/random.ts";

/** Moves of a position, about as many as a position of Blokus has. */
const MOVES = 200;

/** Positions at random for a net, with room for its outputs. */
export function randomPositions(net: Net, rows: number, random: Random) {
  const { bytes: [, bytes] = [0, 0], floats: [, floats] = [0, 0] } = packedShapes(net, rows);
  const { logits = 0, maxLegal = 0 } = net;
  const width = gatherWidth(MOVES, maxLegal);
  const batch: InferenceBatch = {
    bytes: Uint8Array.from({ length: rows * bytes }, () => random.below(256)),
    floats: Float32Array.from({ length: rows * floats }, () => random.float()),
    gather: Int32Array.from({ length: rows * width }, (_, i) =>
      i % width < MOVES ? random.below(logits) : -1,
    ),
    width,
  };
  const out = { value: new Float32Array(rows * net.seats), prior: new Float32Array(rows * width) };
  return { batch, out };
}
