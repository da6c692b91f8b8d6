import type { FigureShown } from "../../views/run-views.ts";
import { ChartTools } from "../parts/chart-tools.tsx";
import { FigurePanel } from "../parts/figure-panel.tsx";
import type { RunShown } from "./run-state.ts";

/** Every figure of the report, as it is now. */
export function ChartsTab({ path, run: { figures } }: { readonly run: RunShown; readonly path: string }) {
  if (figures === undefined) return <div class="panel grey" aria-hidden="true" />;
  if (figures.length === 0)
    return <p class="panel empty">Nothing was measured yet: figures appear with the first results.</p>;
  const sections = Map.groupBy(figures, ({ section }) => section);
  return (
    <>
      <ChartTools />
      <div class="chart-sections">
        <div>
          {[...sections].map(([heading, members]) => (
            <section key={heading} style={`--figures: ${members.length}`}>
              <h2 class="second">{heading}</h2>
              <div class="figures">
                {members.map((shown) => (
                  <FigurePanel key={shown.figure.id} shown={shown} csv={tableHref(path, shown)} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** The address of the whole table of a figure. */
export function tableHref(path: string, { figure: { table } }: FigureShown): string {
  return `/report/${path.split("/").map(encodeURIComponent).join("/")}/data/${encodeURIComponent(table.name)}.csv`;
}
