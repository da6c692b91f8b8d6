import { expect } from "vitest";
import { differenceOfShares } from "../../src/stats/differences.ts";
import { type Estimate, proportionEstimate } from "../../src/stats/intervals.ts";
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

const TECHNIQUES = `${SMALL}/techniques.csv`;

/** A technique within the processor time of the paper's algorithm: shares in per cent by seed, steps, and the share of all games. */
interface Technique {
  readonly steps: readonly number[];
  readonly shares: readonly number[];
  readonly pooled: Estimate;
}

/** What a technique has come to on smaller Blokus: the last version of each seed in the processor time of the paper's algorithm. */
function techniqueOf(technique: string): Technique {
  const runOf = (name: string, seed: string) =>
    data(TECHNIQUES).filter((row) => row["technique"] === name && row["seed"] === seed);
  const seconds = (row: Readonly<Record<string, string>>) => Number(row["processor seconds"]);
  const seeds = [...new Set(data(TECHNIQUES).map((row) => row["seed"]!))].toSorted();
  const versions = seeds.map((seed) => {
    const whole = seconds(runOf("none", seed).at(-1)!);
    return runOf(technique, seed).findLast((row) => seconds(row) <= whole)!;
  });
  const games = versions.reduce((sum, row) => sum + Number(row["games"]), 0);
  const won = versions.reduce((sum, row) => sum + Number(row["won"]) * Number(row["games"]), 0);
  return {
    steps: versions.map((row) => Number(row["learned"])),
    shares: versions.flatMap((row) => percent(row, "won")),
    pooled: proportionEstimate(won, games),
  };
}

/** The points that a technique is ahead of the paper's algorithm, with Newcombe's interval over games. */
function aheadBy(technique: string): number[] {
  const { interval, value } = differenceOfShares(techniqueOf(technique).pooled, techniqueOf("none").pooled);
  return [value, ...interval].map((share) => 100 * share);
}

/** The share of all games that a technique has won, with Wilson's interval, in per cent. */
const pooledShare = (technique: string): number[] => {
  const { interval, value } = techniqueOf(technique).pooled;
  return [value, ...interval].map((share) => 100 * share);
};

const techniques: Comparison = {
  columns: [1, 2, 3, 4],
  compare(rows) {
    const named = ["none", "Gumbel, 16 simulations", "playout cap", "score and ownership"];
    expect(rows.map(([label]) => label)).toEqual(named);
    for (const row of rows) {
      const [label, steps, won, seeds, ahead] = row as [string, string, string, string, string];
      const technique = label.startsWith("Gumbel") ? "gumbel" : label;
      expectMeasured(steps, [...new Set(techniqueOf(technique).steps)], label);
      expectMeasured(won, pooledShare(technique), label);
      expectMeasured(seeds, techniqueOf(technique).shares, label);
      expectMeasured(ahead, technique === "none" ? [] : aheadBy(technique), label);
    }
  },
};

export const blokusZero: Readonly<Record<string, Comparison>> = {
  "results/blokuszero-match": match,
  [CURVE]: curve,
  [SMALL]: smaller,
  [TECHNIQUES]: techniques,
};
