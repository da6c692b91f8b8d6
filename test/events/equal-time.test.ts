import { expect, it } from "vitest";
import { equalTimeText, equalTimeYaml, unequalTexts } from "../../src/events/equal-time.ts";

const reference = "a";
const of = (milliseconds: number, simulations?: number) => ({
  decisions: 10,
  milliseconds,
  ...(simulations === undefined ? {} : { simulations }),
});
const agents = [
  { agent: "a", measured: [of(10), of(12.345)] },
  { agent: "b", simulations: 430, measured: [of(5, 200), of(12, 420)] },
  { agent: "c", simulations: 1, measured: [of(50, 100), of(14, 1)] },
  { agent: "random", measured: [of(0.001), of(0.001)] },
  { agent: "most", simulations: 10_000_000, measured: [of(1, 10_000_000)] },
  { agent: "as-fast", measured: [of(12)] },
];

it("what was fixed is a sentence, and lines of a file", () => {
  expect(equalTimeText({ agents, reference })).toBe(
    "as much processor time a decision as a, 12.3 ms: 430 simulations for b (200 in the file), 1 simulation for c (100 in the file), 10,000,000 simulations for most (10,000,000 in the file)",
  );
  expect(equalTimeYaml({ agents })).toBe(
    "agents:\n  b: { simulations: 430 }\n  c: { simulations: 1 }\n  most: { simulations: 10000000 }",
  );
});

it("agents that cannot have equal times are named, with the reason", () => {
  expect(unequalTexts({ agents, reference })).toEqual([
    "c takes 14 ms a decision: one simulation is the least",
    "random takes 0.001 ms a decision: it has no simulations to change",
    "most takes 1 ms a decision: 10,000,000 simulations are the most",
  ]);
});
