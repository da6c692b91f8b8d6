import { batchNorm, convolution, type ImageLayer } from "./layers.ts";

/** A convolution without bias, and its batch normalisation, which has one. */
export function normalisedConvolution(
  path: string,
  from: number,
  to: number,
  size: number,
  suffix = "",
): ImageLayer {
  const conv = convolution({ name: `${path}/conv${suffix}`, from, to, size, bias: false });
  const norm = batchNorm(`${path}/norm${suffix}`, to);
  return {
    parameters: [...conv.parameters, ...norm.parameters],
    apply: (x, pass) => norm.apply(conv.apply(x, pass), pass),
  };
}
