import { agentKinds } from "../experiment/agent-kinds.ts";
import type { Experiment } from "../experiment/open-experiment.ts";

/**
 * Why a run of this experiment is no function of its file and seed, in words for the manifest and the report; empty
 * where it is one.
 *
 * Four things can be in the way: an asynchronous schedule, several threads that learn the same tables (`threads`), agents
 * that play by the clock (`milliseconds`), and agents that are other programs.
 */
export function irreproducible({ agents, graph, schedule }: Experiment): string[] {
  const playing = new Set(
    Object.values(graph).flatMap((stage) => [
      stage["agent"] as string | undefined,
      ...((stage["agents"] as readonly string[] | undefined) ?? []),
    ]),
  );
  const named = Object.entries(agents).filter(([name]) => playing.has(name));
  const clocked = named.filter(([, agent]) => Number(agent["milliseconds"] ?? 0) > 0);
  const outside = named.filter(
    ([, { use }]) => agentKinds.find((kind) => kind.name === use)?.reproducible === false,
  );
  const names = (some: typeof named) => some.map(([name]) => name).join(", ");
  const shared = Object.entries(graph).filter(([, stage]) => Number(stage["threads"] ?? 1) > 1);
  return [
    ...(schedule === "synchronous" ? [] : ["the schedule is asynchronous"]),
    ...(shared.length === 0
      ? []
      : [`several threads learn the same tables: ${shared.map(([name]) => name).join(", ")}`]),
    ...(clocked.length === 0 ? [] : [`these agents play by the clock: ${names(clocked)}`]),
    ...(outside.length === 0 ? [] : [`these agents are other programs: ${names(outside)}`]),
  ];
}
