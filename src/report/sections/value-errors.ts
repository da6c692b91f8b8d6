import type { MeasuredErrors, ShareOfGames } from "../../events/event.ts";
import { column, type ColumnOf, type Table, tabulated } from "../../formats/table.ts";
import { fixed } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { markup } from "../../figures/markup.ts";
import { figureMarkup, type Section, slug, tableMarkup } from "../section.ts";

type Errors = EventOf<"value-errors">;

/** The error of value nets on positions that they learned from and on others, beside the error of rollouts, by ply. */
export function valueErrorsSection(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "value-errors"), ({ stage }) => stage).map(([, events]) =>
    events.at(-1)!,
  );
  if (stages.length === 0) return undefined;
  const [totals, byPly] = [totalsOf(stages), byPlyOf(stages)];
  return {
    id: "value-errors",
    heading: "Errors of values",
    body: [
      markup`<p>Mean squared difference between the result of a game and the value of a position for the seat to move. A net whose error is smaller on positions that it learned from than on others has learned games by heart.</p>`,
      tableMarkup(totals),
      stages.map((errors) => plyFigure(errors, byPly)),
    ],
    tables: [totals, byPly],
  };
}

/** The name of a measure in figures. */
function labelOf({ of, part, rollouts }: MeasuredErrors): string {
  const by =
    rollouts === undefined ? of : `${of}, ${fixed(rollouts, 0)} ${rollouts === 1 ? "rollout" : "rollouts"}`;
  return part === "training" ? `${by} (training)` : by;
}

function plyFigure({ measures, stage, values, width }: Errors, table: Table) {
  const title = `Error by ply: ${stage}`;
  const shown = measures.map((measure, style) => ({
    label: labelOf(measure),
    style,
    points: measure.plies.map(({ error, ply }) => ({ x: ply, y: error.value, ...bandOf(error) })),
  }));
  return figureMarkup({
    id: `value-errors-${slug(stage)}`,
    title,
    caption: `Mean squared error with 95% bands, in units of ${values}, over positions before which the number of plies on the axis${width === 1 ? "" : `, or up to ${fixed(width - 1, 0)} more,`} was played. Figure 2b of Silver et al. 2016.`,
    table,
    chart: {
      kind: "lines",
      description: `Mean squared error of values against the number of plies played before, a line for each of: ${shown.map(({ label }) => label).join(", ")}.`,
      xLabel: "Plies played before",
      yLabel: "Mean squared error",
      series: shown,
      height: 280,
    },
  });
}

/** The band of an estimate; none if its interval is infinite, because only one game has such a position. */
function bandOf({ interval: [low, high] }: ShareOfGames): { readonly low?: number; readonly high?: number } {
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : {};
}

type Measure = Errors["measures"][number];

const measured: readonly ColumnOf<Pick<Measure, "of" | "part" | "rollouts"> & { readonly stage: string }>[] =
  [
    column.text("stage", ({ stage }) => stage),
    column.text("values by", ({ of }) => of),
    column.integer("rollouts", ({ rollouts }) => rollouts),
    column.text("positions of", ({ part }) => part),
  ];
const estimated: readonly ColumnOf<Pick<Measure, "error" | "positions">>[] = [
  column.integer("positions", ({ positions }) => positions),
  column.integer("games", ({ error }) => error.games),
  ...column.estimate("error", ({ error }: Pick<Measure, "error">) => error, { ends: ["low", "high"] }),
];

function totalsOf(stages: readonly Errors[]): Table {
  return {
    name: "value-errors",
    title: "Mean squared errors of values, with 95% intervals over games",
    ...tabulated(
      stages.flatMap(({ measures, stage }) => measures.map((measure) => ({ ...measure, stage }))),
      [measured, estimated],
    ),
  };
}

function byPlyOf(stages: readonly Errors[]): Table {
  return {
    name: "value-errors-by-ply",
    title:
      "Mean squared errors of values by the number of plies played before, with 95% intervals over games",
    ...tabulated(
      stages.flatMap(({ measures, stage }) =>
        measures.flatMap((measure) => measure.plies.map((at) => ({ ...measure, ...at, stage }))),
      ),
      [measured, column.integer("ply", ({ ply }) => ply), estimated],
    ),
  };
}
