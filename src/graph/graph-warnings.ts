import type { Game } from "../games/game.ts";
import { completeOptions } from "../options.ts";
import { kindsOf } from "../operators/experiment/agent-kinds.ts";
import { searchOptionsOf } from "../operators/experiment/agent-net.ts";
import { type AgentConfig, gameOf } from "../operators/experiment/open-experiment.ts";
import { diagnosisText } from "../messages/diagnosis-text.ts";
import { findSearch } from "../search/registry.ts";
import type { CheckedGraph } from "./check-graph.ts";
import type { ExperimentFile } from "./experiment-file.ts";
import { fileDiagnoses } from "./file-diagnoses.ts";
import type { Problem } from "./problem.ts";
import { DEFAULT_SEED } from "./schema.ts";
import { problemAt } from "./source-problem.ts";
import { unreachedValues } from "./unreached-values.ts";
import { escapePointer } from "./yaml-source.ts";

/** Something that the user should know, at a place of the file. */
export interface GraphWarning extends Problem {
  /** note: nothing is wrong, and a trial was left out. */
  readonly level: "warning" | "note";
}

/**
 * What the user of a runnable experiment should know before it runs: games that may never end, searches whose decisions may
 * take for ever, searches that look at hardly any moves, and what keeps nets from learning. It takes a second of processor time for each
 * search that has to be tried, and two for each stage.
 */
export async function graphWarnings(
  { source }: ExperimentFile,
  graph: CheckedGraph,
): Promise<GraphWarning[]> {
  const { opened, stages } = graph;
  const { experiment, game } = opened;
  const found: GraphWarning[] = [];
  const add = (pointer: string, message: string, level: GraphWarning["level"] = "warning") =>
    found.push({ ...problemAt(source, pointer, message), level });
  if (source.value["seed"] === undefined)
    add("/seed", `none is given, so it is ${DEFAULT_SEED}; everything random follows from it`, "note");
  if (game.endless !== undefined) add("/game", game.endless);
  for (const [name, agent] of Object.entries(experiment.agents)) {
    const warning = searchWarning(agent, gameOf(opened, agent));
    if (warning !== undefined) add(`/agents/${escapePointer(name)}`, warning);
  }
  for (const diagnosis of fileDiagnoses(graph)) add(diagnosis.where, diagnosisText(diagnosis));
  for (const { says, where } of unreachedValues(graph)) add(where, says);
  for (const { config, name, operator, view } of stages)
    for (const foreseen of (await operator.foresees?.(config, view)) ?? []) {
      const where = `/graph/${escapePointer(name)}${foreseen.key === undefined ? "" : `/${foreseen.key}`}`;
      if ("note" in foreseen) add(where, foreseen.note, "note");
      else add(where, diagnosisText(foreseen));
    }
  return found;
}

function searchWarning(agent: AgentConfig, game: Game<unknown>): string | undefined {
  const { use } = agent;
  const options = searchOptionsOf(agent);
  const definition = findSearch(use, kindsOf(agent));
  const completed = completeOptions(definition.options, options);
  return "wrong" in completed ? undefined : definition.warning?.(game, completed.options, processorSeconds);
}

/** Processor seconds of this process: a trial must not depend on what else the machine does. */
function processorSeconds(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1e6;
}
