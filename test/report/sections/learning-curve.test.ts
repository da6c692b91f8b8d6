import { expect, it } from "vitest";
import { expectedCurve } from "../../../src/diagnosis/expected-curve.ts";
import { drawFigure } from "../../../src/figures/figure.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { experimentText } from "../../../src/graph/folder/run-folder.ts";
import { experimentPath } from "../../../src/graph/shipped-experiments.ts";
import { figuresIn } from "../../../src/report/section.ts";
import { learningCurveSection } from "../../../src/report/sections/learning-curve.ts";
import { Random } from "../../../src/random.ts";
import { agentResult, timed } from "../example-run.ts";

/** The curve of the first two rounds of a run of quickstart. */
function curveFigure(set: readonly string[] = []) {
  const { experiment } = readExperiment(experimentPath("quickstart"), set);
  const events = [1000, 2000].map((learned) =>
    timed(learned, {
      type: "match",
      stage: "curve",
      learned,
      unit: "games",
      agents: [agentResult("greedy", 10, learned, Random.named("curve"))],
    }),
  );
  const run = {
    name: "quickstart",
    folder: ".",
    manifest: {},
    experiment: experimentText(experiment),
    events,
  };
  const [figure] = figuresIn(learningCurveSection(run)!.body);
  if (figure!.chart.kind !== "lines") throw new Error("no lines");
  return { figure: figure!, series: figure!.chart.series };
}

it("has the band of recorded runs to their end behind the lines of a run with their settings", () => {
  const { figure, series } = curveFigure();
  const { points } = expectedCurve(readExperiment(experimentPath("quickstart")).experiment)!;
  expect(series.map(({ label, style }) => [label, style])).toEqual([
    ["greedy", 0],
    ["greedy, expected", undefined],
  ]);
  expect(series[1]!.points).toEqual(
    points.map(({ high, learned, low, value }) => ({ x: learned, y: value, least: low, most: high })),
  );
  expect(figure.caption).toContain("recorded runs with these settings");
  expect(String(drawFigure(figure, 800, "f"))).toContain('class="spread"');
});

it("has none with changed settings", () => {
  const { figure, series } = curveFigure(["graph.learn.lambda=0.4"]);
  expect(series.map(({ label }) => label)).toEqual(["greedy"]);
  expect(figure.caption).not.toContain("recorded runs");
});
