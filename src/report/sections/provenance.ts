import { markup } from "../../figures/markup.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { settingsOf, valueText } from "../../operators/experiment/settings-by-path.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { eventsOf, type RunData } from "../run-data.ts";
import type { Section } from "../section.ts";

/** The experiment file, and versions, machine and all other keys of the manifest. */
export function provenanceSection(run: RunData): Section | undefined {
  const entries = flattened(run.manifest, "");
  if (run.experiment === undefined && entries.length === 0) return undefined;
  const rows = entries.map(
    ([key, value]) => markup`<tr><th scope="row">${key}</th><td>${value}</td></tr>
`,
  );
  const manifest = markup`<h3>Manifest</h3>
<div class="table"><table class="manifest"><tbody>
${rows}</tbody></table></div>`;
  return {
    id: "settings",
    heading: "Settings and versions",
    body: [
      run.experiment === undefined
        ? undefined
        : markup`<h3>Experiment, with everything filled in</h3>
<pre tabindex="0"><code>${run.experiment}</code></pre>`,
      entries.length > 0 ? manifest : undefined,
    ],
    tables: [runTable(run), settingsTable(run)],
  };
}

/** One row with what a run is. */
function runTable(run: RunData): Table {
  const { commit, reproducible, started, versions, workers } = run.manifest;
  const end = eventsOf(run, "run-ended").at(-1);
  return {
    name: "run",
    title: "The run: when it began (UTC), seconds at work, how it ended",
    columns: [
      { name: "started", type: "text" },
      { name: "seconds", type: "number" },
      { name: "outcome", type: "text" },
      { name: "reproducible", type: "text" },
      { name: "workers", type: "integer" },
      { name: "ludoflow", type: "text" },
      { name: "commit", type: "text" },
    ],
    rows: [
      [
        textOf(started),
        run.events.at(-1)?.elapsed ?? null,
        end?.outcome ?? null,
        typeof reproducible === "boolean" ? (reproducible ? "yes" : "no") : null,
        Number.isSafeInteger(workers) ? (workers as number) : null,
        textOf((Object(versions) as Record<string, unknown>)["ludoflow"]),
        textOf(commit),
      ],
    ],
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A row for each setting, by its path as `--set` takes it. */
function settingsTable(run: RunData): Table {
  const experiment = experimentSettings(run);
  const settings = experiment === undefined ? [] : [...settingsOf(experiment)];
  return {
    name: "settings",
    title: "Every setting of the experiment, as text; of numbers also the number",
    ...tabulated(settings, [
      column.text("path", ([path]) => path),
      column.text("value", ([, value]) => valueText(value)),
      column.number("number", ([, value]) => (typeof value === "number" ? value : null)),
    ]),
  };
}

/** Nested keys as `machine.cores`. */
function flattened(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? [] : [[path, value.join(", ")]];
  }
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      flattened(inner, path === "" ? key : `${path}.${key}`),
    );
  return [[path, String(value)]];
}
