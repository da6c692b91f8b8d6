import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Engine } from "../src/compute/engine.ts";
import { openEngine } from "../src/compute/open-engine.ts";
import { openReferenceEngine } from "../src/compute/tfjs/engine.ts";
import type { Game } from "../src/games/game.ts";
import { createGame } from "../src/games/registry.ts";
import { cnn22 } from "../src/models/nets/cnn22.ts";
import type { NetDefinition } from "../src/models/definition.ts";
import { exportOnnx, openInference } from "../src/models/nets/inference.ts";
import { int8Activations, int8Ranges } from "../src/models/nets/int8.ts";
import { openLoss } from "../src/models/nets/loss.ts";
import { initialWeights, type Net } from "../src/models/net.ts";
import { residual } from "../src/models/nets/residual.ts";
import { openTraining } from "../src/models/nets/training.ts";
import { completeOptions } from "../src/options.ts";
import { Random } from "../src/random.ts";
import type { Static, TObject } from "../src/schema.ts";
import { findTorch, openTorchNet, type Torch } from "./compute-torch.ts";
import { randomPositions } from "./random-positions.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";

/** What `bench compute` measures. */
export interface ComputeBenchOptions {
  /** Threads of every contestant; default 2. PyTorch has as many at most, and fewer if it is faster with fewer. */
  readonly threads?: number;
  /** Only the cases whose name contains this. */
  readonly only?: string;
  /** The device of the contestants that are not peers; default `cpu`. */
  readonly device?: "cpu" | "webgpu";
  /** Number of rounds; each round times all contestants in turn. Default 5, fewer if a round takes long. */
  readonly rounds?: number;
}

/** A net with the size of its minibatch. */
export interface Case {
  readonly name: string;
  readonly net: Net;
  readonly batch: number;
  /** Arithmetic operations of one position's evaluation in convolutions and dense layers. */
  readonly flop: number;
  /** The same net for PyTorch, if it takes part. */
  readonly torch?: object;
  /** Whether tfjs `cpu` takes part. It is about a thousand times slower. */
  readonly reference: boolean;
}

/** Training steps in one call. */
const STEPS = 4;
/** Batches evaluated in one round. */
const INFERENCES = 3;
/** After so many seconds, and at least two rounds, a case begins no further round. */
const PATIENCE = 35;

/** `bench compute`: positions per second in training and inference beside the raw session, PyTorch and tfjs `cpu`. */
export async function benchCompute(options: ComputeBenchOptions = {}): Promise<BenchReport> {
  const { threads = 2, only = "", device = "cpu", rounds = 5 } = options;
  const chosen = cases(threads).filter(({ name }) => name.includes(only));
  // Before anything is measured: a PyTorch that is no peer is refused.
  const torch = chosen.some((each) => each.torch !== undefined) ? findTorch() : undefined;
  const engine = await openEngine({ engine: "onnx", device, threads });
  const rows: BenchRow[] = [];
  for (const each of chosen) rows.push(...(await measure(engine, each, torch, threads, rounds)));
  return { bench: "compute", rows };
}

/**
 * The paper's net for Blokus in the sizes that were measured before the project began; purely convolutional nets on the
 * compact planes; and CNN22.
 */
