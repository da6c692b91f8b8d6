import type { GraphValue } from "../graph.ts";
import type { Recording } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";

/** Rows of a result in a tile, and rows of a filter. */
const OUTPUTS = 4;
const TAPS = 3;

/**
 * The matrices of the minimal filtering algorithm F(4, 3) at the points 0, 1, -1, 2, -2 and infinity.
 *
 * The 4 rows y of a tile are A'[(G g) * (B d)] for the 6 rows d of the image and the 3 of the filter g: 6 products
 * in place of 12 (Winograd 1980; Lavin and Gray 2016, sections 4.1 and 4.3). The gradients follow by transposition: by
 * the filter G'[(A dy) * (B d)], by the image B'[(G g) * (A dy)].
 */
const B: Matrix = [
  [4, 0, -5, 0, 1, 0],
  [0, -4, -4, 1, 1, 0],
  [0, 4, -4, -1, 1, 0],
  [0, -2, -1, 2, 1, 0],
  [0, 2, -1, -2, 1, 0],
  [0, 4, 0, -5, 0, 1],
];
const G: Matrix = [
  [1 / 4, 0, 0],
  [-1 / 6, -1 / 6, -1 / 6],
  [-1 / 6, 1 / 6, -1 / 6],
  [1 / 24, 1 / 12, 1 / 6],
  [1 / 24, -1 / 12, 1 / 6],
  [0, 0, 1],
];
const A: Matrix = [
  [1, 0, 0, 0],
  [1, 1, 1, 1],
  [1, -1, 1, -1],
  [1, 2, 4, 8],
  [1, -2, 4, -8],
  [0, 0, 0, 1],
];
const POINTS = B.length;

/** One row for each point. */
type Matrix = readonly (readonly number[])[];

/** True if the window has the height of the algorithm, and tiles of rows save a third of the products or more. */
export function fitsTiles(windowHeight: number, outHeight: number): boolean {
  return windowHeight === TAPS && POINTS * tilesOf(outHeight) <= 2 * outHeight;
}

function tilesOf(rows: number): number {
  return Math.ceil(rows / OUTPUTS);
}

/** A filter [3, ...] at each point: [6, ...]. */
export function filterAtPoints(recording: Recording, filter: GraphValue): GraphValue {
  const rest = filter.shape.slice(1);
  const rows = recording.reshaped(filter, [TAPS, sizeOf(rest)]);
  const points = recording.node("Gemm", [constant(recording, G), rows], [POINTS, sizeOf(rest)]);
  return recording.reshaped(points, [POINTS, ...rest]);
}

/** The gradient by a filter, [3, size], from the products at each point and of each group, [6 * groups, size]. */
export function filterGradientFromPoints(recording: Recording, products: GraphValue): GraphValue {
  const [rows, size] = products.shape as [number, number];
  const groups = rows / POINTS;
  const transposed = Array.from({ length: TAPS }, (_, tap) =>
    G.flatMap((row) => Array.from({ length: groups }, () => row[tap]!)),
  );
  return recording.node("Gemm", [constant(recording, transposed), products], [TAPS, size]);
}

/** An image in blocks at each point, B d: six of [rows, channels, tiles, width]; `top` rows of zeros are above it. */
export function imageAtPoints(
  recording: Recording,
  image: GraphValue,
  top: number,
  outHeight: number,
): GraphValue[] {
  return atPoints(recording, image, B, top, tilesOf(outHeight));
}

/** A gradient by a result in blocks at each point, A dy: six of [rows, channels, tiles, width]. */
export function resultAtPoints(recording: Recording, result: GraphValue): GraphValue[] {
  return atPoints(recording, result, A, 0, tilesOf(result.shape[2]!));
}

/** Rows of each tile times a matrix: convolutions of one channel each, with the stride of a tile, one pass a point. */
function atPoints(
  recording: Recording,
  image: GraphValue,
  matrix: Matrix,
  top: number,
  tiles: number,
): GraphValue[] {
  const [rows, channels, height, width] = image.shape as [number, number, number, number];
  const block = recording.channelBlock!;
  return matrix.map((row) => {
    const bottom = OUTPUTS * (tiles - 1) + row.length - top - height;
    // Filters lie in blocks of channels as images do.
    const taps = Float32Array.from(
      { length: channels * row.length },
      (_, i) => row[Math.floor(i / block) % row.length]!,
    );
    const filter = recording.graph.constant("constant/taps", [channels, 1, row.length, 1], "float32", taps);
    const window = { kernel_shape: [row.length, 1], strides: [OUTPUTS, 1], pads: [top, 0, bottom, 0] };
    const attributes = { ...window, group: channels };
    return recording.blockedNode("Conv", [image, filter], [rows, channels, tiles, width], attributes);
  });
}

/** A result in blocks from its points, A' m: six of [rows, channels, tiles, width] as [rows, channels, height, width]. */
export function resultFromPoints(
  recording: Recording,
  points: readonly GraphValue[],
  height: number,
): GraphValue {
  return fromPoints(recording, points, A, 0, height);
}

/** The gradient by an image from its points, B' m; `top` rows of zeros were above the image. */
export function imageFromPoints(
  recording: Recording,
  points: readonly GraphValue[],
  top: number,
  height: number,
): GraphValue {
  return fromPoints(recording, points, B, top, height);
}

/** Tiles may overlap, so each column is one product with a matrix [height, points * tiles]. */
function fromPoints(
  recording: Recording,
  points: readonly GraphValue[],
  matrix: Matrix,
  top: number,
  height: number,
): GraphValue {
  const [rows, channels, tiles, width] = points[0]!.shape as [number, number, number, number];
  const block = recording.channelBlock!;
  const blocks = (rows * channels) / block;
  const line = width * block;
  const parts = points.map((point) => recording.reshaped(point, [blocks, tiles, line]));
  const joined = recording.node("Concat", parts, [blocks, POINTS * tiles, line], { axis: 1 });
  const whole = Array.from({ length: height }, (_, y) =>
    matrix.flatMap((row) =>
      Array.from({ length: tiles }, (_each, tile) => row[y + top - OUTPUTS * tile] ?? 0),
    ),
  );
  const result = recording.node("MatMul", [constant(recording, whole), joined], [blocks, height, line]);
  return recording.reshaped(result, [rows, channels, height, width]);
}

function constant(recording: Recording, matrix: Matrix): GraphValue {
  const shape = [matrix.length, matrix[0]!.length];
  return recording.graph.constant("constant/winograd", shape, "float32", Float32Array.from(matrix.flat()));
}
