import { guidedPlayouts } from "../../games/guided-playouts.ts";
import { type GameConfig, weightsFit } from "../../games/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { hasOwnGraph, nets } from "../../models/registry.ts";
import {
  type BlockingEvaluator,
  openBlockingEvaluator,
} from "../../operators/play/evaluation/blocking-evaluator.ts";
import {
  evaluationPrecisions,
  type Experiment,
  type NetConfig,
  openExperiment,
} from "../../operators/experiment/open-experiment.ts";
import { readCheckpoint } from "../../operators/run/weights/checkpoint-files.ts";
import { weightsOf } from "../../operators/run/weights/named-tensors.ts";
import { freshWeights, publishable, readWeightsFor } from "../../operators/run/weights/net-weights.ts";
import { RunFailed } from "../../operators/run/run-error.ts";
import { completeOptions } from "../../options.ts";
import { AgentInvalid } from "./agent-invalid.ts";
import type { ResolveNet } from "./open-agent.ts";

/**
 * Opens a net by the folder of a checkpoint, or one that is given inline as in an experiment file: `{"use": ...,
 * "weights": FOLDER}`.
 */
export const resolveNet: ResolveNet = (net, played, game) => {
  const { config, tensors } = typeof net === "string" ? fromCheckpoint(net, game) : inline(net, game);
  const experiment = soloExperiment(game, config);
  const opened = openExperiment(experiment);
  const weights = tensors ?? freshWeights(opened, "net");
  const open = opened.nets.get("net")!;
  const published = publishable(opened, "net", weights);
  const { hasPolicy, hasValue, values } = open;
  if (open.kind !== "tables" || published.kind !== "tables") {
    const file = open.kind === "network" ? open.net.model?.file : undefined;
    const called = `the net ${typeof net === "string" ? net : (file ?? open.use)}`;
    const evaluator = evaluatorOf(experiment, weightsOf(weights), called);
    return {
      evaluator,
      close: () => evaluator.close(),
      hasPolicy,
      hasValue,
      values,
    };
  }
  const evaluator = open.evaluator?.(published.tables);
  const guide = open.playouts?.(published.tables);
  return {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(guide === undefined ? {} : { guided: guidedPlayouts(played, () => guide) }),
    hasPolicy,
    hasValue,
    values,
  };
};

function evaluatorOf(
  experiment: Experiment,
  weights: ReadonlyMap<string, Float32Array>,
  called: string,
): BlockingEvaluator {
  try {
    return openBlockingEvaluator(experiment, "net", weights, called);
  } catch (error) {
    if (error instanceof RunFailed) throw new AgentInvalid(`agent: ${error.reason}`);
    throw error;
  }
}

function fromCheckpoint(path: string, game: GameConfig) {
  const { net, game: learnedOn, tensors } = readCheckpoint(path);
  if (!weightsFit(learnedOn, game))
    throw new AgentInvalid(
      `checkpoint ${path} was learned on ${JSON.stringify(learnedOn)}, and this is ${JSON.stringify(game)}`,
    );
  const config = net as NetConfig;
  const definition = nets.find(({ name }) => name === config.use);
  if (definition === undefined)
    throw new AgentInvalid(
      `checkpoint ${path} has the net "${config.use}", which ludoflow does not have; name the plug-in that defines it with --plugin, in programs with loadPlugins`,
    );
  const { use, weights: _, ...options } = config;
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed)
    throw new AgentInvalid(
      `checkpoint ${path} has the net "${use}" with settings that it does not have: ${completed.wrong}`,
    );
  return { config, tensors };
}

function inline(net: unknown, game: GameConfig) {
  if (typeof net !== "object" || net === null || !("use" in net))
    throw new AgentInvalid('agent: "net" is a checkpoint folder, or {"use": ..., "weights": FOLDER}');
  const { use, weights, evaluations, ...options } = net as NetConfig;
  const definition = nets.find(({ name }) => name === use);
  if (definition === undefined) {
    const known = nets.map(({ name }) => name);
    throw new AgentInvalid(
      `agent: unknown net "${use}"${didYouMean(use, known)} (known: ${known.join(", ")})`,
    );
  }
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new AgentInvalid(`agent: net ${use}: ${completed.wrong}`);
  if (evaluations !== undefined && !hasOwnGraph(definition))
    throw new AgentInvalid(`agent: net ${use}: it has no setting "evaluations"`);
  if (evaluations !== undefined && !evaluationPrecisions.includes(evaluations))
    throw new AgentInvalid(
      `agent: net ${use}: "evaluations" is one of ${evaluationPrecisions.join(", ")}, not ${JSON.stringify(evaluations)}`,
    );
  const own: NetConfig = { use, ...completed.options };
  const config = evaluations === undefined ? own : { ...own, evaluations };
  if (weights === undefined) return { config, tensors: undefined };
  return { config, tensors: readWeightsFor({ game, net: own }, weights).tensors };
}

/** An experiment with this net alone, because nets are opened from experiments. */
function soloExperiment(game: GameConfig, net: NetConfig): Experiment {
  return {
    name: "referee",
    seed: 0,
    schedule: "synchronous",
    compute: { engine: "auto", device: "cpu", threads: 2 },
    game,
    nets: { net },
    agents: {},
    graph: {},
  };
}
