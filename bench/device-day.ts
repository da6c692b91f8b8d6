import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Device, Engine } from "../src/compute/engine.ts";
import { openEngine } from "../src/compute/open-engine.ts";
import { lookAtTorch } from "../src/compute/torch/process.ts";
import { machineFacts } from "../src/graph/doctor/machine-facts.ts";
import { tryEngine } from "../src/graph/doctor/engine-trial.ts";
import { initialWeights, type Net } from "../src/models/net.ts";
import { openInference } from "../src/models/nets/inference.ts";
import { openLoss } from "../src/models/nets/loss.ts";
import { openTraining } from "../src/models/nets/training.ts";
import { Random } from "../src/random.ts";
import { type Case, cases, contestant } from "./compute.ts";
import { randomPositions } from "./random-positions.ts";
import { median } from "./report.ts";

/**
 * What `scripts/gpu-day.ts` packs for a machine with a GPU: correctness, speed beside PyTorch's own modules, self-play and training
 * of the paper's net. Each piece is a process of its own and leaves one file; what is there is not measured again, so the day can
 * be cut and continued. At the end all files are one: `gpu-day.json`.
 */
const [folder = "results", piece] = process.argv.slice(2);
const python = process.env["GPU_DAY_PYTHON"] ?? "python3";
/** Divides times and sizes in a rehearsal. */
const shorter = Number(process.env["GPU_DAY_SHORTER"] ?? 1);

const script = fileURLToPath(new URL("compute_torch.py", import.meta.url));

/** Seconds of each piece after which it is ended; about ten minutes together. */
const pieces: Readonly<Record<string, { readonly seconds: number; readonly run: () => Promise<unknown> }>> = {
  machine: { seconds: 30, run: machine },
  correctness: { seconds: 90, run: correctness },
  check: { seconds: 30, run: plantedFault },
  modules: { seconds: 120, run: besideModules },
  compiled: { seconds: 120, run: compiledModule },
  selfplay: { seconds: 120, run: () => ofPaper("torch") },
  webgpu: { seconds: 90, run: () => ofPaper("webgpu") },
};

/** Batches that are timed, after one that is not. */
const ROUNDS = 7;
/** Steps that are learned by both engines. */
const STEPS = 10;

/** All pieces that are missing, then the one file. */
async function day(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => resolve(folder, `${name}.json`);
  for (const [name, { seconds }] of Object.entries(pieces)) {
    if (existsSync(file(name))) continue;
    process.stderr.write(`${name}: at most ${seconds} seconds\n`);
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder, name], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 1000 * seconds * Number(process.env["GPU_DAY_PATIENCE"] ?? 1),
      killSignal: "SIGKILL",
    });
    let out = "";
    child.stdout.on("data", (bytes: Buffer) => (out += bytes.toString()));
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    const found =
      code === 0
        ? (JSON.parse(out.trim().split("\n").at(-1)!) as unknown)
        : {
            failed:
              signal === "SIGKILL" ? `took longer than ${seconds} seconds` : `ended by ${signal ?? code}`,
          };
    // A piece that was cut in its writing is measured again.
    writeFileSync(`${file(name)}.part`, JSON.stringify(found));
    renameSync(`${file(name)}.part`, file(name));
  }
  const all = Object.keys(pieces).map(
    (name) => [name, JSON.parse(readFileSync(file(name), "utf8"))] as const,
  );
  const path = join(folder, "gpu-day.json");
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  process.stderr.write(`all results are in ${resolve(path)}\n`);
}

async function machine() {
  const torch = await lookAtTorch(python);
  return { ...machineFacts(), torch: torch.facts, devices: torch.devices };
}

/** The device of PyTorch: its GPU, else the CPU (a rehearsal). */
async function torchDevice(): Promise<Device> {
  const { devices } = await lookAtTorch(python);
  return (Object.keys(devices)[0] as Device | undefined) ?? "cpu";
}

