import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";
import { type ShippedExperiment, shippedExperiments } from "./shipped-experiments.ts";

/** An experiment of this package with the one line of it that lists show. */
export interface ListedExperiment extends ShippedExperiment {
  readonly shows: string;
}

/** Experiments of this package that belong together, in the order in which they are to be read. */
export interface ExperimentGroup {
  readonly title: string;
  readonly experiments: readonly ListedExperiment[];
  /** Whether it is for those who know the others: variants and sweeps of them. */
  readonly detailed: boolean;
}

/** The group of variants and sweeps, which comes last. */
const STUDIES = "Studies";

/** All experiments of this package in groups, first steps first, from experiments/catalogue.json. */
export function experimentGroups(): ExperimentGroup[] {
  const file = join(packageRoot(), "experiments/catalogue.json");
  const groups = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Record<string, string>>>;
  const all = new Map(shippedExperiments().map((each) => [each.name, each]));
  return Object.entries(groups).map(([title, lines]) => ({
    title,
    experiments: Object.entries(lines).map(([name, shows]) => ({ ...all.get(name)!, shows })),
    detailed: title === STUDIES,
  }));
}

const MINUTES: Readonly<Record<string, number>> = {
  second: 1 / 60,
  minute: 1,
  hour: 60,
  day: 24 * 60,
  month: 30 * 24 * 60,
  year: 365 * 24 * 60,
};

const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
  twelve: 12,
  twenty: 20,
  "half a": 0.5,
  "half an": 0.5,
  "a quarter of an": 0.25,
  "three quarters of an": 0.75,
  "two and a half": 2.5,
};

const TIME = new RegExp(
  `(?:(\\d+(?:\\.\\d+)?|${Object.keys(COUNTS)
    .toSorted((a, b) => b.length - a.length)
    .join("|")}) )?\\b(${Object.keys(MINUTES).join("|")})s?( and a half)?`,
  "g",
);

/** What "hours" without a number counts as. */
const SEVERAL = 10;

/** The most minutes that a `cost` names: "five to ten minutes" are 10; undefined if it names no time. */
export function longestMinutes(cost: string): number | undefined {
  const minutes = [...cost.matchAll(TIME)].map(([, count, unit, half]) => {
    const times = count === undefined ? SEVERAL : (COUNTS[count] ?? Number(count));
    return (times + (half === undefined ? 0 : 0.5)) * MINUTES[unit!]!;
  });
  return minutes.length === 0 ? undefined : Math.max(...minutes);
}
