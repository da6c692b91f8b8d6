import { netNames } from "../operators/experiment/agent-net.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { operatorOf, services } from "../operators/registry.ts";
import { connectedPorts } from "./stage-view.ts";

/** The stages of an experiment and what connects them, as far as known without opening anything. */
export interface GraphLinks {
  /** Services are left out. `column` is the length of the longest way to the stage. */
  readonly stages: readonly { readonly name: string; readonly use: string; readonly column: number }[];
  readonly streams: readonly { readonly from: string; readonly to: string; readonly kind: string }[];
  /** From a stage that learns to one that plays with what it learns, and feeds it. */
  readonly back: readonly { readonly from: string; readonly to: string; readonly net: string }[];
}

/** The links of the graph of an experiment. Stages of plug-ins that are not loaded have none. */
export function graphLinks({ agents, graph }: Pick<Experiment, "agents" | "graph">): GraphLinks {
  const names = Object.keys(graph).filter((name) => !services.some(({ use }) => use === graph[name]!.use));
  const streams = names.flatMap((to) => {
    const operator = operatorOf(graph[to]!);
    if (operator === undefined) return [];
    return Object.entries(connectedPorts(operator, graph[to]!, graph)).map(([port, from]) => ({
      from,
      to,
      kind: operator.inputs[port]!.kind,
    }));
  });
  const before = (name: string) => streams.filter(({ to }) => to === name).map(({ from }) => from);
  // A file that was never checked may have a circle: its stages are placed where the way to them comes around.
  const columnOf = (name: string, way: readonly string[] = []): number =>
    Math.max(
      0,
      ...before(name)
        .filter((from) => from !== name && !way.includes(from))
        .map((from) => 1 + columnOf(from, [...way, name])),
    );
  const behind = (name: string, found = new Set<string>()): Set<string> => {
    for (const from of before(name))
      if (!found.has(from)) {
        found.add(from);
        behind(from, found);
      }
    return found;
  };
  const back = names.flatMap((from) => {
    const key = operatorOf(graph[from]!)?.learns;
    if (key === undefined) return [];
    const net = String(graph[from]![key]);
    return names
      .filter((to) => {
        const playing = operatorOf(graph[to]!)?.agents?.(graph[to]!) ?? [];
        return behind(from).has(to) && playing.some((agent) => netNames(agents[agent] ?? {}).includes(net));
      })
      .map((to) => ({ from, to, net }));
  });
  return {
    stages: names.map((name) => ({ name, use: graph[name]!.use, column: columnOf(name) })),
    streams,
    back,
  };
}
