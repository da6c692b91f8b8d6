import { expect, it } from "vitest";
import { doctorText } from "../../src/cli/doctor-text.ts";
import type { Examination } from "../../src/graph/doctor/examination.ts";

const cpu = { engine: "onnx", device: "cpu" } as const;
const gpu = { engine: "torch", device: "cuda", python: "/opt/python" } as const;
const speed = {
  batch: 64,
  weights: 28_000_000,
  evaluations: 15,
  steps: 0.25,
  seconds: 864_000,
  least: false,
};

const found: Examination = {
  machine: {
    system: "Linux 6.1.0",
    platform: "linux-x64",
    processor: "a processor",
    cores: 2,
    memory: 8 * 2 ** 30,
    node: "24.1.0",
    onnxRuntime: { version: "1.30.0", platforms: ["darwin-arm64", "linux-x64"] },
  },
  torch: {
    facts: { torch: "2.9.0", python: "3.12.1", device: "cpu", cuda: "12.8" },
    devices: { cuda: "NVIDIA H200" },
  },
  engines: [
    {
      compute: cpu,
      description: "onnx on cpu, 2 threads",
      speeds: {
        "connect-four-zero": { ...speed, weights: 61_234, hour: { games: 1234.5, steps: 500 } },
        "blokuszero-fast": { failed: "its process was ended by SIGSEGV" },
        blokuszero: { ...speed, least: true, hour: { games: 3.14, steps: 2.78 } },
      },
    },
    { compute: { engine: "onnx", device: "webgpu" }, unavailable: "no adapter", speeds: {} },
    {
      compute: gpu,
      description: "torch 2.9.0 on NVIDIA H200",
      speeds: { blokuszero: { ...speed, evaluations: 9000, seconds: 3600, hour: { games: 79_000 } } },
    },
  ],
  fastest: { "connect-four-zero": cpu, blokuszero: gpu },
};

it("says what is there, how fast it is, and what to write into the file", () => {
  const lines = doctorText(found).split("\n");
  const line = (begin: string) => lines.find((each) => each.startsWith(begin))!.replaceAll(/ {2,}/g, " | ");
  expect(line("system")).toBe("system | Linux 6.1.0 (linux-x64), 2 cores of a processor, 8 GiB of memory");
  expect(line("ONNX Runtime")).toBe(
    "ONNX Runtime | 1.30.0, with binaries for darwin-arm64, linux-x64; since 1.24 there are none for Macs with Intel processors",
  );
  expect(line("PyTorch")).toBe(
    "PyTorch | 2.9.0 of Python 3.12.1, built for CUDA 12.8, sees cuda: NVIDIA H200",
  );
  expect(line("onnx on webgpu")).toBe("onnx on webgpu | no adapter");
  expect(line("engine")).toBe(
    "engine | experiment | weights | evaluations/s | steps/s | positions trained/s | in an hour",
  );
  expect(lines.filter((each) => each.startsWith("onnx on cpu"))[1]!.replaceAll(/ {2,}/g, " | ")).toBe(
    "onnx on cpu | connect-four-zero | 61,234 | 15 | 0.2500 | 16 | 1,200 games, 500 steps",
  );
  expect(lines).toContain("onnx on cpu, blokuszero-fast: its process was ended by SIGSEGV");
  expect(lines.some((each) => each.endsWith("below 3.1 games, 2.8 steps"))).toBe(true);
  expect(line("connect-four-zero:")).toBe(
    "connect-four-zero: about 10 days without its matches, fastest by compute: { engine: onnx, device: cpu }",
  );
  expect(line("blokuszero:")).toBe(
    "blokuszero: about 60 minutes without its matches, fastest by compute: { engine: torch, device: cuda, python: /opt/python }",
  );
});

it("says what is missing", () => {
  const { onnxRuntime: _, ...machine } = found.machine;
  const text = doctorText({ machine, torch: { unavailable: "no torch" }, engines: [], fastest: {} });
  expect(text).toContain("ONNX Runtime  not installed\n");
  expect(text).toContain("PyTorch       no torch\n");
  expect(text).not.toContain("evaluations");
});