/** The nets that are compared: all of `bench compute`; in a rehearsal the first of each kind. */
function chosen(): Case[] {
  const all = cases(1);
  return shorter === 1 ? all : all.filter(({ name }) => /^(residual 32x3|cnn22, batch 16)/.test(name));
}

async function openTorch(): Promise<Engine> {
  return openEngine({ engine: "torch", python, device: await torchDevice() });
}

/** The largest difference relative to the largest number; NaN, which JSON has as null, if a number is none. */
function relativeError(actual: Float32Array, expected: Float32Array): number {
  let [greatest, largest] = [0, 0];
  for (const [i, value] of expected.entries()) {
    greatest = Math.max(greatest, Math.abs(actual[i]! - value));
    largest = Math.max(largest, Math.abs(value));
  }
  return greatest / (largest || 1);
}

async function evaluated(engine: Engine, net: Net, weights: ReadonlyMap<string, Float32Array>) {
  const inference = await openInference(engine, net, weights);
  const { batch, out } = randomPositions(net, 8, Random.named("day", net.name));
  await inference.run(batch, 8, out);
  await inference.dispose();
  return out;
}

async function learned(engine: Engine, { net }: Case) {
  const random = Random.named("day", "training", net.name);
  const rows = 8;
  const { batch } = randomPositions(net, rows, random);
  const policy =
    net.maxLegal === undefined ? undefined : new Float32Array(rows * net.maxLegal).fill(1 / net.maxLegal);
  const loss = openLoss({ use: policy === undefined ? "value-regression" : "alphazero" });
  // With a large epsilon: without, Adam moves weights by the sign of gradients that are rounding errors.
  const training = await openTraining(
    engine,
    net,
    loss,
    { optimiser: { use: "adam", epsilon: 1e-3 }, rows },
    {
      weights: initialWeights(net, Random.named("day", "weights")),
    },
  );
  const one = {
    bytes: batch.bytes,
    floats: batch.floats,
    value: Float32Array.from({ length: rows * net.seats }, () => random.float()),
    ...(policy === undefined
      ? {}
      : { policy, policyIndices: Int32Array.from(policy, (_, i) => i % net.maxLegal!) }),
  };
  await training.steps(
    Array.from({ length: STEPS }, () => one),
    new Float32Array(STEPS).fill(1e-3),
  );
  const { weights } = await training.state();
  await training.dispose();
  return weights;
}

/** Values, priors, and weights after ten steps by PyTorch beside those of ONNX Runtime on the CPU: relative errors. */
async function correctness() {
  const [torch, onnx] = [await openTorch(), await openEngine({ engine: "onnx", threads: 4 })];
  const rows = [];
  for (const each of chosen()) {
    const weights = initialWeights(each.net, Random.named("day", "weights"));
    const [actual, expected] = [
      await evaluated(torch, each.net, weights),
      await evaluated(onnx, each.net, weights),
    ];
    const [found, wanted] = [await learned(torch, each), await learned(onnx, each)];
    rows.push({
      net: each.name,
      value: relativeError(actual.value, expected.value),
      prior: relativeError(actual.prior, expected.prior),
      weights: Math.max(...[...wanted].map(([name, data]) => relativeError(found.get(name)!, data))),
    });
  }
  await torch.close();
  return { device: torch.description, rows };
}

/** A filter that is scaled by 1.01 on the device: the difference that the check of a run would see, and its bound. */
async function plantedFault() {
  const { MOST_DIFFERENCE } = await import("../src/operators/play/evaluation/evaluation-check.ts");
  const [torch, onnx] = [await openTorch(), await openEngine({ engine: "onnx" })];
  const { net } = chosen()[0]!;
  const weights = initialWeights(net, Random.named("day", "weights"));
  const name = net.parameters.find(({ shape }) => shape.length === 4)!.name;
  const faulty = new Map([...weights, [name, weights.get(name)!.map((value) => 1.01 * value)] as const]);
  const expected = await evaluated(onnx, net, weights);
  const error = async (given: typeof weights) => {
    const { prior, value } = await evaluated(torch, net, given);
    return Math.max(relativeError(value, expected.value), relativeError(prior, expected.prior));
  };
  const found = { bound: MOST_DIFFERENCE, sound: await error(weights), faulty: await error(faulty) };
  await torch.close();
  return found;
}

