import type { Device, EngineName } from "../../compute/engine.ts";
import { createGame, type GameConfig } from "../../games/registry.ts";
import type { Game } from "../../games/game.ts";
import { playedFor, type ValueKind } from "../../games/outcome.ts";
import { type AgentNets, valueNetOf } from "./agent-net.ts";
import { openNet, type OpenNet, type OpenNetwork } from "../../models/registry.ts";

/** A checked experiment as plain data: the contents of its file with all defaults filled in. */
export interface Experiment {
  readonly name: string;
  readonly description?: string;
  /** The files of its plug-ins, as absolute paths. */
  readonly plugins?: readonly string[];
  readonly seed: number;
  readonly schedule: "synchronous" | "overlapped" | "asynchronous";
  readonly workers?: number;
  readonly compute: ComputeConfig;
  readonly game: GameConfig;
  readonly nets: Readonly<Record<string, NetConfig>>;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly graph: Readonly<Record<string, StageConfig>>;
}

/** Where nets are computed. */
export interface ComputeConfig {
  readonly engine: EngineName;
  readonly device: Device;
  /** The Python that has PyTorch, for `engine: torch`. */
  readonly python?: string;
  /** The backend of TensorFlow.js, for `engine: tfjs` on the CPU. */
  readonly backend?: "cpu" | "node" | "node-gpu";
  /** Number of threads of one training operation. */
  readonly threads: number;
  /** The share of the batches that is computed again on the CPU, 0 to 1; absent: see `checkedShare`. */
  readonly check?: number;
  /** EvaluationPrecision give equal bits on processors with AVX2 and with AVX-512. */
  readonly bits?: "portable";
}

/** One of the experiment's nets. */
export interface NetConfig {
  readonly use: string;
  /** The folder of the checkpoint from which the net starts. */
  readonly weights?: string;
  /** How the net is computed when it plays. Absent: in float32. */
  readonly evaluations?: EvaluationPrecision;
  readonly [option: string]: unknown;
}

/**
 * The numbers that a net is computed in when it plays. `auto` is one of the others once a run has begun, and float32 if there
 * is no run.
 */
export const evaluationPrecisions = ["float32", "int8", "auto"] as const;

/** One of these. */
export type EvaluationPrecision = (typeof evaluationPrecisions)[number];

/** One of the experiment's agents. */
export interface AgentConfig extends AgentNets {
  readonly use: string;
  readonly [option: string]: unknown;
}

/** One of the experiment's stages. */
export interface StageConfig {
  readonly use: string;
  readonly [option: string]: unknown;
}

/** An experiment with its game and nets opened. Every thread opens the experiment for itself. */
export interface OpenExperiment {
  readonly experiment: Experiment;
  readonly game: Game<unknown>;
  readonly nets: ReadonlyMap<string, OpenNet>;
  /** Games of each stage that other machines may have under way: see `PlayHost`. */
  readonly elsewhere?: number;
}

/**
 * The owner of a net's weights: its game and its settings, without the checkpoint from which it starts and the numbers that it is
 * computed in.
 */
export function ownerOf({ game, nets }: Experiment, name: string): { game: GameConfig; net: NetConfig } {
  const { weights: _weights, evaluations: _evaluations, ...net } = nets[name]!;
  return { game, net };
}

/** The options of a net's own, which its definition knows. */
export function netOptionsOf({
  use: _use,
  weights: _weights,
  evaluations: _evaluations,
  ...options
}: NetConfig): Record<string, unknown> {
  return options;
}

/** The game as an agent plays it: its returns are of the kind that the agent's values are of, in searches and in targets. */
export function gameOf(opened: OpenExperiment, agent: AgentConfig): Game<unknown> {
  return playedFor(opened.game, valueKindOf(opened, agent));
}

/**
 * The kind of value that an agent plays for: the kind that its `valueNet` predicts, or else its `net`; returns for an agent
 * without these nets.
 */
export function valueKindOf({ nets }: OpenExperiment, agent: AgentConfig): ValueKind {
  const net = valueNetOf(agent);
  return (net === undefined ? undefined : nets.get(net))?.values ?? "returns";
}

/** A net of the experiment that is computed. Throws for nets on tables. */
export function networkOf({ nets }: OpenExperiment, name: string): OpenNetwork {
  const open = nets.get(name);
  if (open?.kind !== "network") throw new Error(`"${name}" is not a net that is computed`);
  return open;
}

/** What messages call a net of the experiment: `the net "torch" (model.onnx)`, `the net "zero" with version 3 of its weights`. */
export function calledNet({ nets }: Pick<OpenExperiment, "nets">, name: string, version?: number): string {
  const open = nets.get(name);
  const file = open?.kind === "network" ? open.net.model?.file : undefined;
  // The weights of a file have one version.
  if (file !== undefined) return `the net "${name}" (${file})`;
  return `the net "${name}"${version === undefined ? "" : ` with version ${version} of its weights`}`;
}

/** Opens the game and the nets of an experiment. */
export function openExperiment(experiment: Experiment): OpenExperiment {
  const { rules, ...options } = experiment.game;
  const game = createGame(rules, options) as Game<unknown>;
  const nets = new Map(
    Object.entries(experiment.nets).map(([name, config]) => [
      name,
      openNet(config.use, game, netOptionsOf(config), `the net "${name}"`),
    ]),
  );
  return { experiment, game, nets };
}
