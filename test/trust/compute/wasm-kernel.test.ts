import { describe, it } from "vitest";
import { expectSameLearning, type Learning } from "../../models/n-tuple/same-learning.ts";

describe("the kernel in WebAssembly, at length", () => {
  it.each<Learning>([
    { name: "4x6, TC", tuples: "4x6", options: { lambda: 0.5, step: { use: "tc", rate: 1 } } },
    { name: "4x6, TD", tuples: "4x6", options: { lambda: 0.5, step: { use: "td", rate: 0.1 } } },
    { name: "8x6, TC", tuples: "8x6", options: { lambda: 0, step: { use: "tc", rate: 0.5 } } },
    {
      name: "4x6, TC, in stages",
      tuples: "4x6",
      stages: [64, 128],
      options: { lambda: 0.5, step: { use: "tc", rate: 1 } },
    },
    {
      name: "4x6, TC, in stages without promotion, games begun late",
      tuples: "4x6",
      stages: [64, 128],
      promotion: false,
      options: { lambda: 0.5, step: { use: "tc", rate: 1 }, begin: { tile: 32, games: 3 }, restart: 40 },
    },
  ])("learns the same games and weights as the plain one: $name", expectSameLearning);
});
