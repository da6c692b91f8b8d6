/**
 * The moves of a row of a minibatch: index of the logit and probability, in order of the indices. Throws where padding is
 * not -1 and 0 to the end of the row.
 */
export function movesOfRow(
  indices: Int32Array,
  probabilities: Float32Array,
  row: number,
  most: number,
): [index: number, probability: number][] {
  const places = indices.subarray(row * most, (row + 1) * most);
  const weights = probabilities.subarray(row * most, (row + 1) * most);
  const end = places.indexOf(-1);
  const count = end < 0 ? most : end;
  if (places.subarray(count).some((place) => place !== -1) || weights.subarray(count).some((w) => w !== 0))
    throw new Error(`row ${row} has other numbers than -1 and 0 after its ${count} moves`);
  return [...places.subarray(0, count)]
    .map((place, i): [number, number] => [place, weights[i]!])
    .toSorted(([a], [b]) => a - b);
}
