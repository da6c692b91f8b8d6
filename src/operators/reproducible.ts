import { agentKinds } from "./agent-kinds.ts";
import type { Experiment } from "./setting.ts";

/**
 * Why a run of this experiment is no function of its file and seed, in words for the manifest and the report; empty
 * where it is one.
 *
 * Three things can be in the way: an asynchronous schedule, agents that play by the clock (`milliseconds`), and agents
 * that are other programs.
 */
export function irreproducible({ agents, graph, schedule }: Experiment): string[] {
  const playing = new Set(
    Object.values(graph).flatMap((stage) => [
      stage["agent"] as string | undefined,
      ...((stage["agents"] as readonly string[] | undefined) ?? []),
    ]),
  );
  const reasons = Object.entries(agents)
    .filter(([name]) => playing.has(name))
    .flatMap(([name, agent]) => {
      if (Number(agent["milliseconds"] ?? 0) > 0) return [`agent "${name}" plays by the clock`];
      const outside = agentKinds.find((kind) => kind.name === agent.use)?.reproducible === false;
      return outside ? [`agent "${name}" is another program`] : [];
    });
  return [...(schedule === "synchronous" ? [] : ["the schedule is asynchronous"]), ...reasons];
}
