import { explainedAt } from "../../messages/diagnosis-text.ts";
import { column, tabulated } from "../../formats/table.ts";
import { markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import { eventsOf, type RunData } from "../run-data.ts";
import { type Section, tableMarkup } from "../section.ts";

/** Why the run does not learn as it should, as far as it is sure: what is seen, and what to change. */
export function diagnosesSection(run: RunData): Section | undefined {
  const found = eventsOf(run, "diagnosis");
  if (found.length === 0) return undefined;
  const table = {
    name: "diagnoses",
    title: "Diagnoses",
    ...tabulated(found, [
      column.text("stage", ({ stage }) => stage),
      column.text("diagnosis", ({ name }) => name),
      column.integer("learned", ({ learned }) => learned),
      column.text("unit", ({ unit }) => unit),
      column.text("what is seen", ({ says }) => says),
      column.text("what to change", ({ cure }) => cure),
    ]),
  };
  return {
    id: "diagnoses",
    heading: "What keeps it from learning",
    body: [
      found.map(
        ({ cure, learned, name, says, stage, unit }) =>
          markup`<p><b>${name}</b> (<i>${stage}</i>, after ${fixed(learned, 0)} ${unit}): ${says}. ${cure}. <small>${explainedAt(name)}</small></p>
`,
      ),
      tableMarkup(table),
    ],
    tables: [table],
  };
}
