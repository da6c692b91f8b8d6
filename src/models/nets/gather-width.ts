/**
 * The least common multiple of 64, 48, 32, 24 and 16: the numbers that softmax loops of ONNX Runtime take at once, on
 * processors of several kinds. Rows of this width, or of a multiple, leave no rest for another loop, which would add up in
 * another order.
 */
const STEP = 192;

/**
 * The width of the rows of gather indices in a batch whose positions have at most `most` legal actions, in a game in which a
 * position has at most `maxLegal`: `STEP` times a power of two, or `maxLegal` if that is less than `STEP`.
 *
 * So there are few widths, and the priors of a position have the same bits for all of them: trailing zeros change no sum
 * that is added up in one order.
 */
export function gatherWidth(most: number, maxLegal: number): number {
  if (maxLegal < STEP) return maxLegal;
  let width = STEP;
  while (width < most) width *= 2;
  return width;
}
