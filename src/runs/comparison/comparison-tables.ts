import { type Cells, column, type ColumnOf, type Table, tabulated } from "../../formats/table.ts";
import { valueText } from "../../operators/experiment/settings-by-path.ts";
import type { Comparison, GroupPoint, GroupResult, Measurement } from "./comparison.ts";
import { SAME_DIRECTION, type WeightsResult } from "./learned-weights.ts";

type Difference = Measurement["differences"][number];

/** Something of a group of runs in a measurement. */
type Measured<T> = T & { readonly of: Measurement; readonly group: string };

const ends = ["low", "high"] as const;

const setting = column.text("setting", ({ group }: { readonly group: string }) => group);

/** The columns that say what a number was measured of. */
const measuredBy: readonly ColumnOf<Measured<unknown>>[] = [
  column.text("stage", ({ of }) => of.stage),
  column.text("agent", ({ of }) => of.agent),
  setting,
];

/** The runs, one a row. */
export function runsTable({ runs }: Comparison): Table {
  return {
    name: "runs",
    title: "The runs that are compared",
    ...tabulated(runs, [
      setting,
      column.integer("seed", ({ seed }) => seed),
      column.text("state", ({ state }) => state),
      column.text("experiment", ({ experiment }) => experiment),
      column.text("folder", ({ folder }) => folder),
    ]),
  };
}

/** The settings that differ: a row for each, and a column for each group; the other way round if there are more groups. */
export function settingsTable({ groups, settings }: Comparison): Table {
  const cells =
    groups.length <= settings.length
      ? tabulated(settings, [
          column.text("setting", ({ path }) => path),
          ...groups.map(({ name }, i) =>
            column.text<(typeof settings)[0]>(name, (row) => valueText(row.values[i])),
          ),
        ])
      : tabulated(
          groups.map(({ name }, i) => ({ name, values: settings.map(({ values }) => valueText(values[i])) })),
          [
            column.text("settings", ({ name }) => name),
            ...settings.map(({ path }, i) =>
              column.text<{ readonly values: readonly string[] }>(path, ({ values }) => values[i]),
            ),
          ],
        );
  return { name: "differing-settings", title: "The settings that differ", ...cells };
}

/** What a group has reached; of one measurement, numbers are printed by what they measure. */
function reached(of?: Measurement): ColumnOf<Measured<GroupResult>>[] {
  return [
    column.integer("learned", ({ learned }) => learned, of && { head: of.unit }),
    column.text("unit", ({ of: { unit } }) => unit),
    column.integer("runs", ({ runs }) => runs),
    column.integer("games", ({ games }) => games),
    column.text("measure", ({ of: { measure } }) => measure),
    ...column.estimate("value", (result: GroupResult) => result, {
      ends,
      ...printed(of),
      ...(of && { head: of.measure === "share won" ? "won" : "mean" }),
    }),
    column.text("interval over", ({ over }) => over),
  ];
}

/** The difference of a group from the first one. */
function more(of?: Measurement): ColumnOf<{ readonly difference?: Difference | undefined }>[] {
  return [
    column.text("baseline", ({ difference }) => difference?.baseline),
    ...column.estimate(
      "difference",
      ({ difference }: { readonly difference?: Difference | undefined }) => difference,
      {
        ends,
        ...printed(of),
        ...(of && { head: "more", signed: true }),
      },
    ),
    ...column.estimate(
      "elo",
      ({ difference }: { readonly difference?: Difference | undefined }) => difference?.elo,
      { head: "Elo", digits: 0, signed: true },
    ),
    column.integer("pairs", ({ difference }) => difference?.pairs),
    column.text("method", ({ difference }) => difference?.method),
  ];
}

function printed(of: Measurement | undefined) {
  return of?.measure === "share won" ? { share: true as const } : {};
}

/** What every group has reached in every measurement. */
export function resultsTable({ measurements }: Comparison): Table {
  return {
    name: "results",
    title: "What each setting reached, with its 95% interval",
    ...tabulated(
      measurements.flatMap((of) => of.results.map((result) => ({ ...result, of }))),
      [measuredBy, reached()],
    ),
  };
}

