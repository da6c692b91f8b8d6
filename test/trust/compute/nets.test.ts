import { createHash } from "node:crypto";
import onnx from "onnx-proto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/compute/engine.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { cnn22 } from "../../../src/models/nets/cnn22.ts";
import { convolutional } from "../../../src/models/nets/convolutional.ts";
import { exportOnnx } from "../../../src/models/nets/inference.ts";
import { openLoss } from "../../../src/models/nets/loss.ts";
import { mlp } from "../../../src/models/nets/mlp.ts";
import { initialWeights, type Net } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { openTraining, type TrainingBatch, type TrainingState } from "../../../src/models/nets/training.ts";
import { Random } from "../../../src/random.ts";
import { relativeError } from "../../compute/agreement.ts";
import { boardGame, netOf } from "../../models/boards.ts";
import { openPlainInference } from "../../models/nets/plain-inference.ts";
import { batchFor, outputsOf, positions, randomWeights } from "../../models/nets/random-batches.ts";
import { board, everything, lossesOf, smallNets, trained } from "../../models/nets/small-nets.ts";

/** The sizes that are used, and odd ones. */
const large: readonly (readonly [string, Net])[] = [
  ["cnn22", netOf(cnn22, boardGame(1, 4, [4, 4, 18]), { deviation: 0.05, valueScale: 1 })],
  ["mlp", netOf(mlp, boardGame(2, 9, [3, 3, 3]), { hidden: [128, 100], policy: true })],
  ["residual", netOf(residual, boardGame(4, 501, [9, 9, 7]), { filters: 32, blocks: 1, valueUnits: 64 })],
  [
    "residual of odd sizes",
    netOf(residual, boardGame(2, 9, [3, 3, 3]), { filters: 13, blocks: 1, valueUnits: 7 }),
  ],
  [
    "residual that pools over a small board",
    netOf(residual, boardGame(2, 9, [3, 3, 3]), { filters: 4, blocks: 2, valueUnits: 8, globalPooling: 2 }),
  ],
  [
    "convolutional",
    netOf(convolutional, boardGame(2, 82, [9, 9, 11], 1, undefined, 1), { filters: 16, layers: 3 }),
  ],
  [
    // Its rows begin at places in memory that are no multiples of 16 bytes.
    "residual that pools over an odd board",
    netOf(residual, boardGame(2, 9, [5, 5, 4]), { filters: 8, blocks: 2, valueUnits: 8, globalPooling: 3 }),
  ],
  [
    "residual with all its parts",
    netOf(residual, boardGame(4, 500, [9, 9, 7], 11), {
      filters: 32,
      blocks: 2,
      valueUnits: 64,
      policyHead: "convolutional",
      globalPooling: 16,
      ...everything,
    }),
  ],
];

function hashOf({ weights, optimiser, average }: TrainingState): string {
  const hash = createHash("sha256");
  for (const values of [...weights.values(), ...optimiser.values(), ...(average?.values() ?? [])])
    hash.update(new Uint8Array(values.buffer));
  return hash.digest("hex");
}

let native: Engine;
let reference: Engine;
beforeAll(async () => {
  native = await openEngine({ engine: "onnx", threads: 2 });
  reference = await openReferenceEngine();
});

