import type { KernelCall } from "./kernel.ts";

/** Zeros put around an image: above, left, below, right (ONNX's order). */
export type Padding = readonly [top: number, left: number, bottom: number, right: number];

/** The padding of a convolution with a window of this height and width. Throws for convolutions that are not recorded. */
export function paddingOf({ attributes }: KernelCall, height: number, width: number): Padding {
  const { strides, dilations, pad, dataFormat } = attributes;
  if (![strides, dilations ?? 1].flat().every((step) => step === 1))
    throw new Error("only convolutions of stride 1 without dilation are recorded");
  if (dataFormat !== undefined && dataFormat !== "NHWC")
    throw new Error("only convolutions of channels-last images are recorded");
  if (pad === "valid") return [0, 0, 0, 0];
  if (typeof pad === "number") return [pad, pad, pad, pad];
  if (pad !== "same") throw new Error("explicit paddings are not recorded");
  // An even window has one more cell below and to the right, as in TensorFlow.
  const top = (height - 1) >> 1;
  const left = (width - 1) >> 1;
  return [top, left, height - 1 - top, width - 1 - left];
}
