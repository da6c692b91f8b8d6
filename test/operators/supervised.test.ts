import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

const learned = {
  use: "supervised",
  from: "records",
  net: "policy",
  batch: 8,
  steps: 6,
  every: 3,
  rate: 0.1,
};
const accuracy = { use: "policy-accuracy", from: "records", after: "learned" };
const linear = { ...learned, net: "playouts" };

/** Checks an experiment with these stages beside the recorded games. */
function check(stages: Record<string, unknown>): void {
  const experiment = {
    name: "checked",
    seed: 1,
    game: { rules: "go", size: 5 },
    nets: {
      policy: { use: "mlp", policy: true },
      values: { use: "mlp" },
      playouts: { use: "linear-policy" },
    },
    graph: { records: { use: "sgf", sources: ["."] }, ...stages },
  };
  checkGraph(readExperiment(writeExperiment(scratchFolder(), stringify(experiment))));
}

describe("checks of stages that learn from recorded games", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a value net", { learned: { ...learned, net: "values" } }, /learned\.net: "values" gives values only/],
    ["versions of unequal length", { learned: { ...learned, every: 4 } }, /every: 6 steps cannot be divided/],
    [
      "a schedule without an end",
      { learned: { ...learned, rate: [{ until: 3, value: 0.1 }] } },
      /learned\.rate: every entry but the last/,
    ],
    [
      "an optimiser for a linear policy",
      { learned: { ...linear, optimiser: { use: "sgd" } } },
      /learned\.optimiser: "playouts" is a linear policy/,
    ],
    [
      "an average of a linear policy",
      { learned: { ...linear, averaging: 0.9 } },
      /learned\.averaging: "playouts" is a linear policy/,
    ],
    [
      "the accuracy of a value net",
      { last: { ...accuracy, after: undefined, policies: [{ net: "values" }] } },
      /last\.policies\.0\.net: "values" gives values only/,
    ],
    [
      "the accuracy of another net than the one that is followed",
      { learned, last: { ...accuracy, policies: [{ net: "policy" }, { net: "playouts" }] } },
      /last\.policies\.1\.net: this stage follows the versions of "policy"/,
    ],
    [
      "symmetric images for features that are the same in all of them",
      { learned: linear, last: { ...accuracy, policies: [{ net: "playouts", symmetries: "ensemble" }] } },
      /last\.policies\.0\.symmetries: the features of "playouts" are the same/,
    ],
  ])("refuse %s", (_what, stages, message) => {
    expect(() => check(stages)).toThrow(message);
  });

  it("take what is sound", () => {
    check({ learned, last: { ...accuracy, policies: [{ net: "policy", symmetries: "ensemble" }] } });
    check({ learned: { ...linear, rate: [{ until: 3, value: 0.1 }, { value: 0.05 }] } });
  });
});
