import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// Debian's chromium brings a Vulkan driver that computes on the CPU, libvulkan1 what loads it; elsewhere a GPU may
// be there or not.
const driver = "/usr/lib/chromium/vk_swiftshader_icd.json";
const software = existsSync(driver) && existsSync("/usr/lib/x86_64-linux-gnu/libvulkan.so.1");
const drivers = software ? { VK_DRIVER_FILES: driver } : {};
const adapter = software ? "a software adapter" : "this machine's adapters, if any";

it(`webgpu on ${adapter} computes what the cpu computes, or says that it is not available`, ({ skip }) => {
  // The driver is chosen when the process starts.
  const script = fileURLToPath(new URL("../../compute/onnx/webgpu-check.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, ...drivers },
    encoding: "utf8",
  });
  const answer = stdout.trim().split("\n").at(-1) ?? "";
  if (software) expect(answer, stderr).toMatch(/^agrees/);
  else expect(answer, stderr).toMatch(/^agrees|^ComputeUnavailable/);
  skip(
    !answer.startsWith("agrees"),
    "no WebGPU: Debian's packages chromium and libvulkan1 have a software adapter",
  );
});
