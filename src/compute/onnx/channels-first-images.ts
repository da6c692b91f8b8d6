import type { GraphValue } from "./graph.ts";
import type { Combination, RecordedTensor, Term } from "./recorded-tensor.ts";
import type { Recording } from "./recording.ts";

/** Writes a combination of images, channels first. */
export function combinationChannelsFirst(recording: Recording, { terms, offset }: Combination): GraphValue {
  const { shape } = recording.channelsFirst(terms[0]!.image);
  const write = ({ image, factor }: Term, added: RecordedTensor | undefined): GraphValue => {
    const value = recording.channelsFirst(image);
    if (factor !== undefined && added !== undefined) return affine(recording, value, factor, added);
    if (factor !== undefined) return recording.node("Mul", [value, recording.byChannel(factor)], shape);
    return added === undefined ? value : recording.node("Add", [value, recording.byChannel(added)], shape);
  };
  // The offset goes with a term that has a factor: both are one pass then.
  const carrier = Math.max(
    terms.findIndex(({ factor }) => factor !== undefined),
    0,
  );
  return terms
    .map((term, i) => write(term, i === carrier ? offset : undefined))
    .reduce((sum, value) => recording.node("Add", [sum, value], shape));
}

/** An image times a factor plus an offset, as a normalisation by mean 0 and variance 1: one pass over memory. */
function affine(
  recording: Recording,
  image: GraphValue,
  factor: RecordedTensor,
  offset: RecordedTensor,
): GraphValue {
  const channels = image.shape[1]!;
  const [zeros, ones] = [recording.filled([channels], 0), recording.filled([channels], 1)];
  const vectors = [factor, offset].map((each) => recording.vector(each, channels));
  const attributes = { epsilon: { float: 0 } };
  return recording.node("BatchNormalization", [image, ...vectors, zeros, ones], image.shape, attributes);
}
