import { readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { type ShippedExperiment, shippedExperiments } from "../../graph/shipped-experiments.ts";
import { readSource } from "../../graph/yaml-source.ts";
import type { OfferedExperiment } from "../views/offered-experiment.ts";

/** Folders deeper than this are not searched for experiment files. */
const DEEPEST = 2;
/** The experiment for newcomers. */
const FIRST = "quickstart";
const LEFT_OUT = new Set(["node_modules", "runs", "dist"]);

/** What comes with ludoflow, once it was read: that takes a second. */
let shipped: readonly ShippedExperiment[] | undefined;

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
        needs: neededBy(typeof description === "string" ? description : ""),
        shipped: false,
      },
    ];
  });
  shipped ??= shippedExperiments();
  const known = shipped;
  return [
    ...own.filter(({ given }) => !known.some(({ file }) => relative(".", file) === given)),
    ...known.map(({ cost, description, name }) => ({
      given: name,
      name,
      description,
      cost,
      needs: neededBy(description),
      shipped: true,
    })),
  ].toSorted((a, b) => Number(b.given === FIRST) - Number(a.given === FIRST));
}

/** What a description says that its experiment needs: weights, a program; empty if it says nothing. */
function neededBy(description: string): string {
  return /\bNeeds .*$/s.exec(description)?.[0] ?? "";
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

/** The values of a file, as far as it can be read: the check reports its mistakes. */
function textsOf(file: string): Readonly<Record<string, unknown>> {
  try {
    return readSource(file).value;
  } catch {
    return {};
  }
}