describe.each(smallNets.map((net) => [net.name, net] as const))(
  "onnx and tfjs cpu agree on %s:",
  (_, net) => {
    it("outputs", async () => {
      const random = Random.named("agreement", net.name);
      const weights = initialWeights(net, random);
      // Running statistics as after training, not the zeros and ones of the start.
      for (const { name, trained: isTrained } of net.parameters)
        if (!isTrained)
          weights.set(
            name,
            weights.get(name)!.map(() => 0.5 + random.float()),
          );
      const rows = 5;
      const x = positions(net, rows, random);
      const [actual, expected] = await Promise.all(
        [native, reference].map(async (engine) => {
          const out = outputsOf(net, rows);
          const inference = await openPlainInference(engine, net, weights);
          await inference.run(x, rows, out);
          await inference.dispose();
          return out;
        }),
      );
      if (net.hasValue !== false) expect(relativeError(actual!.value, expected!.value)).toBeLessThan(1e-4);
      if (net.actions !== undefined)
        expect(relativeError(actual!.policy!, expected!.policy!)).toBeLessThan(1e-4);
    });

    const losses = lossesOf(net);

    it.each(losses.map((loss) => [JSON.stringify(loss), loss] as const))(
      "gradients of %s",
      async (_name, loss) => {
        // With no momentum and a rate of 1, a step moves each weight by its gradient.
        const gradients = await Promise.all(
          [native, reference].map(async (engine) => {
            const sgd = { use: "sgd", momentum: 0 } as const;
            const { state } = await trained(engine, net, loss, sgd, [1]);
            const before = initialWeights(net, Random.named("training", net.name));
            return new Map(
              [...state.weights].map(([name, values]) => [
                name,
                values.map((value, i) => before.get(name)![i]! - value),
              ]),
            );
          }),
        );
        for (const [name, expected] of gradients[1]!)
          expect(relativeError(gradients[0]!.get(name)!, expected), name).toBeLessThan(1e-4);
      },
    );

    it.each([
      ["sgd", { use: "sgd", momentum: 0.9, weightDecay: 0.01 }],
      ["adam", { use: "adam", weightDecay: 0.01 }],
    ] as const)("steps of %s, losses and running statistics included", async (_name, options) => {
      const loss = losses.at(-1)!;
      const [actual, expected] = await Promise.all(
        [native, reference].map((engine) =>
          trained(engine, net, loss, options, [0.01, 0.02], { averaging: 0.7 }),
        ),
      );
      for (const kind of ["weights", "optimiser", "average"] as const)
        for (const [name, values] of expected!.state[kind]!)
          expect(relativeError(actual!.state[kind]!.get(name)!, values), name).toBeLessThan(1e-4);
      for (const [name, values] of Object.entries(expected!.losses))
        expect(relativeError(actual!.losses[name]!, values), name).toBeLessThan(1e-4);
      expect(expected!.state.optimiser.get("step")).toEqual(Float32Array.of(2));
    });
  },
);

describe.each(large)("%s", (_, net) => {
  it("gives a position the same bits wherever in batches of 1 to 33, with 1 and 2 threads", async () => {
    const random = Random.named("batches", net.name);
    const weights = randomWeights(net, random);
    const most = 33;
    const x = positions(net, most, random);
    const width = x.length / most;
    const expected = outputsOf(net, most);
    for (const threads of [1, 2]) {
      const inference = await openPlainInference(await openEngine({ threads }), net, weights);
      if (threads === 1) await inference.run(x, most, expected);
      const differing: string[] = [];
      for (let rows = 1; rows <= most; rows++)
        for (let first = 0; first + rows <= most; first += rows) {
          const out = outputsOf(net, rows);
          await inference.run(x.slice(first * width, (first + rows) * width), rows, out);
          const same = (actual: Float32Array, all: Float32Array) =>
            actual.every((value, i) => Object.is(value, all[(first * actual.length) / rows + i]));
          if (!same(out.value, expected.value)) differing.push(`values of ${rows} from ${first}`);
          if (out.policy !== undefined && !same(out.policy, expected.policy!))
            differing.push(`logits of ${rows} from ${first}`);
        }
      expect(differing, `${threads} threads`).toEqual([]);
      await inference.dispose();
    }
  });

  it("is trained to the same bits again, by one call or by several, and after a resumption", async () => {
    const random = Random.named("again", net.name);
    const weights = initialWeights(net, random);
    const batches = [1, 2, 3].map(() => batchFor(net, 8, random));
    const loss = openLoss(
      net.hasValue === false
        ? { use: "policy" }
        : net.actions === undefined
          ? { use: "value-regression" }
          : { use: "alphazero", legalOnly: true },
    );
    const run = async (calls: readonly (readonly TrainingBatch[])[], resume: boolean) => {
      let state: TrainingState = { weights, optimiser: new Map() };
      const options = { optimiser: { use: "sgd", weightDecay: 1e-4 }, rows: 8, averaging: 0.9 } as const;
      const open = () => openTraining(native, net, loss, options, state);
      let training = await open();
      for (const call of calls) {
        await training.steps(call, new Float32Array(call.length).fill(0.01));
        state = await training.state();
        if (!resume) continue;
        await training.dispose();
        training = await open();
      }
      await training.dispose();
      return hashOf(state);
    };
    const once = await run([batches], false);
    expect(await run([batches], false)).toBe(once);
    expect(await run([batches.slice(0, 1), batches.slice(1)], false)).toBe(once);
    expect(await run([batches.slice(0, 2), batches.slice(2)], true)).toBe(once);
  });

  it("is exported with its layers, shapes and weights", () => {
    const weights = initialWeights(net, Random.named("export"));
    const { graph } = onnx.onnx.ModelProto.decode(exportOnnx(net, weights));
    expect(graph!.name).toBe(net.name);
    expect(graph!.docString).toContain(net.hasValue === false ? "logits" : `${net.seats} values`);
    expect(graph!.input!.map(({ name }) => name)).toEqual(["x"]);
    expect(graph!.output!.map(({ name }) => name)).toEqual([
      ...(net.hasValue === false ? [] : ["value"]),
      ...(net.actions === undefined ? [] : ["policy"]),
    ]);
    const kept = new Map(graph!.initializer!.map((tensor) => [tensor.name!, tensor]));
    const ofTraining = /^(score|ownership|reply)\//;
    for (const name of kept.keys()) expect(name).not.toMatch(ofTraining);
    const used = net.parameters.filter(({ name }) => !ofTraining.test(name));
    for (const { name, shape } of used) {
      expect(kept.get(name)!.dims!.map(Number), name).toEqual(shape);
      const data = new Float32Array(new Uint8Array(kept.get(name)!.rawData!).buffer);
      expect(data, name).toEqual(weights.get(name));
    }
    const layers = new Set(graph!.node!.map((node) => node.docString));
    for (const { name } of used) expect(layers).toContain(name.slice(0, name.lastIndexOf("/")));
  });
});

