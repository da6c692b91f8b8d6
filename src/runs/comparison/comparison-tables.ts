import type { Column, Table } from "../../formats/table.ts";
import { finiteOrNull } from "../../formats/finite-or-null.ts";
import type { Comparison } from "./comparison.ts";
import { SAME_DIRECTION } from "./learned-weights.ts";
import { valueText } from "../../operators/experiment/settings-by-path.ts";

/** The columns that say what a number was measured of. */
const measuredBy: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "agent", type: "text" },
  { name: "setting", type: "text" },
];

/** The columns of an interval. */
const ends: readonly Column[] = [
  { name: "low", type: "number" },
  { name: "high", type: "number" },
];

/** The runs, one a row. */
export function runsTable({ runs }: Comparison): Table {
  return {
    name: "runs",
    title: "The runs that are compared",
    columns: [
      { name: "setting", type: "text" },
      { name: "seed", type: "integer" },
      { name: "state", type: "text" },
      { name: "experiment", type: "text" },
      { name: "folder", type: "text" },
    ],
    rows: runs.map(({ experiment, folder, group, seed, state }) => [group, seed, state, experiment, folder]),
  };
}

/** The settings that differ: a row for each, and a column for each group; the other way round if there are more groups. */
export function settingsTable({ groups, settings }: Comparison): Table {
  const named = { name: "differing-settings", title: "The settings that differ" };
  const text = (name: string) => ({ name, type: "text" }) as const;
  if (groups.length <= settings.length)
    return {
      ...named,
      columns: [text("setting"), ...groups.map(({ name }) => text(name))],
      rows: settings.map(({ path, values }) => [path, ...values.map((value) => valueText(value))]),
    };
  return {
    ...named,
    columns: [text("settings"), ...settings.map(({ path }) => text(path))],
    rows: groups.map(({ name }, i) => [name, ...settings.map(({ values }) => valueText(values[i]))]),
  };
}

/** What every group has reached in every measurement. */
export function resultsTable({ measurements }: Comparison): Table {
  return {
    name: "results",
    title: "What each setting reached, with its 95% interval",
    columns: [
      ...measuredBy,
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "runs", type: "integer" },
      { name: "games", type: "integer" },
      { name: "measure", type: "text" },
      { name: "value", type: "number" },
      ...ends,
      { name: "interval over", type: "text" },
    ],
    rows: measurements.flatMap(({ agent, measure, results, stage, unit }) =>
      results.map(({ games, group, interval, learned, over, runs, value }) => [
        stage,
        agent,
        group,
        learned,
        unit,
        runs,
        games,
        measure,
        value,
        ...interval.map(finiteOrNull),
        over,
      ]),
    ),
  };
}

/** What every further group has more than the first one. */
export function differencesTable({ measurements }: Comparison): Table {
  return {
    name: "differences",
    title: "What each setting reached more than the baseline, with its 95% interval",
    columns: [
      ...measuredBy,
      { name: "baseline", type: "text" },
      { name: "difference", type: "number" },
      ...ends,
      { name: "pairs", type: "integer" },
      { name: "method", type: "text" },
    ],
    rows: measurements.flatMap(({ agent, differences, stage }) =>
      differences.map(({ baseline, group, interval, method, pairs, value }) => [
        stage,
        agent,
        group,
        baseline,
        value,
        ...interval.map(finiteOrNull),
        pairs ?? null,
        method,
      ]),
    ),
  };
}

/** What every further group has more than the first one, after each amount of learning that both have. */
export function differenceCurvesTable({ measurements }: Comparison): Table {
  return {
    name: "difference-curves",
    title: "What each setting had more than the baseline after equal learning, with its 95% interval",
    columns: [
      ...measuredBy,
      { name: "baseline", type: "text" },
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "difference", type: "number" },
      ...ends,
      { name: "pairs", type: "integer" },
    ],
    rows: measurements.flatMap(({ agent, differenceCurves, stage, unit }) =>
      differenceCurves.flatMap(({ baseline, group, points }) =>
        points.map(({ interval, learned, pairs, value }) => [
          stage,
          agent,
          group,
          baseline,
          learned,
          unit,
          value,
          ...interval.map(finiteOrNull),
          pairs ?? null,
        ]),
      ),
    ),
  };
}

/** The points of all curves. */
export function curvesTable({ measurements }: Comparison): Table {
  return {
    name: "curves",
    title: "Learning curves: each round of each setting, means over its runs with 95% intervals",
    columns: [
      ...measuredBy,
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "games", type: "number" },
      { name: "steps", type: "number" },
      { name: "processor_seconds", type: "number" },
      { name: "runs", type: "integer" },
      { name: "value", type: "number" },
      ...ends,
    ],
    rows: measurements.flatMap(({ agent, curves, stage, unit }) =>
      curves.flatMap(({ group, points }) =>
        points.map(({ interval, learned, played, runs, seconds, steps, value }) => [
          stage,
          agent,
          group,
          learned,
          unit,
          played ?? null,
          steps ?? null,
          seconds ?? null,
          runs,
          value,
          ...interval.map(finiteOrNull),
        ]),
      ),
    ),
  };
}

/** From which game the weights of each learner keep their values, and their direction. */
export function weightsTable({ weights }: Comparison): Table {
  return {
    name: "weights-settled",
    title: `The game from which all weights stay within the band around their final values, and from which the cosine to the final weights of the reference stays at or above ${SAME_DIRECTION}, with 95% intervals over seeds`,
    columns: [
      { name: "stage", type: "text" },
      { name: "setting", type: "text" },
      { name: "runs", type: "integer" },
      { name: "settled from game", type: "number" },
      ...ends,
      { name: "reference", type: "text" },
      { name: "runs in its direction", type: "integer" },
      { name: "in its direction from game", type: "number" },
      { name: "direction low", type: "number" },
      { name: "direction high", type: "number" },
    ],
    rows: weights.map(({ directed, group, reference, runs, settled, stage }) => [
      stage,
      group,
      runs,
      settled.value,
      ...settled.interval.map(finiteOrNull),
      reference,
      directed?.runs ?? 0,
      directed?.value ?? null,
      ...(directed === undefined ? [null, null] : directed.interval.map(finiteOrNull)),
    ]),
  };
}

/** The direction of the weights of each learner after round numbers of games. */
export function directionsTable({ weights }: Comparison): Table {
  return {
    name: "weights-direction",
    title:
      "Cosine to the final weights of the reference after so many games, with its 95% interval over seeds",
    columns: [
      { name: "stage", type: "text" },
      { name: "setting", type: "text" },
      { name: "games", type: "integer" },
      { name: "runs", type: "integer" },
      { name: "cosine", type: "number" },
      ...ends,
    ],
    rows: weights.flatMap(({ cosines, group, stage }) =>
      cosines.map(({ games, interval, runs, value }) => [
        stage,
        group,
        games,
        runs,
        value,
        ...interval.map(finiteOrNull),
      ]),
    ),
  };
}
