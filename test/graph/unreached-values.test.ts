import { join } from "node:path";
import { expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { unreachedValues } from "../../src/graph/unreached-values.ts";

const file = join(import.meta.dirname, "../trust/diagnosis/planted/base-tic-tac-toe.yaml");

function unreached(...set: readonly string[]): string[] {
  return unreachedValues(checkGraph(readExperiment(file, set))).map(({ says, where }) => `${where} ${says}`);
}

const gumbel = (cScale: string) =>
  `agents.learner={ use: gumbel, net: zero, simulations: 8, cScale: ${cScale} }`;
const rate = (until: number) => `graph.weights.rate=[{ until: ${until}, value: 0.01 }, { value: 0.001 }]`;

it("finds schedules that go on beyond the end of the run, in the unit of each", () => {
  const [steps, trainings] = [480, 12];
  expect(unreached()).toEqual([]);
  expect(unreached(rate(steps))).toEqual([]);
  expect(unreached(rate(steps + 1))).toEqual([
    expect.stringMatching(/^\/graph\/weights\/rate .* after 481, and the run has 480 steps/),
  ]);
  expect(unreached(gumbel("0.5"))).toEqual([]);
  expect(unreached(gumbel(`[{ until: ${trainings}, value: 0.2 }, { value: 1 }]`))).toEqual([]);
  expect(unreached(gumbel(`[{ until: ${trainings + 1}, value: 0.2 }, { value: 1 }]`))).toEqual([
    expect.stringMatching(/^\/agents\/learner\/cScale .* after 13, and the run has 12 versions/),
  ]);
});
