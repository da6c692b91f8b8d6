import { basename, dirname, join } from "node:path";
import type { GameConfig } from "../../games/registry.ts";
import type { AgentConfig } from "../../operators/experiment/open-experiment.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { netRoles } from "../../search/definition.ts";
import { checkGraph } from "../check-graph.ts";
import { loadAllowedPlugins, pluginFilesOf } from "../code/named-plugins.ts";
import { checkSource } from "../experiment-file.ts";
import { readSource } from "../yaml-source.ts";
import { withNets } from "./experiment-agent.ts";

/** An agent of a run with the newest weights that the run has saved. */
export interface NewestPlayer {
  readonly name: string;
  readonly game: GameConfig;
  /** Its nets are checkpoints, or written out if the run does not learn them. */
  readonly agent: AgentSettings;
  /** The checkpoints that it plays with. */
  readonly checkpoints: readonly string[];
}

/**
 * The agent that plays for a run: the first one in matches that has a net with a checkpoint, else the first such agent of the
 * experiment; undefined if there is none. `newest` has the newest checkpoint of each net. The plug-ins of the run must be loaded,
 * or allowed. Throws CodeNotAllowed, PluginInvalid, ExperimentInvalid.
 */
export function newestPlayer(run: string, newest: readonly string[]): NewestPlayer | undefined {
  const file = join(run, "experiment.yaml");
  const source = readSource(file);
  loadAllowedPlugins(pluginFilesOf(source).files, file);
  const { opened, stages } = checkGraph(checkSource(source));
  const { agents, game, nets } = opened.experiment;
  const checkpoints = new Map(newest.map((path) => [basename(dirname(path)), path]));
  const learned = (agent: AgentConfig | undefined) =>
    netRoles.flatMap((role) => {
      const checkpoint = checkpoints.get(String(agent?.[role]));
      return checkpoint === undefined ? [] : [{ role, checkpoint }];
    });
  const inMatches = stages.flatMap(({ config, operator }) =>
    operator.resultEvent !== undefined && Array.isArray(config["agents"])
      ? (config["agents"] as readonly unknown[]).map(String)
      : [],
  );
  const name = [...inMatches, ...Object.keys(agents)].find((each) => learned(agents[each]).length > 0);
  if (name === undefined) return undefined;
  const played = learned(agents[name]);
  return {
    name,
    game,
    agent: {
      ...withNets(agents[name]!, nets),
      ...Object.fromEntries(played.map(({ role, checkpoint }) => [role, checkpoint])),
    },
    checkpoints: played.map(({ checkpoint }) => checkpoint),
  };
}
