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
  skip(!answer.startsWith("agrees"), noAdapter);
});
