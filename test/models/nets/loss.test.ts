import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import { loadGradients } from "../../../src/compute/tfjs/gradients.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { openLoss, type LossOptions } from "../../../src/models/nets/loss.ts";
import type { Net } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { lossTargets } from "../../../src/models/nets/loss-targets.ts";
import { boardGame, netOf } from "../boards.ts";

beforeAll(async () => {
  await openReferenceEngine();
  await loadGradients();
});

const integers = (rows: number[][]) => tf.tensor2d(rows, undefined, "int32");

const net = { name: "given", valueScale: 10 } as unknown as Net;

function computed(
  options: LossOptions,
  value: number[][],
  target: number[][],
  policy?: number[][],
  pi?: number[][],
  more: Readonly<Record<string, number[][]>> = {},
) {
  const outputs = {
    value: tf.tensor2d(value),
    ...(policy === undefined ? {} : { policy: tf.tensor2d(policy) }),
    state: {},
  };
  // Every logit is a move unless `more` lists the moves.
  const policyIndices = integers((pi ?? [[]]).map((row) => row.map((_, i) => i)));
  const targets = {
    value: tf.tensor2d(target),
    ...(pi === undefined ? {} : { policy: tf.tensor2d(pi), policyIndices }),
    ...Object.fromEntries(
      Object.entries(more).map(([name, rows]) => [
        name,
        name === "policyIndices" ? integers(rows) : tf.tensor2d(rows),
      ]),
    ),
  };
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

  const alphazero = { use: "alphazero" } as const;
  const zeros = [[0, 0]];

  it("weighs the error of the values", () => {
    const whole = computed(alphazero, [[10, 0]], [[-10, 10]], zeros, [[1, 0]]);
    const half = computed({ ...alphazero, valueWeight: 0.5 }, [[10, 0]], [[-10, 10]], zeros, [[1, 0]]);
    expect(whole.total).toBeCloseTo(5 + Math.log(2));
    expect(half.total).toBeCloseTo(2.5 + Math.log(2));
    expect(half.parts["value"]).toBeCloseTo(5);
  });

  it("with legalOnly is the same as among the legal actions alone, however likely the others", () => {
    const logits = [[1, 80, -2, 0.5]];
    const policyIndices = [[3, 0, 2, -1, -1]];
    const pi = [[0.5, 0.25, 0.25, 0, 0]];
    const masked = computed({ ...alphazero, legalOnly: true }, zeros, zeros, logits, pi, { policyIndices });
    const alone = computed(alphazero, zeros, zeros, [[1, -2, 0.5]], [[0.25, 0.25, 0.5]]);
    expect(masked.parts["policy"]).toBeCloseTo(alone.parts["policy"]!, 5);
    const all = computed(alphazero, zeros, zeros, logits, pi, { policyIndices });
    expect(all.parts["policy"]).toBeGreaterThan(70);
  });

  /** The gradient of the loss by the logits of one row. */
  function gradientOf(options: LossOptions, row: number[], policyIndices: number[], pi: number[]): number[] {
    const gradient = tf.grad((logits) => {
      const outputs = { value: tf.zeros<tf.Rank.R2>([1, 2]), policy: logits as tf.Tensor2D, state: {} };
      const targets = {
        value: tf.zeros([1, 2]),
        policy: tf.tensor2d([pi]),
        policyIndices: integers([policyIndices]),
      };
      return openLoss(options).compute(net, outputs, targets).total;
    });
    return [...gradient(tf.tensor2d([row])).dataSync()];
  }

  it("with legalOnly gives illegal actions no gradient, and the others softmax - pi", () => {
    // Index 0 is a move, and padding too stands at index 0.
    const legalOnly = { ...alphazero, legalOnly: true };
    const [first, illegal, second] = gradientOf(legalOnly, [0, 9, Math.log(3)], [2, 0, -1, -1], [1, 0, 0, 0]);
    expect(first).toBeCloseTo(0.25);
    expect(second).toBeCloseTo(-0.25);
    expect(illegal).toBe(0);
  });

  it("gives a position without legal actions no gradient", () => {
    expect(gradientOf({ ...alphazero, legalOnly: true }, [5, 2, 1], [-1, -1], [0, 0])).toEqual([0, 0, 0]);
    expect(gradientOf(alphazero, [5, 2, 1], [-1, -1], [0, 0])).toEqual([0, 0, 0]);
  });

  it("without legalOnly gives every action softmax - pi, those that are not listed too", () => {
    const gradient = gradientOf(alphazero, [0, Math.log(2), 0], [1, -1], [1, 0]);
    for (const [i, expected] of [0.25, -0.5, 0.25].entries()) expect(gradient[i]).toBeCloseTo(expected);
  });

  it("learns no policy from rows of policyWeight 0, and counts them among the rows", () => {
    const two = [
      [0, 0],
      [0, 0],
    ];
    const pi = [
      [1, 0],
      [0, 1],
    ];
    const { parts } = computed(alphazero, two, two, two, pi, { policyWeight: [[1], [0]] });
    expect(parts["policy"]).toBeCloseTo(Math.log(2) / 2);
    const all = computed(alphazero, two, two, two, pi, { policyWeight: [[1], [1]] });
    expect(all.total).toBe(computed(alphazero, two, two, two, pi).total);
  });

  it("adds the weighted errors of auxiliary targets", () => {
    const learner = {
      seats: 2,
      valueScale: 1,
      scoreScale: 50,
      auxiliaryTargets: ["score", "ownership", "reply"],
    } as unknown as Net;
    const outputs = {
      value: tf.zeros<tf.Rank.R2>([1, 2]),
      policy: tf.zeros<tf.Rank.R2>([1, 2]),
      score: tf.tensor2d([[10, -40]]),
      ownership: tf.tensor3d([
        [
          [0, 0],
          [Math.log(3), 0],
        ],
      ]),
      reply: tf.tensor2d([[Math.log(3), 0]]),
      state: {},
    };
    const targets = {
      value: tf.zeros([1, 2]),
      policy: tf.tensor2d([[1, 0]]),
      policyIndices: integers([[0, 1]]),
      score: tf.tensor2d([[-40, -40]]),
      ownership: integers([[1, 0]]),
      reply: tf.tensor2d([[0, 1, 0]]),
      replyIndices: integers([[1, 0, -1]]),
    };
    const weights = { scoreWeight: 0.1, ownershipWeight: 0.2, replyWeight: 0.3 };
    const { total, parts } = openLoss({ ...alphazero, ...weights }).compute(learner, outputs, targets);
    const part = (name: string) => parts[name]!.dataSync()[0]!;
    expect(part("score")).toBeCloseTo(1);
    // Summed over the two seats, averaged over the two cells.
    expect(part("ownership")).toBeCloseTo((3 * Math.log(2) + Math.log(4)) / 2);
    expect(part("reply")).toBeCloseTo(Math.log(4 / 3));
    const sum = Math.log(2) + 0.1 * part("score") + 0.2 * part("ownership") + 0.3 * part("reply");
    expect(total.dataSync()[0]!).toBeCloseTo(sum);
    const none = openLoss({ ...alphazero, scoreWeight: 0, ownershipWeight: 0, replyWeight: 0 });
    expect(Object.keys(none.compute(learner, outputs, targets).parts)).toEqual(["value", "policy"]);
  });
});

