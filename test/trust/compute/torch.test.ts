import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { textOf } from "../../docs/pages.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { findTorch, openTorchNet, probeTorch } from "../../../bench/compute-torch.ts";
import { UsageError } from "../../../src/messages/usage-error.ts";

// Debian's modules belong to its own Python, which may not be the first one.
const python3 = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import torch"]).status === 0,
);

it("the page on ONNX exports a net from PyTorch, and its experiment plays with it", async ({ skip }) => {
  skip(python3 === undefined, "no PyTorch: Debian's package python3-torch has it");
  const page = textOf("docs/onnx.md");
  const [, yaml] = /^```yaml\n(.*?)^```$/ms.exec(page)!;
  const [, python] = /^```python\n(.*?)^```$/ms.exec(page)!;
  const folder = scratchFolder();
  const exported = spawnSync(python3!, ["-c", python!], { cwd: folder, encoding: "utf8" });
  expect(exported.status, exported.stderr).toBe(0);
  const file = join(folder, "match.yaml");
  writeFileSync(file, yaml!.replace("games: 20", "games: 2"));
  const { code, out, err } = await ludoflow(["match", file, "--out", join(folder, "run")]).ended;
  expect(code, err).toBe(0);
  expect(out).toContain("2 games of 2 players");
});

it("bench compute times a net in PyTorch, in the layout and with the graph that are the fastest, or refuses the reference BLAS", async ({
  skip,
}) => {
  skip(python3 === undefined, "no PyTorch: Debian's package python3-torch has it");
  let torch: ReturnType<typeof findTorch>;
  try {
    // The library's own kernels: to try others takes a process for each.
    torch = findTorch((interpreter, environment) =>
      Object.keys(environment).length === 0 ? probeTorch(interpreter, environment) : undefined,
    );
  } catch (error) {
    // Debian's PyTorch without another BLAS.
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain("reference BLAS");
    return;
  }
  const spec = { net: "residual", filters: 16, blocks: 1, batch: 2 };
  const net = await openTorchNet(torch!, spec, 1);
  try {
    for (const task of [net.train, net.infer]) {
      expect(task.name).toMatch(/^PyTorch \d\S*, 1 thread, channels_(last|first)(, frozen)?; \S/);
      expect(await task.seconds()).toBeGreaterThan(0);
    }
  } finally {
    net.dispose();
  }
});
