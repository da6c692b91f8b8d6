import { ComputeUnavailable, type Engine, ModelFailed } from "../compute/engine.ts";
import { openEngine } from "../compute/open-engine.ts";
import { NumberUnsound } from "../messages/number-unsound.ts";
import { placedMessage } from "../messages/outside-place.ts";
import { NetDoesNotFit } from "../models/definition.ts";
import { modelsOf, tryModel } from "../operators/play/evaluation/model-trial.ts";
import type { OpenExperiment } from "../operators/experiment/open-experiment.ts";
import { loadedPlugins } from "../plugins/load-plugins.ts";
import { type CheckedGraph, checkGraph } from "./check-graph.ts";
import type { ExperimentFile } from "./experiment-file.ts";
import { ExperimentInvalid } from "./problem.ts";
import { problemAt } from "./source-problem.ts";
import { escapePointer, type Source } from "./yaml-source.ts";

/**
 * Checks an experiment that is to be run: as `checkGraph` does, that the nets of plug-ins can be trained, that nets in int8 have
 * something to compute so, and that the models of files can be computed. Throws ExperimentInvalid.
 */
export async function checkWhole(file: ExperimentFile): Promise<CheckedGraph> {
  const graph = checkGraph(file);
  await checkTraining(graph, file.source);
  await checkInt8(graph, file.source);
  await checkModels(graph, file.source);
  return graph;
}

/** Checks that nets in int8 have convolutions that are computed so. Throws ExperimentInvalid. */
async function checkInt8({ opened }: CheckedGraph, source: Source): Promise<void> {
  const problems = [];
  for (const [name, { evaluations }] of Object.entries(opened.experiment.nets)) {
    const open = opened.nets.get(name);
    if (evaluations !== "int8" || open?.kind !== "network") continue;
    const { int8Activations } = await import("../models/nets/int8.ts");
    if (int8Activations(open.net) > 0) continue;
    const message =
      "int8 is for convolutions with windows of more than one cell on boards of more than 16 cells, and this net has none; write evaluations: float32";
    problems.push(problemAt(source, `/nets/${escapePointer(name)}/evaluations`, message));
  }
  if (problems.length > 0) throw new ExperimentInvalid(problems);
}

/**
 * Checks that the nets of plug-ins that stages train can be trained, if the engine has to know their operations: otherwise
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

/** What was wrong with models that this process has tried, by their settings: a sweep has the same ones in every run. */
const tried = new Map<string, string | undefined>();

/**
 * Computes the models of files for first positions of the game, on the CPU. If this machine has no ONNX Runtime, it is the run
 * that says so. Throws ExperimentInvalid.
 */
async function checkModels({ opened }: CheckedGraph, source: Source): Promise<void> {
  const { compute, game, nets } = opened.experiment;
  const problems = [];
  let engine: Engine | undefined;
  for (const name of modelsOf(opened)) {
    const key = JSON.stringify([game, nets[name], name]);
    if (!tried.has(key)) {
      try {
        engine ??= await openEngine({ ...compute, device: "cpu" });
      } catch (error) {
        if (error instanceof ComputeUnavailable) return;
        throw error;
      }
      tried.set(key, await wrongWith(opened, name, engine));
    }
    const wrong = tried.get(key);
    if (wrong !== undefined) problems.push(problemAt(source, `/nets/${escapePointer(name)}/file`, wrong));
  }
  if (problems.length > 0) throw new ExperimentInvalid(problems);
}

async function wrongWith(opened: OpenExperiment, name: string, engine: Engine): Promise<string | undefined> {
  try {
    await tryModel(opened, name, engine);
    return undefined;
  } catch (error) {
    if (error instanceof ModelFailed || error instanceof NetDoesNotFit || error instanceof NumberUnsound)
      return error.message;
    throw error;
  }
}