describe("weights of rows", () => {
  const value = [[20], [0], [5]];
  const target = [[0], [10], [5]];
  const policy = [
    [0, 1],
    [2, 0],
    [1, 1],
  ];
  const pi = [
    [1, 0],
    [0.5, 0.5],
    [0, 1],
  ];
  const policyWeight = [[1], [1], [0]];
  const rowWeight = [[0.5], [2], [0.5]];

  it.each<LossOptions>([
    { use: "value-regression" },
    { use: "value-regression", error: "huber", clip: 8 },
    { use: "alphazero" },
    { use: "alphazero", legalOnly: true, valueWeight: 0.3 },
  ])("make every part of %o the weighted mean of that of single rows", (options) => {
    const alphazero = options.use === "alphazero";
    const of = (rows: readonly number[], more: Readonly<Record<string, number[][]>>, all: LossOptions) => {
      const some = <T>(each: readonly T[]) => rows.map((i) => each[i]!);
      if (!alphazero) return computed(all, some(value), some(target), undefined, undefined, more);
      const weights = { ...more, policyWeight: some(policyWeight) };
      return computed(all, some(value), some(target), some(policy), some(pi), weights);
    };
    const single = [0, 1, 2].map((i) => of([i], {}, options));
    const weighted = of([0, 1, 2], { rowWeight }, { ...options, weighted: true });
    const meanOf = (part: (i: number) => number) =>
      [0, 1, 2].reduce((sum, i) => sum + rowWeight[i]![0]! * part(i), 0) / 3;
    expect(weighted.total).toBeCloseTo(
      meanOf((i) => single[i]!.total),
      5,
    );
    for (const [name, part] of Object.entries(weighted.parts))
      expect(part).toBeCloseTo(
        meanOf((i) => single[i]!.parts[name]!),
        5,
      );
  });
});

