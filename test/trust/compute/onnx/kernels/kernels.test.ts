import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../../../src/compute/engine.ts";
import { openEngine } from "../../../../../src/compute/open-engine.ts";
import { recordedKernels } from "../../../../../src/compute/onnx/recording-backend.ts";
import { openReferenceEngine } from "../../../../../src/compute/tfjs/engine.ts";
import { expectKernelAgrees, kernelCases } from "../../../../compute/onnx/kernels/cases.ts";

describe("recorded kernels agree with tfjs cpu", () => {
  let onnx: Engine;
  let reference: Engine;
  beforeAll(async () => {
    onnx = await openEngine({ engine: "onnx" });
    reference = await openReferenceEngine();
  });

  it("has a case for every kernel that is mapped", () => {
    expect(Object.keys(kernelCases).toSorted()).toEqual(Object.keys(recordedKernels).toSorted());
  });

  it.each(Object.keys(kernelCases))("%s", async (name) => {
    await expectKernelAgrees(name, [onnx, reference]);
  });
});
