import { afterAll, beforeAll, describe, it } from "vitest";
import type { Engine } from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { expectKernelAgrees, kernelCases } from "../../../compute/onnx/kernels/cases.ts";
import { NO_TORCH, torchPython } from "../../../compute/torch/python.ts";

describe("recorded kernels agree with ONNX Runtime when PyTorch computes them:", () => {
  let onnx: Engine;
  let torch: Engine;
  beforeAll(async () => {
    if (torchPython === undefined) return;
    onnx = await openEngine({ engine: "onnx" });
    torch = await openEngine({ engine: "torch", python: torchPython });
  });
  afterAll(() => torch?.close());

  it.for(Object.keys(kernelCases))("%s", async (name, { skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    await expectKernelAgrees(name, [torch, onnx]);
  });
});
