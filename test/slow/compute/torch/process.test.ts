import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  ComputeUnavailable,
  type Device,
  type Engine,
  type EngineOptions,
} from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { ROWS } from "../../../../src/compute/tensors.ts";
import { TorchFailed, TorchProcess } from "../../../../src/compute/torch/process.ts";
import { packageRoot } from "../../../../src/package-root.ts";
import { NO_TORCH, plainPython, torchPython } from "../../../compute/torch/python.ts";

const unavailable = async (options: Omit<EngineOptions, "engine">): Promise<ComputeUnavailable> => {
  const opened = await openEngine({ engine: "torch", ...options }).catch((error: unknown) => error);
  expect(opened).toBeInstanceOf(ComputeUnavailable);
  return opened as ComputeUnavailable;
};

describe("what cannot be opened is reported with the remedy:", () => {
  it("a Python that is not there", async () => {
    expect((await unavailable({ python: "./no-such-python" })).message).toMatch(
      /^the engine torch is not available: the Python "\.\/no-such-python" is not there; name a Python that has PyTorch/,
    );
  });

  it("a program that is no Python", async () => {
    expect((await unavailable({ python: "false" })).why).toBe('the Python "false" ended with exit code 1');
  });

  it("a Python without PyTorch", async ({ skip }) => {
    skip(plainPython === undefined, "each Python here has PyTorch");
    const { remedy, why } = await unavailable({ python: plainPython! });
    expect(why).toMatch(/^\S+ \(Python 3\.\S+\) has no package torch$/);
    expect(remedy).toMatch(/^install it by: \/\S+ -m pip install torch /);
  });

  it("a device that this PyTorch does not see", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const device: Device = process.platform === "darwin" ? "cuda" : "mps";
    const { message } = await unavailable({ python: torchPython!, device });
    expect(message).toMatch(
      new RegExp(`^torch on ${device} is not available: .*PyTorch \\d.*; install a PyTorch and a driver`),
    );
  });
});

const place = { python: torchPython ?? "", device: "cpu", threads: 1 };

/** Whether a process exists and has not ended: one whose parent has not looked yet is ended. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("the process of PyTorch", () => {
  // Each start takes seconds.
  let engine: Engine;
  let torch: TorchProcess;
  beforeAll(async () => {
    if (torchPython === undefined) return;
    [engine, torch] = await Promise.all([
      openEngine({ engine: "torch", python: torchPython }),
      TorchProcess.open(place),
    ]);
  });

  it("answers several requests in their order", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const compiled = await engine.compile(({ x }) => ({ y: tf.mul(x!, 2), z: tf.sum(x!, 1) }), {
      x: [ROWS, 3],
    });
    expect(compiled.outputs).toEqual({ y: [ROWS, 3], z: [ROWS] });
    const results = await Promise.all(
      [1, 5, 2, 40].map(async (rows) => {
        const x = Float32Array.from({ length: 3 * rows }, (_, i) => rows + i);
        const out = { y: new Float32Array(3 * rows), z: new Float32Array(rows) };
        await compiled.run({ x }, out, rows);
        return { x, ...out };
      }),
    );
    for (const { x, y, z } of results) {
      expect([...y]).toEqual([...x].map((value) => 2 * value));
      for (const [row, sum] of z.entries()) expect(sum).toBe(3 * x[3 * row]! + 3);
    }
    await compiled.dispose();
  });

  it("says that its memory is used up, and computes on, until it is closed", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const compiled = await engine.compile(({ x, w }) => ({ y: tf.mul(tf.tile(x!, [1, 2 ** 40]), w!) }), {
      x: [ROWS, 1],
      w: [1],
    });
    const [x, w, y] = [Float32Array.of(7), Float32Array.of(2), new Float32Array(1)];
    const failed = await compiled.run({ x, w }, { y }, 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TorchFailed);
    expect((failed as Error).message).toMatch(
      /^the engine torch: the memory of cpu is used up: Tile .*; take a smaller batch/,
    );
    await expect(compiled.run({ x: new Float32Array(0), w }, { y }, 1)).rejects.toThrow(
      "x: 0 numbers, 1 needed",
    );
    const twice = await engine.compile(({ v }) => ({ u: tf.mul(v!, 2) }), { v: [ROWS] });
    const u = new Float32Array(1);
    await twice.run({ v: x }, { u }, 1);
    expect(u).toEqual(Float32Array.of(14));
    await engine.close();
    await expect(twice.run({ v: x }, { u }, 1)).rejects.toThrow("its Python process was closed");
  });

  it("refuses an operator that it does not know, by its name", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const nodes = [
      { op: "Det", name: "layer/Det", layer: "layer", inputs: ["x"], outputs: ["y"], attributes: {} },
    ];
    const graph = { inputs: ["x"], outputs: ["y"], nodes };
    await expect(
      torch.request({ do: "open", session: 0, graph, constants: {}, state: {}, next: {} }),
    ).rejects.toThrow("does not know the operator Det (layer/Det)");
  });

  it("fails what is awaited, and all later requests, if it is killed", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    expect(torch.facts).toMatchObject({ device: "cpu", torch: expect.stringMatching(/^\d+\./) });
    process.kill(torch.pid, "SIGSTOP");
    const awaited = torch.request({ do: "read", session: 0, names: [] });
    process.kill(torch.pid, "SIGKILL");
    const reason = /its Python process was ended by SIGKILL \(the system does so when memory runs out\)/;
    await expect(awaited).rejects.toThrow(reason);
    await expect(torch.request({ do: "read", session: 0, names: [] })).rejects.toThrow(reason);
  });

  it("does not outlive the program, and does not keep it alive", async ({ skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const module = JSON.stringify(join(packageRoot(), "src/compute/torch/process.ts"));
    const code = (more: string) =>
      `const { TorchProcess } = await import(${module});
       const torch = await TorchProcess.open(${JSON.stringify(place)}); console.log(torch.pid); ${more}`;
    const outlived = async (kill: boolean) => {
      const program = spawn(
        process.execPath,
        ["--input-type=module", "-e", code(kill ? "setInterval(() => undefined, 1000)" : "")],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      const [line] = (await once(program.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      if (kill) program.kill("SIGKILL");
      await once(program, "exit");
      for (let waited = 0; isAlive(pid) && waited < 30_000; waited += 50) await setTimeout(50);
      return isAlive(pid);
    };
    expect(await Promise.all([outlived(false), outlived(true)])).toEqual([false, false]);
  });
});
