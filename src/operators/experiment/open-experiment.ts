import { createGame, type GameConfig } from "../../games/registry.ts";
import type { Game } from "../../games/game.ts";
import { playedFor, type ValueKind } from "../../games/outcome.ts";
import { openNet, type OpenNet, type OpenNetwork } from "../../models/registry.ts";

/** A checked experiment, as plain data: what the file says with every default filled in. */
export interface Experiment {
  readonly name: string;
  readonly description?: string;
  readonly seed: number;
  readonly schedule: "synchronous" | "asynchronous";
  readonly workers?: number;
  readonly compute: ComputeConfig;
  readonly game: GameConfig;
  readonly nets: Readonly<Record<string, NetConfig>>;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly graph: Readonly<Record<string, StageConfig>>;
}

/** Where nets are computed. */
export interface ComputeConfig {
  readonly engine: "auto" | "onnx" | "tfjs";
  readonly device: "cpu" | "webgpu";
  /** Which tfjs computes, for `engine: tfjs` on the CPU. */
  readonly backend?: "cpu" | "node" | "node-gpu";
  /** Threads of one training operation. */
  readonly threads: number;
}

/** One of the experiment's nets. */
export interface NetConfig {
  readonly use: string;
  /** A checkpoint to start from. */
  readonly weights?: string;
  readonly [option: string]: unknown;
}

/** One of the experiment's agents. */
export interface AgentConfig {
  readonly use: string;
  readonly net?: string;
  readonly [option: string]: unknown;
}

/** One of the experiment's stages. */
export interface StageConfig {
  readonly use: string;
  readonly [option: string]: unknown;
}

/** An experiment with its game and nets opened; every thread opens its own. */
export interface OpenExperiment {
  readonly experiment: Experiment;
  readonly game: Game<unknown>;
  readonly nets: ReadonlyMap<string, OpenNet>;
}

/** What a net's weights belong to: its game and its settings, whatever they started from. */
export function ownerOf({ game, nets }: Experiment, name: string): { game: GameConfig; net: NetConfig } {
  const { weights: _weights, ...net } = nets[name]!;
  return { game, net };
}

/** The game as an agent's search plays it, and as what is learned from it counts: for what the agent's net values. */
export function gameOf(opened: OpenExperiment, agent: AgentConfig): Game<unknown> {
  return playedFor(opened.game, valueKindOf(opened, agent));
}

/** What an agent plays for: what its net values, or the game's returns where it has none. */
export function valueKindOf({ nets }: OpenExperiment, agent: AgentConfig): ValueKind {
  return (agent.net === undefined ? undefined : nets.get(agent.net))?.values ?? "returns";
}

/** A net of the setting that is computed, not looked up in tables. */
export function networkOf({ nets }: OpenExperiment, name: string): OpenNetwork {
  const open = nets.get(name);
  if (open?.kind !== "network") throw new Error(`"${name}" is no net that is computed`);
  return open;
}

/** Opens the game and the nets that the experiment names. */
export function openExperiment(experiment: Experiment): OpenExperiment {
  const { rules, ...options } = experiment.game;
  const game = createGame(rules, options) as Game<unknown>;
  const nets = new Map(
    Object.entries(experiment.nets).map(([name, { use, weights: _weights, ...own }]) => [
      name,
      openNet(use, game, own),
    ]),
  );
  return { experiment, game, nets };
}