/** Positions a second of our engine on PyTorch's device, beside PyTorch's own modules of the same nets, operator by operator. */
async function besideModules() {
  const device = await torchDevice();
  const peak = Number(
    spawnSync(python, [script, JSON.stringify({ peak: true, device })], { encoding: "utf8" }).stdout,
  );
  const engine = await openTorch();
  const rows = [];
  for (const each of chosen()) {
    const { batch, flop, name, net } = each;
    const own = await contestant(engine, net, batch, Random.named("day", name), 4);
    const training = (4 * batch) / (await medianSeconds(own.train));
    const inference = batch / (await medianSeconds(own.infer));
    await own.dispose();
    rows.push({
      net: name,
      training,
      inference,
      modules: await moduleSpeeds(each, device, ["train", "infer"]),
      // The arithmetic of a training step is that of three evaluations.
      shareOfPeak: {
        training: (training * 3 * flop) / 1e9 / peak,
        inference: (inference * flop) / 1e9 / peak,
      },
    });
  }
  await engine.close();
  return { device: engine.description, peakGflops: peak, rows };
}

/** Positions a second of PyTorch's own module of the largest net, by `torch.compile`, which takes its time. */
async function compiledModule() {
  const largest = chosen().findLast(({ name }) => name.startsWith("residual"))!;
  return {
    net: largest.name,
    modules: await moduleSpeeds(largest, await torchDevice(), ["infer-compiled", "train-compiled"]),
  };
}

async function medianSeconds(run: () => Promise<unknown>): Promise<number> {
  const seconds: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const begun = performance.now();
    await run();
    if (round >= 0) seconds.push((performance.now() - begun) / 1000);
  }
  return median(seconds);
}

/** Positions a second of PyTorch's own module by task, or why there is no figure; nothing for nets without such a module. */
async function moduleSpeeds(
  { batch, torch: spec }: Case,
  device: Device,
  tasks: readonly string[],
): Promise<Record<string, number | string>> {
  const speeds: Record<string, number | string> = {};
  if (spec === undefined) return speeds;
  const whole = { ...spec, device, threads: 1, layout: "channels_last" };
  const child = spawn(python, [script, JSON.stringify(whole)], { stdio: "pipe" });
  let lastWords = "";
  child.stderr.on("data", (bytes: Buffer) => (lastWords = `${lastWords}${bytes.toString()}`.slice(-500)));
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  for (const task of tasks) {
    const seconds: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      child.stdin.write(`${task}\n`);
      const line = await lines.next();
      if (line.done === true) return { ...speeds, [task]: `failed: ${lastWords.trim().split("\n").at(-1)!}` };
      if (round >= 0) seconds.push(Number(line.value));
    }
    speeds[task] = batch / median(seconds);
  }
  child.stdin.end();
  return speeds;
}

/** Self-play and training of the paper's net; in a rehearsal of a small one. */
async function ofPaper(engine: "torch" | "webgpu") {
  const compute =
    engine === "torch"
      ? ({ engine, device: await torchDevice(), python } as const)
      : ({ engine: "onnx", device: "webgpu" } as const);
  const experiment = shorter === 1 ? "blokuszero" : "connect-four-zero";
  return { experiment, ...(await tryEngine({ compute, experiment, seconds: 40 / shorter })) };
}

if (piece === undefined) await day();
else process.stdout.write(`${JSON.stringify(await pieces[piece]!.run())}\n`, () => process.exit(0));
