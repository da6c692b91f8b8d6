import { earlierValueKinds } from "../../models/definition.ts";
import { completeOptions } from "../../options.ts";
import { searchOptionsOf } from "./agent-net.ts";
import { kindsOf } from "./agent-kinds.ts";
import type { AgentConfig, Experiment } from "./open-experiment.ts";

/**
 * The settings of a net in today's words. Experiments of format `ludoflow run 1` and checkpoints of format `ludoflow
 * checkpoint 1` have earlier words. Settings in today's words stay as they are.
 */
export function currentNet<N>(net: N): N {
  const { values } = (net ?? {}) as { readonly values?: unknown };
  return typeof values === "string" && Object.hasOwn(earlierValueKinds, values)
    ? { ...net, values: earlierValueKinds[values] }
    : net;
}

/**
 * An experiment in today's words, see `currentNet`: from a run's folder, or from the file that an earlier run was started
 * with, whose form need not be right.
 */
export function currentExperiment(experiment: Experiment): Experiment {
  const nets: unknown = experiment.nets;
  if (typeof nets !== "object" || nets === null) return experiment;
  const current = Object.entries(nets).map(
    ([name, net]: [string, unknown]) => [name, currentNet(net)] as const,
  );
  return { ...experiment, nets: Object.fromEntries(current) as Experiment["nets"] };
}

/**
 * An experiment of a run's folder with the defaults of options that searches did not have yet when the run began. Agents whose search is
 * not known here, as of a plug-in that is not loaded, stay as they are. What is there keeps its place: `resume` compares the text of an
 * experiment with that of its file.
 */
export function withLaterOptions(experiment: Experiment): Experiment {
  const agents = Object.entries(experiment.agents).map(
    ([name, agent]) => [name, { ...agent, ...laterOptions(agent) }] as const,
  );
  return { ...experiment, agents: Object.fromEntries(agents) };
}

function laterOptions(agent: AgentConfig): object {
  const definition = kindsOf(agent).find(({ name }) => name === agent.use);
  if (definition === undefined) return {};
  const completed = completeOptions(definition.options, { ...definition.earlier, ...searchOptionsOf(agent) });
  return "wrong" in completed ? {} : completed.options;
}
