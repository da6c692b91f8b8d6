import { placedMessage } from "../messages/outside-place.ts";
import { loadedPlugins } from "../plugins/load-plugins.ts";
import { type CheckedGraph, checkGraph } from "./check-graph.ts";
import type { ExperimentFile } from "./experiment-file.ts";
import { ExperimentInvalid } from "./problem.ts";
import { problemAt } from "./source-problem.ts";
import { escapePointer, type Source } from "./yaml-source.ts";

/**
 * Checks an experiment that is to be run: as `checkGraph` does, and that the nets of plug-ins can be trained. Throws
 * ExperimentInvalid.
 */
export async function checkWhole(file: ExperimentFile): Promise<CheckedGraph> {
  const graph = checkGraph(file);
  await checkTraining(graph, file.source);
  return graph;
}

/**
 * Checks that the nets of plug-ins that stages train can be trained, where the engine has to know their operations: otherwise
 * that shows after the first games. Throws ExperimentInvalid.
 */
async function checkTraining({ opened, stages }: CheckedGraph, source: Source): Promise<void> {
  const { compute } = opened.experiment;
  if (compute.engine === "tfjs") return;
  const own = new Set(
    loadedPlugins().flatMap(({ defines }) =>
      defines.filter(({ kind }) => kind === "net").map(({ name }) => name),
    ),
  );
  const problems = [];
  for (const { config, operator } of stages) {
    if (operator.learns === undefined) continue;
    const name = String(config[operator.learns]);
    const open = opened.nets.get(name);
    if (open?.kind !== "network" || !own.has(open.use)) continue;
    const { traceAsTrained } = await import("../models/nets/trainable.ts");
    try {
      await traceAsTrained(open.net);
    } catch (error) {
      const message = `${open.use} cannot be trained: ${placedMessage(error)}`;
      problems.push(problemAt(source, `/nets/${escapePointer(name)}/use`, message));
    }
  }
  if (problems.length > 0) throw new ExperimentInvalid(problems);
}
