import { expect, it } from "vitest";
import { machineFacts } from "../../../src/graph/doctor/machine-facts.ts";

it("finds Node, and ONNX Runtime with the binary of this machine", () => {
  const { node, onnxRuntime, platform } = machineFacts();
  expect(node).toBe(process.versions.node);
  expect(onnxRuntime!.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(onnxRuntime!.platforms).toContain(platform);
  expect(onnxRuntime!.platforms).not.toContain("darwin-x64");
});
