import { expect, it } from "vitest";
import { curveText } from "../../../src/cli/progress/curve-text.ts";
import type { ExpectedCurve } from "../../../src/diagnosis/expected-curve.ts";

const curve: ExpectedCurve = {
  settings: "",
  stage: "against-uct",
  agent: "player",
  unit: "steps",
  share: true,
  runs: 3,
  seconds: 40,
  points: [
    { learned: 0, value: 0.2, low: 0.1, high: 0.3, elapsed: 5 },
    { learned: 400, value: 0.4, low: 0.3, high: 0.5, elapsed: 15 },
    { learned: 800, value: 0.5, low: 0.4, high: 0.6, elapsed: 25 },
    { learned: 1200, value: 0.62, low: 0.55, high: 0.7, elapsed: 38 },
  ],
};

it("gives half way and the end, with the time here if it is known", () => {
  expect(curveText(curve)).toBe(
    "expected of player in against-uct, by 3 recorded runs: 50.0% [40.0%, 60.0%] after 800 steps, 62.0% [55.0%, 70.0%] after 1,200 steps",
  );
  const cost = { seconds: 80, least: [], unknown: [] };
  expect(curveText(curve, cost)).toContain("after 800 steps (about 50 seconds here), 62.0%");
  expect(curveText(curve, { ...cost, unknown: ["weights"] })).toBe(curveText(curve));
  expect(curveText(curve, { ...cost, least: ["weights"] })).toBe(curveText(curve));
});

it("gives one round once, and returns as numbers", () => {
  const end = { learned: 5000, value: 15_432.1, low: 9000.5, high: 21_000, elapsed: 30 };
  expect(curveText({ ...curve, share: false, unit: "games", points: [end] })).toBe(
    "expected of player in against-uct, by 3 recorded runs: 15,430 [9,001, 21,000] after 5,000 games",
  );
});