export function cases(threads: number): Case[] {
  const blokus = createGame("blokus", {});
  const setting = (batch: number) => `batch ${batch}, ${threads} ${threads === 1 ? "thread" : "threads"}`;
  const tower = (filters: number, blocks: number, batch: number): Case => ({
    name: `residual ${filters}x${blocks}, ${setting(batch)}`,
    net: netOf(residual, blokus, { filters, blocks }),
    batch,
    flop: 2 * (400 * 9 * filters * (33 + 2 * blocks * filters) + 800 * 30_433 + 1600 * 256),
    torch: { net: "residual", filters, blocks, batch },
    reference: false,
  });
  const convolutional = (filters: number, blocks: number, batch: number): Case => {
    const net = netOf(residual, blokus, {
      filters,
      blocks,
      valueUnits: 64,
      planes: "compact",
      policyHead: "convolutional",
    });
    const towerFlop = 400 * 9 * filters * (net.input[2] + 2 * blocks * filters);
    return {
      name: `convolutional ${filters}x${blocks}, ${setting(batch)}`,
      net,
      batch,
      flop: 2 * (towerFlop + filters * (400 * filters + net.logits!) + 1600 * 64),
      reference: false,
    };
  };
  const [first, second, units1, units2] = [160, 320, 256, 64];
  const small = (batch: number, reference: boolean): Case => ({
    name: `cnn22, ${setting(batch)}`,
    net: netOf(cnn22, createGame("2048", {}), { filters: [first, second], units: [units1, units2] }),
    batch,
    flop: 2 * (9 * 4 * 18 * first + 4 * 4 * first * second + 4 * second * units1 + units1 * units2),
    torch: { net: "cnn22", filters: [first, second], units: [units1, units2], batch },
    reference,
  });
  return [
    tower(32, 3, 64),
    tower(64, 5, 64),
    tower(128, 10, 32),
    convolutional(32, 3, 64),
    convolutional(48, 4, 64),
    convolutional(64, 5, 64),
    small(1024, false),
    small(16, true),
  ];
}

/** A net for a game with these options; the others are their defaults. */
function netOf<O extends TObject>(
  definition: NetDefinition<O>,
  game: Game<unknown>,
  given: Readonly<Partial<Static<O>>>,
): Net {
  const completed = completeOptions(definition.options, given as Readonly<Record<string, unknown>>);
  if ("wrong" in completed) throw new Error(completed.wrong);
  return definition.build(game, completed.options);
}

async function measure(
  engine: Engine,
  { name, net, batch, flop, torch: spec, reference }: Case,
  torch: Torch | undefined,
  threads: number,
  rounds: number,
): Promise<BenchRow[]> {
  const random = Random.named("bench", name);
  const own = await contestant(engine, net, batch, random, STEPS);
  const int8 = engine.description.includes("cpu")
    ? await int8Contestant(engine, net, batch, random)
    : undefined;
  const raw = await rawSession(net, batch, random, threads);
  const peer =
    torch === undefined || spec === undefined ? undefined : await openTorchNet(torch, spec, threads);
  const times = {
    train: [],
    infer: [],
    int8: [],
    raw: [],
    torchTrain: [],
    torchInfer: [],
  } as Record<"train" | "infer" | "int8" | "raw" | "torchTrain" | "torchInfer", number[]>;
  const start = performance.now();
  const patient = (round: number) => round < 2 || performance.now() - start < PATIENCE * 1000;
  // The round before 0 warms up. Inference is repeated, so that the contestant before it does not matter.
  for (let round = -1; round < rounds && patient(round); round++) {
    const note = (key: keyof typeof times, seconds: number | undefined) => {
      if (round >= 0 && seconds !== undefined) times[key].push(seconds);
    };
    note("train", await timed(own.train));
    note("torchTrain", await peer?.train.seconds());
    for (let i = 0; i < INFERENCES; i++) {
      note("infer", await timed(own.infer));
      if (int8 !== undefined) note("int8", await timed(int8.infer));
      note("raw", await timed(raw.run));
      note("torchInfer", await peer?.infer.seconds());
    }
  }
  const perSecond = (seconds: readonly number[], positions: number) => positions / median(seconds);
  const training = perSecond(times.train, STEPS * batch);
  const inference = perSecond(times.infer, batch);
  const row = { case: name, unit: "positions/s" };
  const trainingRow = { ...row, metric: "training", value: training };
  const inferenceRow = { ...row, metric: "inference", value: inference };
  const rows: BenchRow[] = [
    { case: name, metric: "training", value: (training * 3 * flop) / 1e9, unit: "GFLOP/s" },
    compared(inferenceRow, { name: "raw session", value: perSecond(times.raw, batch) }),
  ];
  if (int8 !== undefined)
    rows.push(
      compared(
        { ...row, metric: "inference in int8", value: perSecond(times.int8, batch) },
        { name: "inference in float32", value: inference },
      ),
    );
  if (peer !== undefined)
    rows.push(
      compared(trainingRow, { name: peer.train.name, value: perSecond(times.torchTrain, batch) }),
      compared(inferenceRow, { name: peer.infer.name, value: perSecond(times.torchInfer, batch) }),
    );
  else rows.push(trainingRow);
  if (reference) {
    const slow = await contestant(await openReferenceEngine(), net, batch, random, 1);
    const slowTraining = { name: "tfjs cpu", value: batch / (await timed(slow.train)) };
    const slowInference = { name: "tfjs cpu", value: batch / (await timed(slow.infer)) };
    rows.push(compared(trainingRow, slowTraining), compared(inferenceRow, slowInference));
    await slow.dispose();
  }
  peer?.dispose();
  await Promise.all([own.dispose(), raw.dispose(), int8?.dispose()]);
  return rows;
}

