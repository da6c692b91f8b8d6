import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ComputeUnavailable } from "../../src/compute/engine.ts";
import { openEngine } from "../../src/compute/open-engine.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

vi.mock("../../src/compute/onnx-runtime.ts", async (importOriginal) => {
  const { demandOnnxRuntime } = await importOriginal<typeof import("../../src/compute/onnx-runtime.ts")>();
  // As from a file beside which nothing is installed.
  return { demandOnnxRuntime: () => demandOnnxRuntime(join(scratchFolder(), "engine.js")) };
});

it.each(["auto", "onnx"] as const)(
  "%s without ONNX Runtime is refused with the command that installs it, and replaced by nothing",
  async (engine) => {
    const opened = openEngine({ engine });
    await expect(opened).rejects.toThrow(ComputeUnavailable);
    await expect(opened).rejects.toThrow(/not installed; install it by: npm .*--ignore-scripts/);
  },
);
