import type { FigureShown } from "../../views/run-views.ts";
import { printedCell } from "../../../figures/printed-cell.ts";
import { fixed } from "../../../figures/number-text.ts";
import { FigureChart } from "./figure-chart.tsx";

/** A figure of the report in a panel: title, chart, caption, and its data as a table. */
export function FigurePanel({
  height,
  shown: { figure, rows },
  csv,
}: {
  readonly shown: FigureShown;
  readonly height?: number;
  /** The address of the whole table. */
  readonly csv?: string | undefined;
}) {
  return (
    <figure class="panel figure">
      <h2>{figure.title}</h2>
      <FigureChart figure={figure} id={`f-${figure.id}`} {...(height === undefined ? {} : { height })} />
      <figcaption>{figure.caption}</figcaption>
      <details>
        <summary>Data ({fixed(rows, 0)} rows)</summary>
        <DataTable table={figure.table} />
        {csv !== undefined && (
          <p class="muted">
            {rows > figure.table.rows.length && `The last ${figure.table.rows.length} rows; all of them: `}
            <a href={csv} download>
              {figure.table.name}.csv
            </a>
          </p>
        )}
      </details>
    </figure>
  );
}

function DataTable({ table }: { readonly table: FigureShown["figure"]["table"] }) {
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label={table.title}>
      <table>
        <thead>
          <tr>
            {table.columns.map(({ name, type }) => (
              <th key={name} scope="col" class={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {table.columns.map((column, j) => (
                <td key={column.name} class={column.type}>
                  {printedCell(row[j] ?? null, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
