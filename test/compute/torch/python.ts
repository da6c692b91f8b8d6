import { spawnSync } from "node:child_process";

// Debian's modules belong to its own Python, which may not be the first one.
const candidates = ["python3", "/usr/bin/python3"];

/** To import torch takes seconds. */
const hasTorch = (program: string): boolean | undefined => {
  const looked = spawnSync(program, [
    "-c",
    "import importlib.util; print(importlib.util.find_spec('torch') is not None)",
  ]);
  return looked.status === 0 ? looked.stdout.toString().startsWith("True") : undefined;
};

/** A Python with PyTorch; undefined if there is none. */
export const torchPython = candidates.find((program) => hasTorch(program) === true);

/** A Python without PyTorch; undefined if there is none. */
export const plainPython = candidates.find((program) => hasTorch(program) === false);

/** What a test says that needs PyTorch. */
export const NO_TORCH = "no PyTorch: Debian's package python3-torch has it";
