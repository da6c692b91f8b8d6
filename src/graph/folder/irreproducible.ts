import { computesItself } from "../../compute/engine.ts";
import { isOtherProgram } from "../../operators/experiment/agent-kinds.ts";
import { netNames } from "../../operators/experiment/agent-net.ts";
import type { Experiment, StageConfig } from "../../operators/experiment/open-experiment.ts";
import { isOnTables } from "../../models/registry.ts";
import { operatorOf } from "../../operators/registry.ts";

/**
 * The reasons why a run of this experiment is not a function of its file and seed, as text for the manifest and the
 * report; empty if it is reproducible.
 *
 * There are seven: nets that are computed on a GPU or by PyTorch, an asynchronous schedule, several threads that learn the same tables (`threads`), agents that play by
 * the clock (`milliseconds`), agents that are other programs, rounds of one learner's versions in which a net plays
 * that another stage learns meanwhile, and games played generation by generation with tables that another stage changes
 * meanwhile.
 */
export function irreproducible({ agents, compute, graph, nets, schedule }: Experiment): string[] {
  const stages = Object.entries(graph);
  const playing = new Set(stages.flatMap(([, config]) => operatorOf(config)?.agents?.(config) ?? []));
  const named = Object.entries(agents).filter(([name]) => playing.has(name));
  const clocked = named.filter(([, agent]) => Number(agent["milliseconds"] ?? 0) > 0);
  const outside = named.filter(([, agent]) => isOtherProgram(agent));
  const mixed = stages.filter(([name]) => playsNetOfOther({ agents, graph }, name));
  const changing = stages.filter(([name]) => playsChangingTables({ agents, graph, nets }, name));
  const names = (some: readonly (readonly [string, unknown])[]) => some.map(([name]) => name).join(", ");
  const shared = stages.filter(([, config]) => (operatorOf(config)?.sharedBy?.(config) ?? 1) > 1);
  const computed = Object.values(nets).some(({ use }) => !isOnTables(use));
  return [
    ...(computed && !computesItself(compute) && compute.engine !== "tfjs"
      ? [
          `the bits of evaluations by ${compute.engine === "torch" ? "PyTorch" : compute.device} may depend on their batch`,
        ]
      : []),
    ...(schedule === "asynchronous" ? ["the schedule is asynchronous"] : []),
    ...(shared.length === 0 ? [] : [`several threads learn the same tables: ${names(shared)}`]),
    ...(clocked.length === 0 ? [] : [`these agents play by the clock: ${names(clocked)}`]),
    ...(mixed.length === 0
      ? []
      : [`these stages follow one learner and play with nets that others learn meanwhile: ${names(mixed)}`]),
    ...(changing.length === 0
      ? []
      : [`these stages play with tables that another stage changes meanwhile: ${names(changing)}`]),
    ...(outside.length === 0 ? [] : [`these agents are other programs: ${names(outside)}`]),
  ];
}

/**
 * What makes a run of this experiment a function of its file, its seed and a record of its folder, as text for the manifest and
 * the report. A replay reads the record.
 */
export function fixedByTime({ graph }: Experiment): string[] {
  const stages = Object.entries(graph).filter(
    ([, config]) => operatorOf(config)?.measuresTime?.(config) === true,
  );
  return stages.length === 0
    ? []
    : [
        `these stages have fixed simulations by measured processor time, and the run has their numbers: ${stages.map(([name]) => name).join(", ")}`,
      ];
}

/** Whether a stage plays while the learner that it follows learns, also with a net that another stage learns. */
function playsNetOfOther({ agents, graph }: Pick<Experiment, "agents" | "graph">, name: string): boolean {
  const config = graph[name]!;
  const operator = operatorOf(config);
  const followed = followedNet(graph, name);
  if (followed === undefined || operator?.playsMeanwhile?.(config) !== true) return false;
  const learned = new Set(Object.values(graph).map(learnedNet));
  const nets = (operator.agents?.(config) ?? []).flatMap((agent) => netNames(agents[agent] ?? {}));
  return nets.some((net) => net !== followed && learned.has(net));
}

/** Whether a stage plays generation by generation with a net on tables that another stage learns: it learns in place. */
function playsChangingTables(
  { agents, graph, nets }: Pick<Experiment, "agents" | "graph" | "nets">,
  name: string,
): boolean {
  const operator = operatorOf(graph[name]!);
  if (operator?.scheduled !== true) return false;
  const learned = new Set(Object.values(graph).map(learnedNet));
  const played = (operator.agents?.(graph[name]!) ?? []).flatMap((agent) => netNames(agents[agent] ?? {}));
  return played.some((net) => learned.has(net) && isOnTables(nets[net]!.use));
}

/** The net whose versions come to a stage, through others such as checkpoints; undefined if none do. */
export function followedNet(graph: Experiment["graph"], name: string): string | undefined {
  const config = graph[name];
  const inputs = Object.entries((config && operatorOf(config))?.inputs ?? {});
  const port = inputs.find(([, { kind }]) => kind === "weights")?.[0];
  const from = port === undefined ? undefined : (config![port] as string | undefined);
  if (from === undefined) return undefined;
  return graph[from] === undefined ? undefined : (learnedNet(graph[from]) ?? followedNet(graph, from));
}

/** The net that a stage learns. */
function learnedNet(config: StageConfig): string | undefined {
  const learns = operatorOf(config)?.learns;
  return learns === undefined ? undefined : String(config[learns]);
}
