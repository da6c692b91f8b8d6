import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Figure } from "../../../figures/figure.ts";
import type { FigureShown } from "../../views/run-views.ts";
import { ask } from "../shell/contact.ts";
import { zoom } from "./chart-view.ts";

/** The figures of the stretch that is shown, by name: as finely as the whole run is shown otherwise. */
const figures = signal<ReadonlyMap<string, Figure>>(new Map());

/** Asks for the figures of a run's stretch whenever another one is shown. */
export function useStretch(path: string): void {
  const part = zoom.value;
  const key = part === undefined ? "" : JSON.stringify(part);
  useEffect(() => {
    figures.value = new Map();
    if (part === undefined) return undefined;
    let left = false;
    const end = path.split("/").map(encodeURIComponent).join("/");
    const { axis, high, low } = part;
    ask<{ readonly figures: readonly FigureShown[] }>(
      `/api/run-figures/${end}?low=${low}&high=${high}&axis=${encodeURIComponent(axis)}`,
    ).then(
      (answer) => {
        if (!left) figures.value = new Map(answer.figures.map(({ figure }) => [figure.id, figure]));
      },
      // The points of the whole run that lie in the stretch are shown then.
      () => {},
    );
    return () => {
      left = true;
      figures.value = new Map();
    };
  }, [path, key]);
}

/** A figure as it is to be shown: that of the stretch, if its chart has the stretch's axis. */
export function stretched(figure: Figure): Figure {
  const own = figures.value.get(figure.id);
  if (own === undefined || own.chart.kind !== "lines" || figure.chart.kind !== "lines") return figure;
  return own.chart.xLabel === zoom.value?.axis ? { ...figure, chart: own.chart } : figure;
}
