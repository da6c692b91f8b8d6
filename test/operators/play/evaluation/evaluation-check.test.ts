import { beforeAll, describe, expect, it } from "vitest";
import type { CompileOptions, Engine } from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { NumberUnsound } from "../../../../src/messages/number-unsound.ts";
import type { Inference } from "../../../../src/models/net.ts";
import { gatherWidth } from "../../../../src/models/nets/gather-width.ts";
import { openInference } from "../../../../src/models/nets/inference.ts";
import { residual } from "../../../../src/models/nets/residual.ts";
import {
  checkedShare,
  EvaluationCheck,
  MOST_DIFFERENCE,
} from "../../../../src/operators/play/evaluation/evaluation-check.ts";
import { Random } from "../../../../src/random.ts";
import { boardGame, netOf } from "../../../models/boards.ts";
import { batchFor, randomWeights } from "../../../models/nets/random-batches.ts";

const net = netOf(residual, boardGame(2, 11, [5, 5, 3]), { filters: 6, blocks: 3, valueUnits: 8 });
const random = Random.named("check");
const weights = randomWeights(net, random);
const earlier = randomWeights(net, random);

let onnx: Engine;
beforeAll(async () => void (onnx = await openEngine()));

type Weights = NonNullable<CompileOptions["constants"]>;

/** An engine that computes with other weights than it was given. */
const withFault = (fault: (given: Weights) => Weights): Engine => ({
  ...onnx,
  description: "a device",
  compile: (fn, shapes, options = {}) =>
    onnx.compile(fn, shapes, { ...options, constants: fault(options.constants!) }),
});

const withChanged = (name: string, change: (data: Float32Array) => Float32Array) => (given: Weights) =>
  new Map([...given, [name, { ...given.get(name)!, data: change(given.get(name)!.data) }]]);

const width = gatherWidth(net.maxLegal!, net.maxLegal!);

function positionsFor(rows: number) {
  const { bytes, floats, policyIndices } = batchFor(net, rows, random);
  const gather = new Int32Array(rows * width).fill(-1);
  for (let row = 0; row < rows; row++)
    gather.set(policyIndices!.subarray(row * net.maxLegal!, (row + 1) * net.maxLegal!), row * width);
  const batch = { bytes, floats, gather, width };
  return { batch, out: { value: new Float32Array(rows * net.seats), prior: new Float32Array(rows * width) } };
}

/** A version on an engine, checked against ONNX Runtime, with what the checks counted. */
async function watched(engine: Engine, share: number, options: { readonly now?: () => number } = {}) {
  const counted: [rows: number, difference: number][] = [];
  const check = new EvaluationCheck({
    share,
    net,
    engine,
    reference: onnx,
    open: (tensors) => openInference(onnx, net, tensors),
    meter: { checked: (rows, difference) => void counted.push([rows, difference]) },
    ...options,
  });
  const inference = check.watch(await openInference(engine, net, weights), weights, 'the net "zero"');
  return { check, counted, inference };
}

const run = async (inference: Inference, rows: number) => {
  const { batch, out } = positionsFor(rows);
  await inference.run(batch, rows, out);
  return out;
};

const complaint = async (engine: Engine, rows = 4): Promise<string> => {
  const { inference } = await watched(engine, 1);
  const failed = await run(inference, rows).catch((error: unknown) => error);
  await inference.dispose();
  expect(failed).toBeInstanceOf(NumberUnsound);
  return (failed as Error).message;
};

