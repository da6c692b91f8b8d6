import { readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { shippedExperiments } from "../../graph/shipped-experiments.ts";
import { readSource } from "../../graph/yaml-source.ts";
import type { OfferedExperiment } from "../views/offered-experiment.ts";

/** Folders deeper than this are not searched for experiment files. */
const DEEPEST = 2;
const LEFT_OUT = new Set(["node_modules", "runs", "dist"]);

/** The experiments that come with ludoflow, and the experiment files of the working directory and the folders in it. */
export function offeredExperiments(): OfferedExperiment[] {
  const own = filesIn(".", 0).flatMap((file): OfferedExperiment[] => {
    const { description, graph, name } = textsOf(file);
    if (typeof graph !== "object" || graph === null) return [];
    return [
      {
        given: relative(".", file),
        name: typeof name === "string" ? name : basename(file),
        description: typeof description === "string" ? description : "",
        cost: "",
        shipped: false,
      },
    ];
  });
  const shipped = shippedExperiments();
  return [
    ...own.filter(({ given }) => !shipped.some(({ file }) => relative(".", file) === given)),
    ...shipped.map(({ cost, description, name }) => ({
      given: name,
      name,
      description,
      cost,
      shipped: true,
    })),
  ];
}

function filesIn(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && !LEFT_OUT.has(name))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth < DEEPEST ? filesIn(path, depth + 1) : [];
      return entry.isFile() && /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
}

/** The values of a file, as far as it can be read: its mistakes are told when it is checked. */
function textsOf(file: string): Readonly<Record<string, unknown>> {
  try {
    return readSource(file).value;
  } catch {
    return {};
  }
}
