import { expect, it } from "vitest";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { int8Activations, int8Ranges } from "../../../../src/models/nets/int8.ts";
import { openInference } from "../../../../src/models/nets/inference.ts";
import { type Inference, INT8_RANGES } from "../../../../src/models/net.ts";
import {
  calibrated,
  type CalibrationSample,
  openPlayingNet,
  randomSample,
} from "../../../../src/operators/play/evaluation/calibration.ts";
import { decideEvaluations } from "../../../../src/operators/play/evaluation/decide-evaluations.ts";
import {
  type Experiment,
  networkOf,
  openExperiment,
  ownerOf,
} from "../../../../src/operators/experiment/open-experiment.ts";
import { publishable, tensorsOf } from "../../../../src/operators/run/weights/net-weights.ts";
import { weightsBytes, weightsFrom } from "../../../../src/fleet/wire/weights-bytes.ts";
import { checkExperiment } from "../../../../src/graph/experiment-file.ts";
import { Random } from "../../../../src/random.ts";
import { randomWeights } from "../../../models/nets/random-batches.ts";

function experimentOf(evaluations: string | undefined, rules = "connect-four"): Experiment {
  const { experiment, problems } = checkExperiment("int8", {
    name: "int8",
    seed: 3,
    game: { rules },
    nets: {
      zero: {
        use: "residual",
        filters: 8,
        blocks: 2,
        valueUnits: 8,
        ...(evaluations === undefined ? {} : { evaluations }),
      },
    },
    agents: { player: { use: "gumbel", net: "zero", simulations: 4 } },
    graph: { match: { use: "arena", agents: ["player", "player"], games: 2 } },
  } as unknown as Experiment);
  expect(problems).toEqual([]);
  return experiment;
}

const opened = openExperiment(experimentOf("int8"));
const network = networkOf(opened, "zero");
const weights = randomWeights(network.net, Random.named("calibration test"));

/** Values and priors of the first positions. */
async function outputsOf(inference: Inference, { batch }: CalibrationSample): Promise<number[]> {
  const rows = 20;
  const out = {
    value: new Float32Array(rows * network.net.seats),
    prior: new Float32Array(rows * batch.width),
  };
  await inference.run(batch, rows, out);
  await inference.dispose();
  return [...out.value, ...out.prior];
}

it("takes positions of random games, the same ones each time", () => {
  const { batch, rows } = randomSample(opened.game, network);
  expect(rows).toBe(256);
  expect(randomSample(opened.game, network)).toEqual({ batch, rows });
  // Seven columns are open at first, so a position has the moves 0 to 6.
  expect([...batch.gather.subarray(0, batch.width)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const positions = new Set(
    Array.from({ length: rows }, (_, row) => {
      const size = batch.bytes.length / rows;
      return batch.bytes.subarray(row * size, (row + 1) * size).join();
    }),
  );
  expect(positions.size).toBeGreaterThan(200);
});

it("plays in int8 by the ranges of the version, and by those of random games where it has none", async () => {
  const engine = await openEngine({ threads: 1 });
  const sample = randomSample(opened.game, network);
  const ranges = await int8Ranges(engine, network.net, weights, sample.batch, sample.rows);
  const by = async (int8?: Float32Array) =>
    outputsOf(await openInference(engine, network.net, weights, int8), sample);
  const playing = async (of = opened, more: Iterable<[string, Float32Array]> = []) =>
    outputsOf(await openPlayingNet(engine, of, "zero", new Map([...weights, ...more])), sample);
  const wider = ranges.map((each) => 2 * each);
  const random = await by(ranges);
  expect(await playing()).toEqual(random);
  expect(await playing(opened, [[INT8_RANGES, wider]])).toEqual(await by(wider));
  expect(await by(wider)).not.toEqual(random);
  // A net in float32 does not look at ranges, which a checkpoint may have.
  const float32 = await by();
  expect(float32).not.toEqual(random);
  for (const evaluations of [undefined, "float32", "auto"])
    expect(await playing(openExperiment(experimentOf(evaluations)), [[INT8_RANGES, wider]])).toEqual(float32);
});

it("keeps the ranges with the weights wherever these go", () => {
  const ranges = Float32Array.from({ length: 2 * int8Activations(network.net) }, (_, i) => i);
  const published = { kind: "network", tensors: new Map([...weights, [INT8_RANGES, ranges]]) } as const;
  const stored = tensorsOf(opened, "zero", published);
  expect(stored.get(`weights/${INT8_RANGES}`)).toEqual({ shape: [ranges.length], data: ranges });
  expect(publishable(opened, "zero", stored)).toEqual(published);
  const bytes = weightsBytes(opened, "zero", published);
  expect(weightsFrom(opened, "zero", new Uint8Array(bytes))).toEqual(published);
});

it("leaves a checkpoint to nets that are computed otherwise", () => {
  expect(ownerOf(experimentOf("int8"), "zero")).toEqual(ownerOf(experimentOf(undefined), "zero"));
});

it("finds small errors, and none of a net without such convolutions", async () => {
  const engine = await openEngine({ threads: 1 });
  const { error, ranges } = await calibrated(
    engine,
    network.net,
    weights,
    randomSample(opened.game, network),
  );
  expect(ranges.length).toBe(2 * int8Activations(network.net));
  expect(error.value).toBeGreaterThan(0);
  expect(error.value).toBeLessThan(0.05);
  expect(error.divergence).toBeGreaterThan(0);
  expect(error.divergence).toBeLessThan(0.05);
  expect(error.equalMoves).toBeGreaterThan(0.8);

  const small = openExperiment(experimentOf("auto", "tic-tac-toe"));
  const { net } = networkOf(small, "zero");
  expect(int8Activations(net)).toBe(0);
  const random = randomWeights(net, Random.named("small"));
  const sample = randomSample(small.game, networkOf(small, "zero"));
  expect((await calibrated(engine, net, random, sample)).error).toEqual({
    value: 0,
    divergence: 0,
    equalMoves: 1,
  });
  // So there is nothing to decide.
  expect(await decideEvaluations(engine, small, "zero", random)).toEqual({ evaluations: "float32" });
});
