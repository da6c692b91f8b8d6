import { equalTimeText, equalTimeYaml, unequalTexts } from "../../events/equal-time.ts";
import { markup } from "../../figures/markup.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { type Section, tableMarkup } from "../section.ts";

type EqualTime = EventOf<"equal-time">;

/** The simulations that arenas with `equalTime` have fixed, the times that they have measured before, and the lines that fix them elsewhere. */
export function equalTimeSection(run: RunData): Section | undefined {
  const fixed = grouped(eventsOf(run, "equal-time"), ({ stage }) => stage).map(([, events]) =>
    events.at(-1)!,
  );
  if (fixed.length === 0) return undefined;
  const table = tableOf(fixed);
  return {
    id: "equal-time",
    heading: "Equal time",
    body: [
      fixed.map((each) => {
        const unequal = unequalTexts(each).map((text) => ` But ${text}.`);
        return markup`<p>${each.stage}: ${equalTimeText(each)}.${unequal} A run without <code>equalTime</code> plays these games if its file has these numbers:</p>
<pre tabindex="0"><code>${equalTimeYaml(each)}</code></pre>`;
      }),
      tableMarkup(table),
    ],
    tables: [table],
  };
}

function tableOf(fixed: readonly EqualTime[]): Table {
  const rows = fixed.flatMap(({ agents, stage }) =>
    agents.flatMap(({ agent, measured, simulations }) =>
      measured.map((each, i) => ({ ...each, stage, agent, fixed: simulations, measurement: i + 1 })),
    ),
  );
  return {
    name: "equal-time",
    title:
      "Measurements before the first game: milliseconds of processor time a decision with so many simulations, its parts, and the simulations that were fixed",
    ...tabulated(rows, [
      column.text("stage", ({ stage }) => stage),
      column.text("agent", ({ agent }) => agent),
      column.integer("measurement", ({ measurement }) => measurement),
      column.integer("simulations", ({ simulations }) => simulations),
      column.integer("decisions", ({ decisions }) => decisions),
      column.number("ms a move", ({ milliseconds }) => milliseconds),
      column.number(
        "of its search",
        ({ evaluatorMilliseconds = 0, milliseconds }) => milliseconds - evaluatorMilliseconds,
      ),
      column.number("of evaluators", ({ evaluatorMilliseconds = 0 }) => evaluatorMilliseconds),
      column.integer("fixed", (row) => row.fixed),
    ]),
  };
}
