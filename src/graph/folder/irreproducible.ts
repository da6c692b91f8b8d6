import { agentKinds } from "../../operators/experiment/agent-kinds.ts";
import type { AgentConfig, Experiment } from "../../operators/experiment/open-experiment.ts";
import { operatorOf } from "../../operators/registry.ts";

/**
 * The reasons why a run of this experiment is not a function of its file and seed, as text for the manifest and the
 * report; empty if it is reproducible.
 *
 * There are four: an asynchronous schedule, several threads that learn the same tables (`threads`), agents that play by
 * the clock (`milliseconds`), and agents that are other programs.
 */
export function irreproducible({ agents, graph, schedule }: Experiment): string[] {
  const stages = Object.entries(graph);
  const playing = new Set(stages.flatMap(([, config]) => operatorOf(config)?.agents?.(config) ?? []));
  const named = Object.entries(agents).filter(([name]) => playing.has(name));
  const clocked = named.filter(([, agent]) => Number(agent["milliseconds"] ?? 0) > 0);
  const outside = named.filter(([, agent]) => isOtherProgram(agent));
  const names = (some: readonly (readonly [string, unknown])[]) => some.map(([name]) => name).join(", ");
  const shared = stages.filter(([, config]) => (operatorOf(config)?.sharedBy?.(config) ?? 1) > 1);
  return [
    ...(schedule === "asynchronous" ? ["the schedule is asynchronous"] : []),
    ...(shared.length === 0 ? [] : [`several threads learn the same tables: ${names(shared)}`]),
    ...(clocked.length === 0 ? [] : [`these agents play by the clock: ${names(clocked)}`]),
    ...(outside.length === 0 ? [] : [`these agents are other programs: ${names(outside)}`]),
  ];
}

/** Whether an agent is another program. */
export function isOtherProgram({ use }: AgentConfig): boolean {
  return agentKinds.find(({ name }) => name === use)?.reproducible === false;
}
