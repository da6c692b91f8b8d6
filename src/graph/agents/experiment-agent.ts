import { existsSync } from "node:fs";
import type { GameConfig } from "../../games/registry.ts";
import { checkGraph } from "../check-graph.ts";
import { loadAllowedPlugins, pluginFilesOf } from "../code/named-plugins.ts";
import { checkSource } from "../experiment-file.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import type { AgentConfig, Experiment } from "../../operators/experiment/open-experiment.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { netRoles } from "../../search/definition.ts";
import { AgentInvalid } from "./agent-invalid.ts";
import { shippedOr } from "../shipped-files.ts";
import { readSource } from "../yaml-source.ts";

/** A file that an agent is read from: `FILE`, or `FILE#NAME` for one of the agents of an experiment. */
export interface AgentPath {
  readonly file: string;
  readonly name?: string;
}

/** Takes a path apart; what follows the last `#` is a name, unless a file is called so. A file may be the name of an experiment of this package. */
export function agentPath(path: string): AgentPath {
  const at = path.lastIndexOf("#");
  if (at < 0 || existsSync(path)) return { file: shippedOr(path) };
  return { file: shippedOr(path.slice(0, at)), name: path.slice(at + 1) };
}

/** Whether the content of a file is an experiment, and not an agent. */
export function isExperiment(content: unknown): boolean {
  return typeof content === "object" && content !== null && ("agents" in content || "extends" in content);
}

/**
 * The game of an experiment file, and one of its agents with its nets written out. Without a name it is the only agent.
 * Its plug-ins must be loaded, or allowed. Throws AgentInvalid, CodeNotAllowed, PluginInvalid, and ExperimentInvalid with all
 * mistakes of the file.
 */
export function experimentAgent({ file, name }: AgentPath): {
  readonly game: GameConfig;
  readonly agent: AgentSettings;
  /** The text of every file that was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
} {
  const source = readSource(file);
  loadAllowedPlugins(pluginFilesOf(source).files, file);
  const { experiment } = checkGraph(checkSource(source)).opened;
  const names = Object.keys(experiment.agents);
  const chosen = name ?? (names.length === 1 ? names[0]! : undefined);
  if (chosen === undefined)
    throw new AgentInvalid(`${file} has several agents: choose ${file}#NAME (known: ${names.join(", ")})`);
  const settings = experiment.agents[chosen];
  if (settings === undefined)
    throw new AgentInvalid(
      `${file} has no agent "${chosen}"${didYouMean(chosen, names)} (known: ${names.join(", ")})`,
    );
  return {
    game: experiment.game,
    agent: withNets(settings, experiment.nets),
    texts: source.texts,
  };
}

/** The settings of an agent of an experiment, with its nets written out in place of their names. */
export function withNets(settings: AgentConfig, nets: Experiment["nets"]): AgentSettings {
  const written = netRoles.flatMap((role) => {
    const net = settings[role];
    return net === undefined ? [] : [[role, nets[net]]];
  });
  return { ...settings, ...Object.fromEntries(written) };
}
