import type { Forecasts } from "../../events/event.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import type { Markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import type { EventOf } from "../run-data.ts";
import { figureMarkup, slug } from "../section.ts";

/** Bins with fewer decisions than this are only in the table. */
const FEWEST = 20;

/** Expected against actual returns of players, in the first, second and last third of the games. */
export function calibration(
  stage: string,
  events: readonly EventOf<"games">[],
): { readonly figure: Markup; readonly table: Table } | undefined {
  const known = events.filter(({ forecasts }) => forecasts !== undefined);
  if (known.length === 0) return undefined;
  const total = known.at(-1)!.done;
  const thirds = [0, 1, 2]
    .map((third) => known.filter(({ done }) => Math.min(2, Math.floor((3 * (done - 1)) / total)) === third))
    .filter((part) => part.length > 0)
    .map((part) => ({
      label: `games to ${fixed(part.at(-1)!.done, 0)}`,
      until: part.at(-1)!.done,
      sums: added(part.map(({ forecasts }) => forecasts!)),
    }));
  const [low, high] = thirds[0]!.sums.bounds;
  const table: Table = {
    name: "calibration",
    title:
      "Expected and actual returns of the mover from its decision on, by the expected return: from is in the bin, to is not; sums are over the games up to that number since the rows before",
    ...tabulated(
      thirds.flatMap(({ sums, until }) => {
        const width = (high - low) / sums.decisions.length;
        return [...sums.decisions.keys()]
          .filter((bin) => sums.decisions[bin]! > 0)
          .map((bin) => ({ sums, until, bin, from: low + bin * width, to: low + (bin + 1) * width }));
      }),
      [
        column.text("stage", () => stage),
        column.integer("games to", ({ until }) => until),
        column.number("from", ({ from }) => from),
        column.number("to", ({ to }) => to),
        column.integer("decisions", ({ bin, sums }) => sums.decisions[bin]),
        column.number("expected", ({ bin, sums }) => sums.expected[bin]! / sums.decisions[bin]!),
        column.number("earned", ({ bin, sums }) => sums.earned[bin]! / sums.decisions[bin]!),
      ],
    ),
  };
  const series = thirds.map(({ label, sums }, style) => ({
    label,
    style,
    points: [...sums.decisions.keys()]
      .filter((bin) => sums.decisions[bin]! >= FEWEST)
      .map((bin) => ({
        x: sums.expected[bin]! / sums.decisions[bin]!,
        y: sums.earned[bin]! / sums.decisions[bin]!,
      })),
  }));
  const drawn = series.filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return undefined;
  const xs = drawn.flatMap(({ points }) => points.map(({ x }) => x));
  const diagonal = [Math.min(...xs), Math.max(...xs)].map((x) => ({ x, y: x }));
  const title = `Expected and actual returns: ${stage}`;
  const figure = figureMarkup({
    id: `calibration-${slug(stage)}`,
    title,
    caption: `The return that the search expected for the mover from its decision on, and the mean return that the mover received, in the units of its net's values. On the thin grey line values are right on average; a flatter line is overconfident. Each point is the mean of ${FEWEST} decisions or more. The three lines are the three thirds of the games.`,
    table,
    chart: {
      kind: "lines",
      description: `Mean actual return against expected return, a line for each of: ${drawn.map(({ label }) => label).join(", ")}.`,
      xLabel: "Expected",
      yLabel: "Received",
      series: [...drawn, { label: "as expected", points: diagonal }],
      height: 260,
    },
  });
  return { figure, table };
}

function added(all: readonly Forecasts[]): Forecasts {
  const sum = (key: "decisions" | "expected" | "earned") =>
    all[0]![key].map((_, bin) => all.reduce((total, each) => total + each[key][bin]!, 0));
  return {
    bounds: all[0]!.bounds,
    decisions: sum("decisions"),
    expected: sum("expected"),
    earned: sum("earned"),
  };
}
