import { describe, expect, it } from "vitest";
import {
  type AfterstateTargets,
  targetsOf,
} from "../../../../src/operators/learning/tables/search-targets.ts";

/** Three decisions: rewards 4, 8, 16; values of the afterstates in the tree and by the value function. */
const game = {
  rewards: Float64Array.of(4, 8, 16),
  nodeValues: Float64Array.of(100, 50, 10),
  evalValues: Float64Array.of(90, 40, 5),
  best: 30,
};

/** The targets from the first afterstate to the last, where every step leaves the value 12. */
function all(targets: AfterstateTargets): number[] {
  const next = targetsOf(targets, game);
  return [2, 1, 0].map((decision) => next(decision, 12)).toReversed();
}

describe("targets from searches", () => {
  it.each<{ targets: AfterstateTargets; wanted: number[] }>([
    { targets: { use: "node-value" }, wanted: [8 + 50, 16 + 10, 0] },
    { targets: { use: "double" }, wanted: [58, 26, 0] },
    { targets: { use: "target-net", every: 5 }, wanted: [58, 26, 0] },
    { targets: { use: "eval-value" }, wanted: [8 + 40, 16 + 5, 0] },
    { targets: { use: "returns", lambda: 0 }, wanted: [8 + 12, 16 + 12, 0] },
    { targets: { use: "returns", lambda: 1 }, wanted: [24, 16, 0] },
    { targets: { use: "returns", lambda: 0.5 }, wanted: [8 + 6 + 11, 16 + 6, 0] },
    { targets: { use: "mixed", weight: 0.5 }, wanted: [(58 + 24) / 2, (26 + 16) / 2, 0] },
    { targets: { use: "mixed", weight: 0 }, wanted: [58, 26, 0] },
    { targets: { use: "clipped" }, wanted: [30, 26, 0] },
  ])("are as defined: $targets", ({ targets, wanted }) => {
    expect(all(targets)).toEqual(wanted);
  });
});