describe("training", () => {
  it("lowers the loss", async () => {
    const net = smallNets[1]!;
    const random = Random.named("learning");
    const batch = batchFor(net, 16, random);
    const training = await openTraining(
      native,
      net,
      openLoss({ use: "alphazero" }),
      { optimiser: { use: "adam" }, rows: 16 },
      {
        weights: initialWeights(net, random),
      },
    );
    const { total } = await training.steps(
      Array.from({ length: 200 }, () => batch),
      new Float32Array(200).fill(0.01),
    );
    await training.dispose();
    // The entropy of the targets, which are near uniform over 11 actions, cannot be learned away.
    expect(total!.at(-1)!).toBeLessThan(total![0]! / 1.3);
    expect(total!.at(-1)!).toBeLessThan(2.5);
  });

  it.each(["dense", "convolutional"] as const)(
    "says 0 and prefers nothing at first where its heads begin at zero, and learns: %s",
    async (policyHead) => {
      const where = boardGame(2, 60, [5, 5, 17], 9);
      const net = netOf(residual, where, {
        filters: 4,
        blocks: 1,
        valueUnits: 3,
        policyHead,
        zeroHeads: true,
      });
      const random = Random.named("zero heads", policyHead);
      const weights = initialWeights(net, random);
      const inference = await openPlainInference(native, net, weights);
      const out = outputsOf(net, 4);
      out.value.fill(1);
      await inference.run(positions(net, 4, random), 4, out);
      expect(new Set([...out.value, ...out.policy!])).toEqual(new Set([0]));
      await inference.dispose();
      const training = await openTraining(
        native,
        net,
        openLoss({ use: "alphazero" }),
        { optimiser: { use: "adam" }, rows: 4 },
        { weights },
      );
      const batch = batchFor(net, 4, random);
      const { total } = await training.steps(
        Array.from({ length: 60 }, () => batch),
        new Float32Array(60).fill(0.01),
      );
      await training.dispose();
      expect(total!.at(-1)!).toBeLessThan(total![0]! / 1.1);
    },
  );

  it("gives actions off the board the last logits, from means and maxima over the board", async () => {
    const net = netOf(residual, boardGame(2, 27, [5, 5, 3], 1, undefined, 2), {
      filters: 4,
      blocks: 0,
      policyHead: "convolutional",
    });
    expect(net.logits).toBe(27);
    expect([...net.logitOf!]).toEqual(Array.from({ length: 27 }, (_, action) => action));
    const random = Random.named("off the board");
    const weights = initialWeights(net, random);
    weights.get("policy/off-board/matrix")!.fill(0);
    weights.get("policy/off-board/bias")!.set([3, -5]);
    const inference = await openPlainInference(native, net, weights);
    const out = outputsOf(net, 2);
    await inference.run(positions(net, 2, random), 2, out);
    await inference.dispose();
    expect([...out.policy!.subarray(25, 27), ...out.policy!.subarray(52)]).toEqual([3, -5, 3, -5]);
    expect(new Set(out.policy!.subarray(0, 25)).size).toBeGreaterThan(5);
    // Turned by half a turn, a board has the same means and maxima, so the same logits off the board.
    const turned = netOf(residual, boardGame(2, 3, [3, 3, 1], 1, undefined, 2), {
      filters: 4,
      blocks: 0,
      policyHead: "convolutional",
    });
    const drawn = randomWeights(turned, random);
    // A 3x3 filter that looks at its own cell alone knows no direction.
    const filter = drawn.get("stem/conv/filter")!;
    for (const i of filter.keys()) if (Math.floor(i / 4) !== 4) filter[i] = 0;
    const images = await openPlainInference(native, turned, drawn);
    const both = outputsOf(turned, 2);
    const cells = Float32Array.from({ length: 9 }, () => random.float());
    await images.run(Float32Array.from([...cells, ...cells.toReversed()]), 2, both);
    await images.dispose();
    const logits = both.policy!.length / 2;
    for (const k of [1, 2]) expect(both.policy![2 * logits - k]!).toBeCloseTo(both.policy![logits - k]!, 5);
    expect(both.policy![logits - 1]).not.toBeCloseTo(both.policy![logits - 2]!, 3);
  });

  it("averages the weights of the steps, the last ones most, running statistics too", async () => {
    const net = netOf(residual, board, { filters: 4, blocks: 1, valueUnits: 3 });
    const random = Random.named("averages");
    const weights = initialWeights(net, random);
    const loss = openLoss({ use: "alphazero" });
    const options = { optimiser: { use: "sgd" }, rows: 4, averaging: 0.6 } as const;
    const training = await openTraining(native, net, loss, options, { weights });
    expect((await training.state()).average).toEqual(weights);
    const passed: Map<string, Float32Array>[] = [];
    for (let step = 0; step < 3; step++) {
      await training.steps([batchFor(net, 4, random)], Float32Array.of(0.1));
      passed.push((await training.state()).weights);
    }
    const { average } = await training.state();
    await training.dispose();
    const shares = [0.36, 0.6, 1].map((share) => share / 1.96);
    for (const name of ["block1/conv2/filter", "stem/norm/variance", "policy/dense/bias"]) {
      const expected = passed[0]!
        .get(name)!
        .map((_, i) => passed.reduce((sum, at, step) => sum + shares[step]! * at.get(name)![i]!, 0));
      expect(relativeError(average!.get(name)!, expected), name).toBeLessThan(1e-6);
      expect(relativeError(average!.get(name)!, passed[2]!.get(name)!), name).toBeGreaterThan(1e-4);
    }
  });

  it("complains about batches and weights that do not fit", async () => {
    const net = smallNets[1]!;
    const weights = initialWeights(net, Random.named("unfit"));
    const loss = openLoss({ use: "alphazero" });
    const options = { optimiser: { use: "sgd" }, rows: 4 } as const;
    const training = await openTraining(native, net, loss, options, { weights });
    const batch = batchFor(net, 3, Random.named("unfit"));
    expect(() => training.steps([batch], Float32Array.of(1))).toThrow(/numbers for floats, not/);
    await training.dispose();
    weights.delete("hidden1/matrix");
    await expect(openPlainInference(native, net, weights)).rejects.toThrow("hidden1/matrix");
    await expect(openTraining(native, smallNets[2]!, loss, options, { weights })).rejects.toThrow(
      "needs a net with a policy",
    );
  });
});
