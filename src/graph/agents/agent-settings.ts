import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { readBoundedText } from "../../formats/files/bounded-file.ts";
import { whyUnreadable } from "../../formats/files/unreadable.ts";
import { yamlValue } from "../../formats/yaml-document.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { AgentInvalid } from "./agent-invalid.ts";
import { netRoles } from "../../search/definition.ts";
import { LARGEST_FILE } from "../yaml-source.ts";
import { agentPath, experimentAgent, isExperiment } from "./experiment-agent.ts";

/**
 * Reads the settings of an agent: `{"use": search, "net": ..., option: ...}`; or the path of a YAML or JSON file that holds
 * such an object, or of an experiment, with `#NAME` behind it if that has several agents. Throws AgentInvalid, and
 * ExperimentInvalid with all mistakes of an experiment.
 */
export function agentSettings(agent: unknown): AgentSettings {
  return typeof agent === "string" ? readAgentSettings(agent).settings : asSettings(agent, "agent");
}

/** The settings of an agent in a file, and the text of every file that was read, by path. Throws as `agentSettings` does. */
export function readAgentSettings(agent: string): {
  readonly settings: AgentSettings;
  readonly texts: ReadonlyMap<string, string>;
} {
  const path = agentPath(agent);
  let text: string;
  try {
    text = readBoundedText(path.file, LARGEST_FILE);
  } catch (error) {
    throw new AgentInvalid(`agent: cannot read the file "${agent}": ${whyUnreadable(error)}`);
  }
  let content: unknown;
  try {
    content = yamlValue(text);
  } catch (error) {
    const { message } = error as Error;
    throw new AgentInvalid(`agent: ${agent}${message.startsWith("YAML: ") ? " is not " : ": "}${message}`);
  }
  if (!isExperiment(content))
    return {
      settings: weightsBeside(path.file, asSettings(content, agent)),
      texts: new Map([[path.file, text]]),
    };
  const { agent: settings, texts } = experimentAgent(path);
  return { settings, texts };
}

/** The settings of an agent from a file: a relative path of weights is one beside the file, if there is one there. */
export function weightsBeside(file: string, settings: AgentSettings): AgentSettings {
  const found = (path: unknown) => {
    if (typeof path !== "string" || isAbsolute(path)) return path;
    const beside = resolve(dirname(file), path);
    return existsSync(beside) ? beside : path;
  };
  const nets = netRoles.flatMap((role) => {
    const net: unknown = settings[role];
    if (typeof net === "string") return [[role, found(net)]];
    return typeof net === "object" && net !== null && "weights" in net
      ? [[role, { ...net, weights: found(net.weights) }]]
      : [];
  });
  return { ...settings, ...Object.fromEntries(nets) };
}

function asSettings(value: unknown, where: string): AgentSettings {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AgentInvalid(`${where}: an agent is an object such as {"use": "uct", "simulations": 1000}`);
  return value as AgentSettings;
}
