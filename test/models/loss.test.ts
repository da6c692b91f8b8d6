import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openReferenceEngine } from "../../src/compute/tfjs-engine.ts";
import { openLoss, type LossOptions } from "../../src/models/loss.ts";
import type { Net } from "../../src/models/net.ts";

beforeAll(async () => {
  await openReferenceEngine();
});

const net = { name: "given", valueScale: 10 } as unknown as Net;

function computed(
  options: LossOptions,
  value: number[][],
  target: number[][],
  policy?: number[][],
  pi?: number[][],
) {
  const outputs = {
    value: tf.tensor2d(value),
    ...(policy === undefined ? {} : { policy: tf.tensor2d(policy) }),
    state: {},
  };
  const targets = { value: tf.tensor2d(target), ...(pi === undefined ? {} : { policy: tf.tensor2d(pi) }) };
  const { total, parts } = openLoss(options).compute(net, outputs, targets);
  const numbers = Object.entries(parts).map(([name, part]) => [name, part.dataSync()[0]!]);
  return { total: total.dataSync()[0]!, parts: Object.fromEntries(numbers) as Record<string, number> };
}

describe("value-regression", () => {
  it("is the mean squared error in units of the value scale", () => {
    expect(computed({ use: "value-regression" }, [[20], [0]], [[0], [10]]).total).toBeCloseTo(2.5);
  });

  it("with huber grows linearly beyond one unit", () => {
    const huber = { use: "value-regression", error: "huber" } as const;
    expect(computed(huber, [[5]], [[0]]).total).toBeCloseTo(0.25);
    expect(computed(huber, [[30]], [[0]]).total).toBeCloseTo(5);
  });

  it("with clip moves a far target to the given distance, and leaves a near one", () => {
    const clipped = { use: "value-regression", clip: 10 } as const;
    expect(computed(clipped, [[500]], [[0]]).total).toBeCloseTo(1);
    expect(computed(clipped, [[4]], [[0]]).total).toBeCloseTo(0.16);
  });
});

describe("alphazero", () => {
  it("adds the squared error over the seats and the cross entropy, averaged over the rows", () => {
    const rows = computed(
      { use: "alphazero" },
      [
        [10, 0],
        [0, 0],
      ],
      [
        [-10, 10],
        [0, 0],
      ],
      [
        [0, 0],
        [Math.log(3), 0],
      ],
      [
        [1, 0],
        [0.5, 0.5],
      ],
    );
    expect(rows.parts["value"]).toBeCloseTo(2.5);
    const entropy = (Math.log(2) - 0.5 * Math.log(0.75) - 0.5 * Math.log(0.25)) / 2;
    expect(rows.parts["policy"]).toBeCloseTo(entropy);
    expect(rows.total).toBeCloseTo(2.5 + entropy);
  });
});
