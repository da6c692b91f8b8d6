import { createHash } from "node:crypto";
import { Random } from "../../random.ts";
import { checkSource, type ExperimentFile } from "../experiment-file.ts";
import { DEFAULT_SEED } from "../schema.ts";
import { ExperimentInvalid, type Problem } from "../problem.ts";
import { problemAt } from "../source-problem.ts";
import { escapePointer, readSource, type Source } from "../yaml-source.ts";
import type { SweepSettings } from "./sweep-schema.ts";

/** A run of a sweep. */
export interface SweepMember {
  /** The name of its folder in that of the sweep; a function of its settings and seed alone. */
  readonly name: string;
  readonly seed: number;
  /** The values of the keys that the sweep sets, by path. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The same with the seed, as `--set` takes them. */
  readonly set: readonly string[];
}

/** What a sweep file asks for. */
export interface SweepPlan {
  readonly file: string;
  readonly name: string;
  /** The keys that the sweep sets, as paths. */
  readonly keys: readonly string[];
  /** The keys with values drawn from ranges. */
  readonly ranges: readonly string[];
  readonly seeds: readonly number[];
  /** All runs, seed by seed: the first seed of every combination comes first. */
  readonly members: readonly SweepMember[];
  readonly source: Source;
}

/** More runs than this are a mistake in the file. */
const MOST_RUNS = 100_000;

/** The runs that a sweep file asks for; undefined if a file is not a sweep. Throws ExperimentInvalid. */
export function readSweep(file: string): SweepPlan | undefined {
  const source = readSource(file);
  return source.value["sweep"] === undefined ? undefined : sweepOf(source);
}

/** The runs of a source with the key `sweep`. Throws ExperimentInvalid. */
export function sweepOf(source: Source): SweepPlan {
  // What is wrong elsewhere may be set right by the sweep: each of its runs is checked as a whole.
  const { problems } = checkSource(source);
  const own = problems.filter(({ path }) => /^(?:sweep(?:\.|$)|name$|seed$)/.test(path));
  if (own.length > 0) throw new ExperimentInvalid(own);
  const sweep = source.value["sweep"] as SweepSettings;
  const name = String(source.value["name"]);
  const seed = Number(source.value["seed"] ?? DEFAULT_SEED);
  const wrong = misplaced(source, sweep);
  if (wrong.length > 0) throw new ExperimentInvalid(wrong);
  const combinations = combinationsOf(sweep, seed);
  const seeds = seedsOf(sweep, seed);
  if (combinations.length * seeds.length > MOST_RUNS)
    throw new ExperimentInvalid([
      problemAt(
        source,
        "/sweep",
        `these are ${combinations.length * seeds.length} runs; a sweep has at most ${MOST_RUNS}`,
      ),
    ]);
  return {
    file: source.file,
    name,
    keys: keysOf(sweep),
    ranges: Object.entries(sweep.random?.keys ?? {}).flatMap(([key, { choose }]) =>
      choose === undefined ? [key] : [],
    ),
    seeds,
    members: seeds.flatMap((each) => combinations.map((settings) => member(settings, each))),
    source,
  };
}

/** The number of runs and what they are: `12 runs: 4 settings, seeds 1, 2, 3`. */
export function sweepText({ members, seeds }: Pick<SweepPlan, "members" | "seeds">): string {
  const count = members.length / seeds.length;
  const run = members.length === 1 ? "run" : "runs";
  return `${members.length} ${run}: ${count} ${count === 1 ? "combination" : "combinations"} of settings, ${seeds.length === 1 ? "seed" : "seeds"} ${seeds.length > 6 ? `${seeds.slice(0, 5).join(", ")} to ${seeds.at(-1)}` : seeds.join(", ")}`;
}

/** The experiment of one run of a sweep, with its problems at the places of the sweep that cause them. */
export function memberFile({ source }: SweepPlan, { set }: SweepMember): ExperimentFile {
  const { file, places, value } = readSource(source.file, set, folderOf(source));
  const { sweep: _sweep, ...rest } = value;
  return checkSource({ file, value: rest, places });
}

/** The folder that paths in a sweep are relative to: that of the file. */
export function folderOf({ places }: Source): string {
  return places.get("/sweep")?.folder ?? ".";
}

/** A problem of a run of the sweep, moved from the `--set` of a value to that value in the file. */
export function placedInSweep({ source }: SweepPlan, problem: Problem): Problem {
  if (!problem.file.startsWith("--set ")) return problem;
  const setting = problem.file.slice("--set ".length);
  const path = setting.slice(0, setting.indexOf("="));
  const value = setting.slice(setting.indexOf("=") + 1);
  const { grid, list, random } = source.value["sweep"] as SweepSettings;
  const key = escapePointer(path);
  const same = (each: unknown) => JSON.stringify(each) === value;
  const at =
    grid?.[path] !== undefined
      ? `/sweep/grid/${key}/${grid[path].findIndex(same)}`
      : random?.keys[path] !== undefined
        ? `/sweep/random/keys/${key}`
        : `/sweep/list/${list?.findIndex((each) => Object.hasOwn(each, path) && same(each[path])) ?? 0}/${key}`;
  const { column, file, line } = problemAt(source, at, "");
  return { ...problem, file, line, column, message: `${problem.message} (in the sweep: ${setting})` };
}

