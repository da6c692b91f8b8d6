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
 * such an object, or of an experiment, with `#NAME` behind it where that has several agents. Throws AgentInvalid, and
 * ExperimentInvalid with all mistakes of an experiment.
 */
export function agentSettings(agent: unknown): AgentSettings {
  if (typeof agent !== "string") return asSettings(agent, "agent");
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
  return isExperiment(content)
    ? experimentAgent(path).agent
    : weightsBeside(path.file, asSettings(content, agent));
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
