import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hasSoftwareAdapter, noAdapter, softwareAdapter } from "../../compute/software-adapter.ts";

// Without the software adapter a GPU may be there or not.
const adapter = hasSoftwareAdapter ? "a software adapter" : "this machine's adapters, if any";

it(`webgpu on ${adapter} computes what the cpu computes, or says that it is not available`, ({ skip }) => {
  const script = fileURLToPath(new URL("../../compute/onnx/webgpu-check.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, ...softwareAdapter },
    encoding: "utf8",
  });
  const answer = stdout.trim().split("\n").at(-1) ?? "";
  if (hasSoftwareAdapter) expect(answer, stderr).toMatch(/^agrees/);
  else expect(answer, stderr).toMatch(/^agrees|^ComputeUnavailable/);
  // The device computes every node of these graphs.
  expect(stderr).not.toContain("has no kernels");
  skip(!answer.startsWith("agrees"), noAdapter);
});

it("a warning names the nodes that the device has no kernel for", ({ skip }) => {
  skip(!hasSoftwareAdapter, noAdapter);
  const script = fileURLToPath(new URL("../../compute/onnx/placement-check.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, ...softwareAdapter },
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n").at(-1), stderr).toBe("2,255");
  expect(stderr).toContain("webgpu has no kernels for 1 node (gradient/Slice) of a graph");
});