describe("a checked evaluation", () => {
  it("is that of the engine, and equal numbers have the difference 0", async () => {
    const { counted, inference } = await watched(onnx, 1);
    const { batch, out } = positionsFor(5);
    await inference.run(batch, 5, out);
    const plain = await openInference(onnx, net, weights);
    const expected = { value: new Float32Array(10), prior: new Float32Array(5 * width) };
    await plain.run(batch, 5, expected);
    expect(out).toEqual(expected);
    expect(counted).toEqual([[5, 0]]);
    await Promise.all([plain.dispose(), inference.dispose()]);
  });

  it("is compared for the first batch of a version, and then for the share of the batches", async () => {
    let time = 0;
    const { check, counted, inference } = await watched(onnx, 0.25, { now: () => time });
    for (let i = 0; i < 9; i++) await run(inference, 2);
    expect(counted).toHaveLength(3);
    const next = check.watch(await openInference(onnx, net, earlier), earlier, "the next version");
    await run(next, 2);
    expect(counted).toHaveLength(4);
    // A check that takes 5 ms is followed by none for 100.
    const slow = await watched(onnx, 1, { now: () => (time += 5) });
    for (let i = 0; i < 30; i++) await run(slow.inference, 2);
    expect(slow.counted).toHaveLength(2);
  });

  it("compares at most 16 rows of a batch, and others each time", async () => {
    const { counted, inference } = await watched(onnx, 1, { now: () => 0 });
    for (let i = 0; i < 3; i++) await run(inference, 40);
    expect(counted).toEqual([
      [16, 0],
      [16, 0],
      [16, 0],
    ]);
    // Only the last 16 of 40 rows are wrong.
    const wrongFrom = 24;
    const half: Engine = {
      ...onnx,
      compile: async (fn, shapes, options) => {
        const compiled = await onnx.compile(fn, shapes, options);
        return {
          ...compiled,
          run: async (inputs, outputs, rows, rowWidth) => {
            await compiled.run(inputs, outputs, rows, rowWidth);
            if (rows === 40) outputs["value"]?.fill(0.123, 2 * wrongFrom);
          },
        };
      },
    };
    const other = await watched(half, 1, { now: () => 0 });
    await run(other.inference, 40);
    await expect(run(other.inference, 40)).rejects.toThrow("the values of");
  });

  it("fails for a layer that is scaled by 1.01, and names it", async () => {
    const scaled = withFault(withChanged("block2/conv1/filter", (data) => data.map((x) => 1.01 * x)));
    const message = await complaint(scaled);
    expect(message).toMatch(
      /^the net "zero" is not computed correctly: the (values|priors) of a device differ from those of onnx on cpu, 1 thread by \S+ of their size, where rounding differs by at most 0\.001; the first layer that differs is block2\/conv1\. What this run/,
    );
  });

  it("fails for a transposed filter, and names its layer", async () => {
    const transposed = withFault(
      withChanged("stem/conv/filter", (data) => {
        // [3, 3, inputs, outputs] with height and width exchanged.
        const rest = data.length / 9;
        return data.map((_, i) => {
          const [y, x] = [Math.floor(i / rest / 3), Math.floor(i / rest) % 3];
          return data[(3 * x + y) * rest + (i % rest)]!;
        });
      }),
    );
    expect(await complaint(transposed)).toMatch(/the first layer that differs is stem\/(conv|norm)/);
  });

  it("fails for a stale version, whose layers are those of its own weights", async () => {
    let opened = 0;
    // Only what plays is stale: opened again, it has the weights that it was given.
    const stale = withFault((given) =>
      opened++ > 0
        ? given
        : new Map([...given].map(([name, weight]) => [name, { ...weight, data: earlier.get(name)! }])),
    );
    expect(await complaint(stale)).toContain(
      "computed again from the same weights no layer differs, as if the numbers were those of another version",
    );
  });

  it("fails for NaN that the CPU does not have", async () => {
    const broken = withFault(
      withChanged("policy/dense/bias", (data) => data.map((x, i) => (i === 0 ? NaN : x))),
    );
    expect(await complaint(broken)).toMatch(/priors of a device differ .* by Infinity/);
  });
});

it("checks by itself everything but ONNX Runtime on the CPU", () => {
  expect(checkedShare({})).toBe(0);
  expect(checkedShare({ engine: "onnx", device: "cpu" })).toBe(0);
  for (const compute of [
    { device: "webgpu" },
    { engine: "torch", device: "cpu" },
    { engine: "torch", device: "cuda" },
    { engine: "tfjs" },
  ] as const)
    expect(checkedShare(compute)).toBe(0.01);
  expect(checkedShare({ check: 0.5 })).toBe(0.5);
  expect(checkedShare({ device: "webgpu", check: 0 })).toBe(0);
  expect(MOST_DIFFERENCE).toBeLessThan(0.01);
});
