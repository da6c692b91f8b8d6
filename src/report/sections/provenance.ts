import { markup } from "../../figures/markup.ts";
import type { RunData } from "../run-data.ts";
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
    tables: [],
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
