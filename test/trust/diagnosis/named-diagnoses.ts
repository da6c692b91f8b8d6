import { join } from "node:path";
import { DIAGNOSES } from "../../../src/diagnosis/diagnosis.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { graphWarnings } from "../../../src/graph/graph-warnings.ts";
import { readPermitted } from "../../../src/graph/read-permitted.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun } from "../../graph/tiny-run.ts";

/** A diagnosis that was told of an experiment: by `check`, or by its run. */
export interface ToldDiagnosis {
  readonly name: string;
  readonly by: "check" | "run";
  readonly text: string;
}

const names: ReadonlySet<string> = new Set(DIAGNOSES);

/** All diagnoses of an experiment, by `check` and by a run to its end; a run that fails has been told why before. */
export async function diagnosesOf(
  file: string,
  set: readonly string[] = [],
  folder = scratchFolder(),
): Promise<ToldDiagnosis[]> {
  const experiment = await readPermitted(file, set, () => {});
  const warnings = await graphWarnings(experiment, checkGraph(experiment));
  const told = warnings.flatMap(({ message, path }): ToldDiagnosis[] => {
    const name = message.slice(0, message.indexOf(":"));
    return names.has(name) ? [{ name, by: "check", text: `${path}: ${message}` }] : [];
  });
  await startRun(file, join(folder, "run"), set, {
    onEvent: (event) => {
      if (event.type === "diagnosis")
        told.push({ name: event.name, by: "run", text: `${event.stage}: ${event.says}` });
    },
  });
  return told;
}
