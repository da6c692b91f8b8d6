import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { MatchResult } from "../events/event.ts";
import { percent, readable } from "../figures/number-text.ts";
import { sha256OfData } from "../formats/sha256.ts";
import { packageRoot } from "../package-root.ts";

/** How an agent of an experiment has learned in recorded runs: `experiments/curves/NAME.json`. */
export interface ExpectedCurve {
  /** The digest of the settings of these runs (`settingsDigest`). */
  readonly settings: string;
  /** The stage that measured the agent. */
  readonly stage: string;
  readonly agent: string;
  readonly unit: "games" | "steps";
  /** Whether values are shares of games won; else they are mean returns. */
  readonly share: boolean;
  /** Number of recorded runs, each with a seed of its own. */
  readonly runs: number;
  /** Mean wall time of a run, on the machine that recorded them. */
  readonly seconds: number;
  readonly points: readonly ExpectedPoint[];
}

/** A round of measuring in the recorded runs. */
interface ExpectedPoint {
  readonly learned: number;
  /** Mean over the runs, and the band in which 95% of further runs are expected (`curveOfRuns`). */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Mean wall time before it. */
  readonly elapsed: number;
}

/** An experiment with all defaults filled in; files of runs may lack a name. */
interface Settings {
  readonly name?: string;
}

/** Where the expected curve of an experiment is stored. */
export function curvePath(name: string): string {
  return join(packageRoot(), "experiments", "curves", `${name}.json`);
}

/**
 * The digest of the settings that a curve depends on. Left out are words for people, where and on how many threads a run is
 * computed, and the seed: a band is about other seeds.
 */
export function settingsDigest(experiment: object): string {
  const other = new Set(["name", "description", "seed", "workers", "compute"]);
  return sha256OfData(Object.fromEntries(Object.entries(experiment).filter(([key]) => !other.has(key))));
}

/** The expected curve of an experiment; undefined if none was recorded with its settings. */
export function expectedCurve(experiment: Settings): ExpectedCurve | undefined {
  const { name } = experiment;
  // Programs name experiments as they like.
  if (name === undefined || basename(name) !== name || !existsSync(curvePath(name))) return undefined;
  const curve = JSON.parse(readFileSync(curvePath(name), "utf8")) as ExpectedCurve;
  return curve.settings === settingsDigest(experiment) ? curve : undefined;
}

/** The result of an agent in a match as curves have it: its share of games won, or its mean return; undefined if it did not play. */
export function measuredOf({ agents, contest }: Pick<MatchResult, "agents" | "contest">, agent: string) {
  const wins = contest?.standings.find((standing) => standing.agent === agent)?.wins;
  if (wins !== undefined) return { value: wins.value, interval: wins.interval, share: true };
  const result = agents.find((each) => each.agent === agent);
  return result && { value: result.mean, interval: result.interval, share: false };
}

/** A value of a curve in words: `62.0%`, or `12,340`. */
export function curveValueText({ share }: Pick<ExpectedCurve, "share">, value: number): string {
  return share ? percent(value) : readable(Number(value.toPrecision(4)));
}
