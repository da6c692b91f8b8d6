import { rankCorrelation } from "../../stats/rank-correlation.ts";
import { type Estimate, meanEstimate } from "../../stats/intervals.ts";
import { sameValue } from "../../same-value.ts";
import type { Measurement } from "../comparison/comparison.ts";
import type { StoredSweep } from "./sweep-folder.ts";

/** What one value of a key does, over all else that the sweep varies. */
export interface ValueEffect {
  readonly value: unknown;
  readonly runs: number;
  /** The mean over all runs with this value. */
  readonly mean: number;
  /**
   * How much more than with the first value: over pairs of runs that agree in all other keys and in the seed. Undefined for
   * the first value, and if there are fewer than two pairs.
   */
  readonly more?: Estimate & { readonly pairs: number };
}

/** The effect of a key of a sweep on a measurement. */
export interface KeyEffect {
  readonly key: string;
  /** By value, in the order of the file; empty for keys drawn from ranges. */
  readonly values: readonly ValueEffect[];
  /** For keys drawn from ranges: Spearman's rank correlation of value and result; absent with fewer than four runs. */
  readonly correlation?: Estimate;
}

/** A run of a sweep with what it reached. */
interface Reached {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly value: number;
}

/** The effect of each key of a sweep on a measurement. Keys with one value are left out. */
export function effectsOf({ keys, ranges, runs }: StoredSweep, { perRun }: Measurement): KeyEffect[] {
  const reached = runs.flatMap(({ folder, seed, settings }): Reached[] => {
    const own = perRun.find((run) => run.folder.split(/[\\/]/).at(-1) === folder);
    return own === undefined ? [] : [{ settings, seed, value: own.value }];
  });
  return keys.flatMap((key): KeyEffect[] => {
    if (ranges.includes(key)) return rangeEffect(key, reached);
    const values = distinct(
      reached.filter(({ settings }) => Object.hasOwn(settings, key)).map(({ settings }) => settings[key]),
    );
    if (values.length < 2) return [];
    return [
      {
        key,
        values: values.map((value, i) => valueEffect(key, value, i === 0 ? undefined : values[0], reached)),
      },
    ];
  });
}

function rangeEffect(key: string, reached: readonly Reached[]): KeyEffect[] {
  const xs = reached.map(({ settings }) => Number(settings[key]));
  if (new Set(xs).size < 4) return [];
  return [
    {
      key,
      values: [],
      correlation: rankCorrelation(
        xs,
        reached.map(({ value }) => value),
      ),
    },
  ];
}

function valueEffect(key: string, value: unknown, first: unknown, reached: readonly Reached[]): ValueEffect {
  const having = (wanted: unknown) =>
    reached.filter(({ settings }) => Object.hasOwn(settings, key) && sameValue(settings[key], wanted));
  const own = having(value);
  const mean = own.reduce((sum, run) => sum + run.value, 0) / own.length;
  const effect = { value, runs: own.length, mean };
  if (first === undefined) return effect;
  const others = having(first);
  const rest = ({ seed, settings }: Reached) => ({ seed, settings: { ...settings, [key]: null } });
  const gains = own.flatMap((run) => {
    const other = others.find((each) => sameValue(rest(each), rest(run)));
    return other === undefined ? [] : [run.value - other.value];
  });
  return gains.length < 2 ? effect : { ...effect, more: { ...meanEstimate(gains), pairs: gains.length } };
}

function distinct(values: readonly unknown[]): unknown[] {
  return values.filter((value, i) => values.findIndex((other) => sameValue(other, value)) === i);
}
