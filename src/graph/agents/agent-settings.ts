import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { whyUnreadable } from "../../formats/files/unreadable.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { AgentInvalid } from "./agent-invalid.ts";
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
    text = readFileSync(path.file, "utf8");
  } catch (error) {
    throw new AgentInvalid(`agent: cannot read the file "${agent}": ${whyUnreadable(error)}`);
  }
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw new AgentInvalid(
      `agent: ${agent} is not YAML: ${(error as Error).message.split("\n")[0]!.replace(/:$/, "")}`,
    );
  }
  return isExperiment(content) ? experimentAgent(path).agent : asSettings(content, agent);
}

function asSettings(value: unknown, where: string): AgentSettings {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AgentInvalid(`${where}: an agent is an object such as {"use": "uct", "simulations": 1000}`);
  return value as AgentSettings;
}
