import { column, type Table, tabulated } from "../../formats/table.ts";
import type { Lane } from "../../figures/charts/time-line.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { duration } from "../../figures/number-text.ts";
import { eventsOf, grouped, type RunData, stageOf } from "../run-data.ts";
import { placesOfStages } from "../stage-order.ts";
import { figureMarkup, type Section, tableMarkup } from "../section.ts";

/** The time line: stages at work, checkpoints, resumptions and notes of the run; undefined if there are none. */
export function courseSection(run: RunData): Section | undefined {
  const end = run.events.reduce((latest, { elapsed }) => Math.max(latest, elapsed), 0);
  if (end === 0) return undefined;
  const stages = stageTable(run);
  const checkpoints = checkpointTable(run);
  const body = [
    stages.rows.length > 0 ? timeLineFigure(run, end, stages) : undefined,
    notes(run),
    checkpoints.rows.length > 0 ? tableMarkup(checkpoints) : undefined,
  ].filter((part) => part !== undefined);
  // A run of matches alone has no course: other sections show its results.
  if (body.length === 0) return undefined;
  return {
    id: "course",
    heading: "Course of the run",
    body,
    tables: [stages, checkpoints].filter(({ rows }) => rows.length > 0),
  };
}

function timeLineFigure(run: RunData, end: number, table: Table): Markup {
  const place = placesOfStages(run);
  const work = grouped(
    run.events.filter((event) => isWork(event.type)),
    stageOf,
  ).toSorted(([a], [b]) => place(a) - place(b));
  const moments = (label: string, events: readonly { readonly elapsed: number }[]): Lane => ({
    label,
    times: events.map(({ elapsed }) => elapsed).toSorted((a, b) => a - b),
    kind: "moments",
  });
  const lanes: Lane[] = [
    ...work.map(([label, events]): Lane => ({
      label,
      times: events.map(({ elapsed }) => elapsed),
      kind: "work",
    })),
    moments("checkpoints", eventsOf(run, "checkpoint")),
    moments(
      "resumed",
      eventsOf(run, "run-started").filter(({ resumed }) => resumed),
    ),
    moments(
      "warnings",
      eventsOf(run, "note").filter(({ level }) => level === "warning"),
    ),
  ].filter(({ times }) => times.length > 0);
  return figureMarkup({
    id: "time-line",
    title: "Time line",
    caption: `When each stage was at work, over ${duration(end)}. Pauses between a kill and its resumption are not counted.`,
    table,
    chart: {
      kind: "time-line",
      description: "A lane for each stage, with bars while it was at work.",
      end,
      lanes,
    },
  });
}

function isWork(type: string): boolean {
  return type === "progress" || type === "games" || type === "training" || type === "match";
}

/** The progress of a stage at a moment. */
interface Progress {
  readonly stage: string;
  readonly place: number;
  readonly unit: string;
  readonly elapsed: number;
}

function stageTable(run: RunData): Table {
  const place = placesOfStages(run);
  const stages = grouped(
    run.events.flatMap((event): Progress[] => {
      if (event.type === "progress") return [{ ...event, place: event.done }];
      if (event.type === "games") return [{ ...event, place: event.done, unit: "games" }];
      if (event.type === "training") return [{ ...event, place: event.step, unit: "steps" }];
      return [];
    }),
    ({ stage, unit }) => JSON.stringify([stage, unit]),
  ).toSorted(([, [a]], [, [b]]) => place(a!.stage) - place(b!.stage));
  return {
    name: "stages",
    title: "What each stage did, and how fast",
    ...tabulated(
      stages.map(([, events]) => ({ first: events[0]!, last: events.at(-1)! })),
      [
        column.text("stage", ({ last }) => last.stage),
        column.integer("done", ({ last }) => last.place),
        column.text("unit", ({ last }) => last.unit),
        column.number("first seconds", ({ first }) => first.elapsed),
        column.number("last seconds", ({ last }) => last.elapsed),
        column.number("per second", ({ first, last }) => {
          const seconds = last.elapsed - first.elapsed;
          return seconds > 0 ? (last.place - first.place) / seconds : null;
        }),
      ],
    ),
  };
}

function checkpointTable(run: RunData): Table {
  return {
    name: "checkpoints",
    title: "Checkpoints, by their path in the run's folder; older ones may have been removed since",
    ...tabulated(
      eventsOf(run, "checkpoint").filter(
        ({ path }, i, all) => !(isPartial(path) && all[i + 1]?.stage === all[i]!.stage),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("learned", ({ learned }) => learned),
        column.text("unit", ({ unit }) => unit),
        column.text("path", ({ path }) => path),
        column.number("seconds", ({ elapsed }) => elapsed),
      ],
    ),
  };
}

/** Whether a checkpoint is of a version that an interruption cut short: it is removed once learning has passed it. */
function isPartial(path: string): boolean {
  return path.endsWith("-partial");
}

function notes(run: RunData): Markup | undefined {
  const said = eventsOf(run, "note").toSorted((a, b) => a.elapsed - b.elapsed);
  if (said.length === 0) return undefined;
  const items = said.map(
    ({ level, message, stage, elapsed }) =>
      markup`<li class="${level}"><span>${duration(elapsed)}</span> ${level === "warning" ? markup`<b>Warning:</b> ` : undefined}${stage === undefined ? undefined : `${stage}: `}${message}</li>
`,
  );
  return markup`<h3>Notes</h3><ul class="notes">
${items}</ul>`;
}
