import { completeOptions } from "../../options.ts";
import { nets } from "../../models/registry.ts";
import { searchOptionsOf } from "./agent-net.ts";
import { kindsOf } from "./agent-kinds.ts";
import { type AgentConfig, type Experiment, type NetConfig, netOptionsOf } from "./open-experiment.ts";

/**
 * An experiment of a run's folder with the defaults of options that its nets and searches did not have yet when the run began. Agents
 * whose search is not known here, as of a plug-in that is not loaded, stay as they are, and so do such nets. What is there keeps its
 * place: `resume` compares the text of an experiment with that of its file.
 */
export function withLaterOptions(experiment: Experiment): Experiment {
  const agents = Object.entries(experiment.agents).map(
    ([name, agent]) => [name, { ...agent, ...laterOptions(agent) }] as const,
  );
  const completed = Object.entries(experiment.nets).map(
    ([name, net]) => [name, withLaterNetOptions(net)] as const,
  );
  return { ...experiment, nets: Object.fromEntries(completed), agents: Object.fromEntries(agents) };
}

/** The settings of a net with the defaults of options that nets of its kind did not have yet when they were recorded. */
export function withLaterNetOptions<N extends NetConfig>(net: N): N {
  const definition = nets.find(({ name }) => name === net.use);
  if (definition === undefined) return net;
  const { properties } = definition.options;
  // Threads read checkpoints too: most of them lack nothing, and the checker of options need not be loaded for them.
  if (Object.keys(properties).every((option) => option in net)) return net;
  const completed = completeOptions(definition.options, netOptionsOf(net));
  return "wrong" in completed ? net : { ...net, ...completed.options };
}

function laterOptions(agent: AgentConfig): object {
  const definition = kindsOf(agent).find(({ name }) => name === agent.use);
  if (definition === undefined) return {};
  const completed = completeOptions(definition.options, { ...definition.earlier, ...searchOptionsOf(agent) });
  return "wrong" in completed ? {} : completed.options;
}
