import { netNames } from "../operators/experiment/agent-net.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { operatorOf, services } from "../operators/registry.ts";
import { workerThreads } from "../operators/run/parallelism.ts";
import type { CheckedGraph, CheckedStage } from "./check-graph.ts";
import { connectedPorts } from "./stage-view.ts";

/** The box of the worker threads. No stage can have a name that begins so, nor like the other boxes that no file names. */
const WORKERS = "_workers";

/**
 * The compiled graph as a Mermaid flowchart: stages with their bounds, streams as arrows (one item at a time, the
 * slowest reader sets the pace), services and named weights as dotted lines.
 */
export function drawGraph(graph: CheckedGraph): string {
  const { experiment } = graph.opened;
  const lines = ["flowchart LR"];
  const box = (id: string, title: string, details: readonly string[]) =>
    lines.push(`  ${id}["${[`<b>${title}</b>`, ...details].map(escape).join("<br/>")}"]`);
  for (const { name, operator, config, view } of graph.stages)
    box(name, `${name}: ${operator.use}`, operator.bounds(config, view));
  const workers = workerThreads(experiment);
  const players = graph.stages.filter(
    ({ operator }) => operator.agents !== undefined && operator.playsItself !== true,
  );
  if (players.length > 0) {
    box(WORKERS, "worker threads", [`${workers} thread${workers === 1 ? " plays" : "s play"} games`]);
    for (const { name } of players) lines.push(`  ${name} <-. games .-> ${WORKERS}`);
  }
  for (const service of services)
    for (const { name, settings } of service.instances(graph.opened)) {
      const id = experiment.graph[name]?.use === service.use ? name : `_${name}`;
      box(id, `${name}: ${service.use}`, service.bounds(settings));
      lines.push(`  ${WORKERS} <-. ${service.requests} .-> ${id}`);
    }
  for (const { name, inputs, operator } of graph.stages)
    for (const [port, from] of Object.entries(inputs))
      lines.push(`  ${from} -- "${operator.inputs[port]!.kind}, 1 at a time" --> ${name}`);
  for (const { name, operator, config } of graph.stages)
    if (operator.learns !== undefined)
      for (const player of players)
        if (playsWith(graph, player, String(config[operator.learns])))
          lines.push(`  ${name} -. "weights of ${String(config[operator.learns])}" .-> ${player.name}`);
  return `${lines.join("\n")}\n`;
}

/** The stages of a graph and their streams alone: what is known without the plug-ins of its experiment. */
export function drawConnections(graph: Experiment["graph"]): string {
  const lines = Object.entries(graph).map(
    ([name, { use }]) => `  ${name}["<b>${escape(`${name}: ${use}`)}</b>"]`,
  );
  for (const [name, config] of Object.entries(graph)) {
    const operator = operatorOf(config);
    if (operator === undefined) continue;
    for (const [port, from] of Object.entries(connectedPorts(operator, config, graph)))
      lines.push(`  ${from} -- "${operator.inputs[port]!.kind}, 1 at a time" --> ${name}`);
  }
  return `${["flowchart LR", ...lines].join("\n")}\n`;
}

function playsWith(graph: CheckedGraph, { operator, config }: CheckedStage, net: string): boolean {
  const agents = operator.agents?.(config) ?? [];
  return agents.some((agent) => netNames(graph.opened.experiment.agents[agent] ?? {}).includes(net));
}

function escape(text: string): string {
  return text.replaceAll('"', "#quot;");
}
