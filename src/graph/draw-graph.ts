import type { AnyOperator } from "../operators/operator.ts";
import { evaluatorSettingsOf } from "../operators/evaluation/evaluator-settings.ts";
import { services } from "../operators/registry.ts";
import { workerThreads } from "../operators/run/parallelism.ts";
import { playedNetworks } from "./compile.ts";
import type { CheckedGraph } from "./check-graph.ts";

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
  const players = graph.stages.filter(({ operator }) => plays(operator));
  if (players.length > 0) {
    box("workers", "worker threads", [`${workers} thread${workers === 1 ? " plays" : "s play"} games`]);
    for (const { name } of players) lines.push(`  ${name} <-. games .-> workers`);
  }
  for (const net of playedNetworks(graph)) {
    const name = graph.services.find(({ config }) => config["net"] === net)?.name ?? `evaluator_of_${net}`;
    const bounds = services[0]!.bounds(evaluatorSettingsOf(experiment, net), {
      name,
      opened: graph.opened,
      upstream: () => undefined,
    });
    box(name, `${name}: ${services[0]!.use}`, bounds);
    lines.push(`  workers <-. positions .-> ${name}`);
  }
  for (const { name, inputs, operator } of graph.stages)
    for (const [port, from] of Object.entries(inputs))
      lines.push(`  ${from} -- "${operator.inputs[port]!.kind}, 1 at a time" --> ${name}`);
  for (const { name, operator, config } of graph.stages)
    if (operator.learns !== undefined)
      for (const player of players)
        if (playsWith(graph, player.config, String(config[operator.learns])))
          lines.push(`  ${name} -. "weights of ${String(config[operator.learns])}" .-> ${player.name}`);
  return `${lines.join("\n")}\n`;
}

function plays(operator: AnyOperator): boolean {
  return "agent" in operator.settings || "agents" in operator.settings;
}

function playsWith(graph: CheckedGraph, config: Readonly<Record<string, unknown>>, net: string): boolean {
  const agents = [config["agent"], config["agents"]].flat() as (string | undefined)[];
  return agents.some((agent) => agent !== undefined && graph.opened.experiment.agents[agent]?.net === net);
}

function escape(text: string): string {
  return text.replaceAll('"', "#quot;");
}
