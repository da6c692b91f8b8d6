import type { CheckedGraph } from "../check-graph.ts";
import { checkWhole } from "../check-whole.ts";
import type { Permit } from "../code/permission.ts";
import { loadPlugins, pluginFilesOf } from "../code/named-plugins.ts";
import { ExperimentInvalid, formatProblem, type Problem } from "../problem.ts";
import { memberFile, placedInSweep, type SweepPlan } from "./sweep-plan.ts";

/**
 * Checks every combination of settings of a sweep as a whole; returns one graph for each. Problems are reported once, at the
 * value of the sweep that causes them, or at their own place. Plug-ins of the file are loaded before, if `permit` allows
 * them. Throws ExperimentInvalid, CodeNotAllowed, PluginInvalid.
 */
export async function checkSweep(plan: SweepPlan, permit: Permit): Promise<readonly CheckedGraph[]> {
  const { files, problems: missing } = pluginFilesOf(plan.source);
  if (missing.length === 0) await loadPlugins(files, plan.file, permit);
  const problems = new Map<string, Problem>();
  // The first seed of every combination comes first; the seed changes nothing that is checked.
  const combinations = plan.members.slice(0, plan.members.length / plan.seeds.length);
  const graphs: CheckedGraph[] = [];
  for (const member of combinations)
    try {
      graphs.push(await checkWhole(memberFile(plan, member)));
    } catch (error) {
      if (!(error instanceof ExperimentInvalid)) throw error;
      for (const problem of error.problems.map((each) => placedInSweep(plan, each)))
        problems.set(formatProblem(problem), problem);
    }
  if (problems.size > 0) throw new ExperimentInvalid([...problems.values()]);
  return graphs;
}
