import type { OpenExperiment, StageConfig } from "../operators/experiment/open-experiment.ts";
import type { AnyOperator, Offers, StageView } from "../operators/operator.ts";
import { operatorOf } from "../operators/registry.ts";

/** Further knowledge about the run of a stage. */
interface Around {
  /** The folder of the run, if an earlier part of the run has left it. */
  readonly folder?: string;
  /** Whether the form of a stage's settings is right, so that its operator may read them; absent: all are. */
  readonly sound?: (stage: string) => boolean;
}

/** The stage of a graph with this name, as its operator sees it before anything runs. */
export function stageView(opened: OpenExperiment, name: string, around: Around = {}): StageView {
  const { graph } = opened.experiment;
  const operator = operatorOf(graph[name]!);
  const inputs = operator === undefined ? {} : connectedPorts(operator, graph[name]!, graph);
  const { folder, sound } = around;
  return {
    name,
    opened,
    ...(folder === undefined ? {} : { folder }),
    inputs,
    offered: <K extends keyof Offers>(port: string, kind: K) => {
      const from = inputs[port];
      if (from === undefined || sound?.(from) === false) return undefined;
      const source = operatorOf(graph[from]!)!;
      if (source.output !== kind) return undefined;
      return source.offers?.(graph[from], stageView(opened, from, around)) as Offers[K] | undefined;
    },
  };
}

/** The stage behind each port that leads to a stage of the port's kind. */
export function connectedPorts(
  operator: AnyOperator,
  config: StageConfig,
  graph: Readonly<Record<string, StageConfig>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(operator.inputs).flatMap(([port, { kind }]) => {
      const from = config[port];
      if (typeof from !== "string" || !Object.hasOwn(graph, from)) return [];
      return operatorOf(graph[from]!)?.output === kind ? [[port, from]] : [];
    }),
  );
}