describe("policy", () => {
  const one = tf.tensor2d.bind(tf);
  /** Loss and gradient by the logits of the rows, with targets of either sign. */
  function of(logits: number[][], policyIndices: number[][], policy: number[][], options = {}) {
    const compute = (x: tf.Tensor) =>
      openLoss({ use: "policy", ...options }).compute(
        net,
        { policy: x as tf.Tensor2D, state: {} },
        { policy: one(policy), policyIndices: integers(policyIndices) },
      ).total;
    const x = one(logits);
    return { loss: compute(x).dataSync()[0]!, gradient: [...tf.grad(compute)(x).dataSync()] };
  }

  it("is the mean of -sum t log p among the legal actions; its gradient is (sum t) p - t", () => {
    const logits = [
      [0.3, -1, 2],
      [1, 0, 0.5],
    ];
    const indices = [
      [2, 0, -1],
      [1, 2, 0],
    ];
    const targets = [
      [0.7, -0.2, 0],
      [0, -1, 0],
    ];
    const { loss, gradient } = of(logits, indices, targets);
    const expected = [0, 0, 0, 0, 0, 0];
    let sum = 0;
    for (const [row, moves] of indices.entries()) {
      const legal = moves.filter((index) => index >= 0);
      const total = legal.reduce((all, index) => all + Math.exp(logits[row]![index]!), 0);
      const weight = targets[row]!.reduce((all, t) => all + t, 0);
      for (const [i, index] of legal.entries()) {
        const p = Math.exp(logits[row]![index]!) / total;
        sum -= targets[row]![i]! * Math.log(p);
        expected[3 * row + index] = (weight * p - targets[row]![i]!) / 2;
      }
    }
    expect(loss).toBeCloseTo(sum / 2, 5);
    for (const [i, value] of expected.entries()) expect(gradient[i]).toBeCloseTo(value, 5);
  });

  it("with legalOnly: false is among all actions", () => {
    const all = of([[1, 80, -2]], [[0, 2, -1]], [[1, 0, 0]], { legalOnly: false });
    expect(all.loss).toBeCloseTo(79);
    expect(of([[1, 80, -2]], [[0, 2, -1]], [[1, 0, 0]]).loss).toBeCloseTo(Math.log(1 + Math.exp(-3)));
  });
});

describe("lossTargets", () => {
  const options = { filters: 2, blocks: 0, valueUnits: 2, policyHead: "convolutional" } as const;
  const game = { ...boardGame(3, 7, [3, 4, 2], 2), maxLegal: 5 };
  const all = netOf(residual, game, { ...options, score: true, ownership: true, reply: true });
  const asked = (of: Net, loss: LossOptions) =>
    Object.fromEntries(lossTargets(of, openLoss(loss)).map(({ name, width }) => [name, width]));

  it("names what net and loss need, with the widths of rows", () => {
    expect(asked(all, { use: "alphazero", legalOnly: true, scoreWeight: 0 })).toEqual({
      policyWeight: 1,
      ownership: 12,
      reply: 5,
      replyIndices: 5,
    });
    expect(asked(all, { use: "alphazero" })).toMatchObject({ score: 3 });
    expect(asked(netOf(residual, game, options), { use: "alphazero" })).toEqual({ policyWeight: 1 });
    expect(asked(all, { use: "value-regression" })).toEqual({});
    expect(asked(all, { use: "value-regression", weighted: true })).toEqual({ rowWeight: 1 });
  });

  it("puts logits where the game says that actions lie", () => {
    expect(all.logits).toBe(24);
    expect([...all.logitOf!]).toEqual([0, 12, 1, 13, 2, 14, 3]);
    expect(() => netOf(residual, boardGame(2, 3, [3, 3, 1]), options)).toThrow("where its actions lie");
  });
});