/** The net on one of our engines: `train` makes `steps` steps, `infer` evaluates one batch. */
export async function contestant(engine: Engine, net: Net, batch: number, random: Random, steps: number) {
  const weights = initialWeights(net, random);
  const policy = net.actions !== undefined;
  const loss = openLoss({ use: policy ? "alphazero" : "value-regression" });
  const options = { optimiser: { use: "sgd", weightDecay: 1e-4 }, rows: batch } as const;
  const training = await openTraining(engine, net, loss, options, { weights });
  const inference = await openInference(engine, net, weights);
  const value = Float32Array.from({ length: batch * net.seats }, () => 2 * random.float() - 1);
  const positions = randomPositions(net, batch, random);
  const { bytes, floats } = positions.batch;
  const batches = Array.from({ length: steps }, () => ({ bytes, floats, value, ...movesFor(net, batch) }));
  const rates = new Float32Array(steps).fill(1e-4);
  return {
    train: () => training.steps(batches, rates),
    infer: () => inference.run(positions.batch, batch, positions.out),
    dispose: async () => {
      await training.dispose();
      await inference.dispose();
    },
  };
}

/** The net in int8, calibrated by the positions that it evaluates; undefined for a net without convolutions that are computed so. */
async function int8Contestant(engine: Engine, net: Net, batch: number, random: Random) {
  if (int8Activations(net) === 0) return undefined;
  const weights = initialWeights(net, random);
  const positions = randomPositions(net, batch, random);
  const ranges = await int8Ranges(engine, net, weights, positions.batch, batch);
  const inference = await openInference(engine, net, weights, ranges);
  return {
    infer: () => inference.run(positions.batch, batch, positions.out),
    dispose: () => inference.dispose(),
  };
}

/** The exported graph in a session made and run directly. */
async function rawSession(net: Net, batch: number, random: Random, threads: number) {
  const session = await InferenceSession.create(exportOnnx(net, initialWeights(net, random)), {
    intraOpNumThreads: threads,
  });
  const x = new Tensor("float32", planes(net, batch, random), [batch, ...net.input]);
  return { run: () => session.run({ x }), dispose: () => session.release() };
}

function planes(net: Net, batch: number, random: Random): Float32Array {
  const [height, width, channels] = net.input;
  return Float32Array.from({ length: batch * height * width * channels }, () => random.below(2));
}

/** Each of the most legal moves of a position, with equal probabilities. */
function movesFor({ maxLegal }: Net, batch: number) {
  if (maxLegal === undefined) return {};
  const policy = new Float32Array(batch * maxLegal).fill(1 / maxLegal);
  return { policy, policyIndices: Int32Array.from(policy, (_, i) => i % maxLegal) };
}

/** Seconds of wall time. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}
