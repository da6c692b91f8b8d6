import type { Figure } from "../../../figures/figure.ts";
import { timeUnit } from "../../../figures/charts/time-line.ts";
import { FigureChart } from "../parts/figure-chart.tsx";

/** A small chart of what a run does over its time: seconds at work, and a value. */
export function SmallChart({
  about,
  id,
  most,
  points,
  title,
}: {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly points: readonly (readonly [number, number])[];
  /** The greatest value that can be, as a level to compare with. */
  readonly most?: number;
}) {
  const [unit, name] = timeUnit(points.at(-1)![0]);
  const figure: Figure = {
    id,
    title,
    caption: about,
    table: { name: id, title, columns: [], rows: [] },
    chart: {
      kind: "lines",
      description: `${title}: ${about}`,
      xLabel: `Time at work (${name})`,
      yLabel: "",
      series: [{ label: title, style: 0, points: points.map(([x, y]) => ({ x: x / unit, y })) }],
      ...(most === undefined ? {} : { reference: { y: most, label: "all cores" } }),
    },
  };
  return (
    <section class="panel">
      <h2>
        {title} <small>{about}</small>
      </h2>
      <FigureChart figure={figure} id={`s-${id}`} height={120} />
    </section>
  );
}