function keysOf({ grid = {}, list = [], random }: SweepSettings): string[] {
  return [
    ...new Set([
      ...list.flatMap((each) => Object.keys(each)),
      ...Object.keys(grid),
      ...Object.keys(random?.keys ?? {}),
    ]),
  ];
}

/** Keys that cannot be set here, ranges that are none, and keys that are set twice. */
function misplaced(source: Source, { grid = {}, list = [], random }: SweepSettings): Problem[] {
  const entries: [string, string][] = [
    ...list.flatMap((each, i) =>
      Object.keys(each).map((key): [string, string] => [key, `/sweep/list/${i}/${escapePointer(key)}`]),
    ),
    ...Object.keys(grid).map((key): [string, string] => [key, `/sweep/grid/${escapePointer(key)}`]),
    ...Object.keys(random?.keys ?? {}).map((key): [string, string] => [
      key,
      `/sweep/random/keys/${escapePointer(key)}`,
    ]),
  ];
  const problems = entries.flatMap(([key, at]) => {
    const part = key.split(".")[0]!;
    if (part === "seed")
      return [
        problemAt(source, at, "seeds are swept by `seeds`, so that their runs count as repetitions", true),
      ];
    if (["name", "sweep", "extends", "plugins", "workers"].includes(part))
      return [
        problemAt(source, at, `"${part}" is one for all runs of a sweep; set it beside the sweep`, true),
      ];
    const twice = entries.some(
      ([other, place]) => other === key && place !== at && kindOf(place) !== kindOf(at),
    );
    return twice && kindOf(at) !== "grid"
      ? [
          problemAt(
            source,
            at,
            `"${key}" is also set by another part of the sweep; set it in one of them`,
            true,
          ),
        ]
      : [];
  });
  for (const [key, { choose, high, low, scale, whole }] of Object.entries(random?.keys ?? {})) {
    const at = `/sweep/random/keys/${escapePointer(key)}`;
    const range = low !== undefined || high !== undefined;
    const message =
      choose !== undefined
        ? range || scale !== undefined || whole !== undefined
          ? "values are drawn from a range (low, high, scale, whole) or from a list (choose): give one of the two"
          : undefined
        : low === undefined || high === undefined
          ? "give the range to draw from, as in { low: 0.001, high: 0.1, scale: log }, or values: { choose: [...] }"
          : low >= high
            ? `the range ends at ${high}, which is not above ${low}`
            : scale === "log" && low <= 0
              ? `${low} has no logarithm; let the range begin above 0, or leave scale out`
              : undefined;
    if (message !== undefined) problems.push(problemAt(source, at, message));
  }
  return problems;
}

function kindOf(pointer: string): string {
  return pointer.split("/")[2]!;
}

function seedsOf({ seeds = 1 }: SweepSettings, seed: number): number[] {
  return typeof seeds === "number" ? Array.from({ length: seeds }, (_, i) => seed + i) : [...seeds];
}

type Settings = Readonly<Record<string, unknown>>;

/** Every combination once: each entry of the list with each point of the grid with each draw. */
function combinationsOf({ grid = {}, list = [{}], random }: SweepSettings, seed: number): Settings[] {
  let all: Settings[] = [...list];
  for (const [key, values] of Object.entries(grid))
    all = all.flatMap((settings) => values.map((value) => ({ ...settings, [key]: value })));
  if (random !== undefined)
    all = all.flatMap((settings) =>
      Array.from({ length: random.draws }, (_, draw) => ({ ...settings, ...drawOf(random, seed, draw) })),
    );
  // Whole numbers and choices may be drawn twice.
  return [...new Map(all.map((settings) => [hashOf(settings), settings])).values()];
}

function drawOf({ keys }: NonNullable<SweepSettings["random"]>, seed: number, draw: number): Settings {
  return Object.fromEntries(
    Object.entries(keys).map(([key, { choose, high = 1, low = 0, scale, whole = false }]) => {
      const random = Random.named(seed, "sweep", draw, key);
      if (choose !== undefined) return [key, choose[random.below(choose.length)]];
      const end = whole ? high + 1 : high;
      const u = random.float();
      const value = scale === "log" ? low * (end / low) ** u : low + (end - low) * u;
      // Four digits: nobody types more, and names of folders stay short.
      const shown = whole ? Math.floor(value) : Number(value.toPrecision(4));
      return [key, Math.min(high, Math.max(low, shown))];
    }),
  );
}

function member(settings: Settings, seed: number): SweepMember {
  const values = Object.entries(settings);
  const set = values.map(([path, value]) => `${path}=${JSON.stringify(value)}`);
  return { name: nameOf(settings, seed), seed, settings, set: [...set, `seed=${seed}`] };
}

/** Characters of the readable part of a folder's name. */
const LONGEST = 60;

/** `lambda-0.5_step-tc_3fa2c1_seed-2`. */
function nameOf(settings: Settings, seed: number): string {
  const parts = Object.entries(settings).map(([path, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${path.split(".").at(-1)}-${text}`.replaceAll(/[^A-Za-z0-9.+-]+/g, "-").replaceAll(/-+$/g, "");
  });
  if (parts.length === 0) return `seed-${seed}`;
  return `${parts.join("_").slice(0, LONGEST)}_${hashOf(settings).slice(0, 6)}_seed-${seed}`;
}

function hashOf(settings: Settings): string {
  const sorted = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