/** The difference of every further group from the first one. */
export function differencesTable({ measurements }: Comparison): Table {
  return {
    name: "differences",
    title: "Difference of each setting from the baseline, with its 95% interval",
    ...tabulated(
      measurements.flatMap((of) =>
        of.differences.map((difference) => ({ group: difference.group, difference, of })),
      ),
      [measuredBy, more()],
    ),
  };
}

/** What every group has reached in one measurement, with its difference from the first one beside it. */
export function measurementCells(of: Measurement): Cells {
  return tabulated(
    of.results.map((result) => ({
      ...result,
      of,
      difference: of.differences.find(({ group }) => group === result.group),
    })),
    [measuredBy, reached(of), more(of)],
  );
}

/** The difference of every further group from the first one, after each amount of learning that both have. */
export function differenceCurvesTable({ measurements }: Comparison): Table {
  return {
    name: "difference-curves",
    title: "What each setting had more than the baseline after equal learning, with its 95% interval",
    ...tabulated(
      measurements.flatMap((of) =>
        of.differenceCurves.flatMap(({ points, ...curve }) =>
          points.map((point) => ({ ...curve, point, of })),
        ),
      ),
      [
        measuredBy,
        column.text("baseline", ({ baseline }) => baseline),
        column.integer("learned", ({ point }) => point.learned),
        column.text("unit", ({ of }) => of.unit),
        column.estimate("difference", ({ point }) => point, { ends }),
        column.integer("pairs", ({ point }) => point.pairs),
      ],
    ),
  };
}

/** The points of all curves. */
export function curvesTable({ measurements }: Comparison): Table {
  return {
    name: "curves",
    title: "Learning curves: each round of each setting, means over its runs with 95% intervals",
    ...tabulated<Measured<GroupPoint>>(
      measurements.flatMap((of) =>
        of.curves.flatMap(({ group, points }) => points.map((point) => ({ ...point, group, of }))),
      ),
      [
        measuredBy,
        column.integer("learned", ({ learned }) => learned),
        column.text("unit", ({ of }) => of.unit),
        column.number("games", ({ played }) => played),
        column.number("steps", ({ steps }) => steps),
        column.number("processor_seconds", ({ seconds }) => seconds),
        column.integer("runs", ({ runs }) => runs),
        column.estimate("value", (point) => point, { ends }),
      ],
    ),
  };
}

/** From which game the weights of each learner keep their values, and their direction. */
export function weightsTable(weights: readonly WeightsResult[]): Table {
  return {
    name: "weights-settled",
    title: `The game from which all weights stay within the band around their final values, and from which the cosine to the final weights of the reference stays at or above ${SAME_DIRECTION}, with 95% intervals over seeds`,
    ...tabulated<WeightsResult>(weights, [
      column.text("stage", ({ stage }) => stage),
      setting,
      column.integer("runs", ({ runs }) => runs),
      column.estimate("settled from game", ({ settled }) => settled, { ends, head: "settled" }),
      column.text("reference", ({ reference }) => reference),
      column.integer("runs in its direction", ({ directed }) => directed?.runs ?? 0, { head: "runs" }),
      column.estimate("in its direction from game", ({ directed }) => directed, {
        ends: ["direction low", "direction high"],
        head: "directed",
      }),
    ]),
  };
}

/** The direction of the weights of each learner after round numbers of games. */
export function directionsTable(weights: readonly WeightsResult[]): Table {
  return {
    name: "weights-direction",
    title:
      "Cosine to the final weights of the reference after so many games, with its 95% interval over seeds",
    ...tabulated(
      weights.flatMap(({ cosines, group, stage }) => cosines.map((cosine) => ({ ...cosine, group, stage }))),
      [
        column.text("stage", ({ stage }) => stage),
        setting,
        column.integer("games", ({ games }) => games),
        column.integer("runs", ({ runs }) => runs),
        column.estimate("cosine", (cosine) => cosine, { ends, digits: 3 }),
      ],
    ),
  };
}
