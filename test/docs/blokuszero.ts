import { expect } from "vitest";
import { type Comparison, data, expectMeasured, meanOf, numbers, percent, wonOf } from "./measured.ts";

/** Tables of docs/notebook/blokuszero.md. */

const match: Comparison = {
  columns: [2, 3],
  compare(rows) {
    const opponents = data("results/blokuszero-match/against-opponents.csv");
    const standings = data("results/blokuszero-match/contest-standings.csv");
    const measured = [
      ...opponents,
      ...["net-alone", "untrained"].map((agent) => standings.find((row) => row["agent"] === agent)!),
    ];
    expect(rows.length).toBe(measured.length);
    for (const [i, [label, , share, games]] of rows.entries()) {
      expectMeasured(share!, wonOf(measured[i]!), label!);
      expect(games).toBe(measured[i]!["games"]);
    }
  },
};

const CURVE = "results/blokuszero-fast/contest-standings.csv";

/** The versions of `blokuszero-fast.yaml`: the net alone by steps. */
export const fastVersions = () => data(CURVE).filter(({ agent }) => agent === "net-alone");

const curve: Comparison = {
  columns: [0, 2],
  compare(rows) {
    const versions = fastVersions();
    expect(rows.map(([steps]) => numbers(steps!)[0])).toEqual(versions.map((row) => Number(row["learned"])));
    for (const [i, [steps, , share]] of rows.entries()) expectMeasured(share!, wonOf(versions[i]!), steps!);
  },
};

const SMALL = "results/blokuszero-small";

const smallerVersions = () =>
  data(`${SMALL}/contest-standings.csv`).filter(
    ({ stage, agent }) => stage === "curve" && agent === "player",
  );

/** Shares in per cent that the paper's algorithm won on smaller Blokus after so many steps: one for each seed. */
export const smallerShares = (steps: number): number[] =>
  smallerVersions()
    .filter((row) => Number(row["learned"]) === steps)
    .toSorted((a, b) => Number(a["seed"]) - Number(b["seed"]))
    .flatMap((row) => percent(row, "won"));

const smaller: Comparison = {
  columns: [0, 1, 2],
  compare(rows) {
    const steps = rows.map(([label]) => numbers(label!)[0]!);
    expect(new Set(steps)).toEqual(new Set(smallerVersions().map((row) => Number(row["learned"]))));
    for (const [i, [label, mean, seeds]] of rows.entries()) {
      const shares = smallerShares(steps[i]!);
      expectMeasured(mean!, meanOf(shares), label!);
      expectMeasured(seeds!, shares, label!);
    }
  },
};

export const blokusZero: Readonly<Record<string, Comparison>> = {
  "results/blokuszero-match": match,
  [CURVE]: curve,
  [SMALL]: smaller,
};
