import { describe, expect, it } from "vitest";
import type { FittedModel } from "../../../src/models/onnx/fit-model.ts";
import { OutputJudge } from "../../../src/models/onnx/output-judge.ts";

const value = { name: "v", tanh: false, factor: 1, offset: 0, sum: 0, range: undefined };
const policy = { name: "pi", probabilities: false };
const sizes = { v: 1, pi: 4 };

function judgeOf(parts: { value?: Partial<NonNullable<FittedModel["value"]>>; probabilities?: boolean }) {
  return new OutputJudge(
    {
      file: "model.onnx",
      game: { name: "game", players: 2, actions: 4 },
      layout: "nchw",
      planes: { name: "planes", shape: [1, 1, 1] },
      batch: undefined,
      value: { ...value, ...parts.value },
      policy: { ...policy, probabilities: parts.probabilities ?? false },
    },
    sizes,
  );
}

/** Two rows, whose legal actions are 1 and 3, and 0 and 2. */
const gather = Int32Array.of(1, 3, -1, 0, 2, -1);

describe("the outputs of a model", () => {
  it("are in the range that was said, as far as they are rounded", () => {
    const range = [-1, 1] as const;
    for (const [numbers, outside] of [
      [[-1, 1], undefined],
      [[1.015, -1.015], undefined],
      [[0, 1.03], /its output "v" has given 1\.03, and its range is \[-1, 1\]/],
      [[-5, 0], /has given -5/],
      [[NaN, Infinity], undefined],
    ] as const) {
      const judge = judgeOf({ value: { range } });
      judge.look({ valueOutput: Float32Array.from(numbers) }, gather, 2, 3);
      if (outside === undefined) expect(judge.outOfRange).toBeUndefined();
      else expect(judge.outOfRange).toMatch(outside);
    }
    // What follows the rows is left from other batches.
    const judge = judgeOf({ value: { range } });
    judge.look({ valueOutput: Float32Array.of(0, 7) }, gather, 1, 3);
    expect(judge.outOfRange).toBeUndefined();
  });

  it("are compared with the range after a tanh, which hides no infinite number", () => {
    const judge = judgeOf({ value: { range: [-1, 1], tanh: true } });
    const valueOutput = Float32Array.of(40, -Infinity);
    judge.look({ valueOutput }, gather, 2, 3);
    expect(judge.outOfRange).toBeUndefined();
    expect([...valueOutput]).toEqual([40, NaN]);
  });

  it("are told of once: the first number outside stays", () => {
    const judge = judgeOf({ value: { range: [0, 1] } });
    judge.look({ valueOutput: Float32Array.of(3) }, gather, 1, 3);
    const first = judge.outOfRange;
    judge.look({ valueOutput: Float32Array.of(4) }, gather, 1, 3);
    expect(judge.outOfRange).toBe(first);
  });

  it("may be anything at illegal moves: padding, which reads the first action, gets a number", () => {
    const judge = judgeOf({});
    const policyOutput = Float32Array.of(NaN, 0, NaN, -Infinity, Infinity, 0, 1, NaN);
    judge.look({ policyOutput }, gather, 2, 3);
    // Action 0 is illegal in the first row and legal in the second.
    expect([...policyOutput]).toEqual([0, 0, NaN, -Infinity, Infinity, 0, 1, NaN]);
    const masked = Float32Array.of(-Infinity, 0, 0, 0);
    judge.look({ policyOutput: masked }, gather, 1, 3);
    expect(masked[0]).toBe(-Infinity);
  });

  it("are no logits where probabilities were said", () => {
    const judge = judgeOf({ probabilities: true });
    const policyOutput = Float32Array.of(-3, NaN, 0.5, 0.5, 0.2, 9, 0.8, -1);
    judge.look({ policyOutput }, gather, 2, 3);
    expect(judge.outOfRange).toBeUndefined();
    // Of a legal move: the softmax makes NaN of it.
    expect(policyOutput[1]).toBe(Infinity);
    judge.look({ policyOutput: Float32Array.of(0, 0.4, 0, -3.25) }, gather, 1, 3);
    expect(judge.outOfRange).toMatch(/"pi" has given -3\.25 as the probability.*policyOutput: logits/);
  });
});
