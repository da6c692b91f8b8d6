import { describe, expect, it } from "vitest";
import { FixedRate, TemporalCoherence } from "../../../src/models/n-tuple/step-rule.ts";

const indices = Int32Array.of(0, 2, 3, 5);

describe("the fixed rate", () => {
  it("moves every looked up weight by its share of the error", () => {
    const weights = Float32Array.of(1, 1, 1, 1, 1, 1);
    const sum = new FixedRate(0.5, 4).step(weights, indices, 12);
    expect([...weights]).toEqual([2, 1, 2, 2, 1, 2]);
    expect(sum).toBe(8);
  });

  it("makes the error good, and not a multiple of it, where a weight is looked up twice", () => {
    const weights = new Float32Array(3);
    expect(new FixedRate(1, 4).step(weights, Int32Array.of(1, 1, 2, 1), 8)).toBe(8);
    expect([...weights]).toEqual([0, 2, 2]);
  });
});

describe("temporal coherence", () => {
  it("takes the whole share while the errors agree", () => {
    const rule = new TemporalCoherence(1, new Float32Array(12), 4);
    const weights = new Float32Array(6);
    rule.step(weights, indices, 8);
    expect(rule.step(weights, indices, 12)).toBe(12);
    expect([...weights]).toEqual([3, 0, 3, 3, 0, 3]);
  });

  it("slows each weight by how much its errors cancel", () => {
    const rule = new TemporalCoherence(1, new Float32Array(12), 4);
    const weights = new Float32Array(6);
    rule.step(weights, Int32Array.of(0, 2, 3, 4), 12); // weight 0 at 3, errors 3
    rule.step(weights, Int32Array.of(0, 1, 1, 1), -1); // weights 2 -1, errors -1
    rule.step(weights, Int32Array.of(0, 1, 1, 1), 15); // an error of 16, of which weight 0 takes half its share
    expect(weights[0]).toBe(2 + (4 * 2) / 4);
    expect(weights[1]).toBe(-1 + 4);
    expect([...rule.coherence.subarray(0, 4)]).toEqual([6, 8, 3, 5]);
  });

  it("rests where the errors cancel", () => {
    const rule = new TemporalCoherence(1, new Float32Array(12), 4);
    const weights = new Float32Array(6);
    rule.step(weights, indices, 8);
    rule.step(weights, indices, 0);
    expect(rule.step(weights, indices, 100)).toBeCloseTo(0, 12);
  });

  it("steps a weight that is looked up twice once", () => {
    const rule = new TemporalCoherence(1, new Float32Array(6), 4);
    const weights = new Float32Array(3);
    expect(rule.step(weights, Int32Array.of(1, 1, 2, 1), 8)).toBe(8);
    expect([...weights]).toEqual([0, 2, 2]);
    expect([...rule.coherence]).toEqual([0, 0, 2, 2, 2, 2]);
  });
});
