/** `ludoflow/nets`: what nets are written with. `tf` is tfjs-core, of which there is one copy. */
export * as tf from "@tensorflow/tfjs-core";
export { convolution, dense, flatten, type Layer, type Pass } from "../models/nets/layers.ts";
export { normalisedConvolution } from "../models/nets/normalised-convolution.ts";
export { heNormal, xavierUniform } from "../models/nets/initialiser.ts";
