import { expect, it, vi } from "vitest";
import { openEngine } from "../../src/compute/open-engine.ts";

vi.mock("../../src/compute/onnx/engine.ts", () => ({
  openOnnxEngine: () =>
    Promise.reject(
      Object.assign(new Error("Cannot find package 'onnxruntime-node' imported from engine.js"), {
        code: "ERR_MODULE_NOT_FOUND",
      }),
    ),
}));

it.each(["auto", "onnx"] as const)(
  "%s without ONNX Runtime is refused with the command that installs it, and replaced by nothing",
  async (engine) => {
    const opened = openEngine({ engine });
    await expect(opened).rejects.toMatchObject({ name: "ComputeUnavailable", what: "the engine onnx" });
    await expect(opened).rejects.toThrow(/not installed; install it by: npm .*--ignore-scripts/);
  },
);

it("tfjs needs no ONNX Runtime", async () => {
  expect((await openEngine({ engine: "tfjs" })).name).toBe("tfjs");
});
