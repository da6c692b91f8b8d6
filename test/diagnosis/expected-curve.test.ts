import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { curvePath, expectedCurve, measuredOf, settingsDigest } from "../../src/diagnosis/expected-curve.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { experimentPath } from "../../src/graph/shipped-experiments.ts";
import { watchedStages } from "../../src/graph/watched-stages.ts";

const names = readdirSync(dirname(curvePath("any"))).map((file) => basename(file, ".json"));
const read = (name: string, set: readonly string[] = []) => readExperiment(experimentPath(name), set);

describe("the expected curves of the package", () => {
  it("are those of the first experiments that people run", () => {
    expect(names.toSorted()).toEqual(["daihinmin-policy", "quickstart", "tic-tac-toe-zero"]);
  });

  // After a change of settings, or of the defaults of options, record them again: npm run expected-curve.
  it.each(names)(
    "of %s was recorded with the settings of its file, any seed and any number of workers",
    (name) => {
      const file = read(name);
      const curve = expectedCurve(file.experiment)!;
      expect(curve.settings).toBe(settingsDigest(file.experiment));
      expect(expectedCurve(read(name, ["seed=77", "workers=1"]).experiment)).toEqual(curve);
      expect(file.experiment.graph[curve.stage]).toMatchObject({ use: "arena" });
      expect(file.experiment.agents).toHaveProperty(curve.agent);
      const { points, runs, seconds } = curve;
      expect(runs).toBeGreaterThanOrEqual(3);
      expect(points.length).toBeGreaterThan(3);
      expect(points).toEqual(points.toSorted((a, b) => a.learned - b.learned));
      for (const { elapsed, high, low, value } of points) {
        expect(low).toBeLessThan(value);
        expect(high).toBeGreaterThan(value);
        expect(elapsed).toBeLessThanOrEqual(seconds);
      }
      // They have learned: the band at the end is above that of the beginning.
      expect(points.at(-1)!.low).toBeGreaterThan(points[0]!.value);
    },
  );

  it("are watched in the stage that measures, and in no other one", () => {
    const file = read("tic-tac-toe-zero");
    const expected = expectedCurve(file.experiment);
    const watched = [...watchedStages(checkGraph(file))].filter(([, stage]) => stage.expected !== undefined);
    expect(watched.map(([name, stage]) => [name, stage.expected])).toEqual([["against-uct", expected]]);
  });

  it("are not those of changed settings, nor of other names", () => {
    expect(expectedCurve(read("tic-tac-toe-zero", ["graph.weights.steps=99"]).experiment)).toBeUndefined();
    for (const name of ["no-such-experiment", "../curves/quickstart", "a/b", ""])
      expect(expectedCurve({ ...read("quickstart").experiment, name })).toBeUndefined();
    expect(expectedCurve({})).toBeUndefined();
  });
});

describe("what a match measures", () => {
  it("is the share of games won where there is one, else the mean return", () => {
    const interval: [number, number] = [0.2, 0.4];
    const result = { agent: "a", games: 9, mean: 3, interval: [2, 4] as const, returns: [], facts: {} };
    const standing = {
      agent: "a",
      wins: { games: 9, value: 0.3, interval },
      fair: 0.5,
      rating: { value: 0, interval },
      bySeat: [],
    };
    const contest = {
      players: 2,
      games: 9,
      distinct: 9,
      standings: [standing],
      pairs: [],
      seats: [],
      failures: [],
    };
    expect(measuredOf({ agents: [result] }, "a")).toEqual({ value: 3, interval: [2, 4], share: false });
    expect(measuredOf({ agents: [result], contest }, "a")).toEqual({ value: 0.3, interval, share: true });
    expect(measuredOf({ agents: [result] }, "b")).toBeUndefined();
  });
});
