import { yamlValue } from "../../formats/yaml-document.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { mistakes } from "../agent-mistakes.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { agentSettings } from "../../graph/agents/agent-settings.ts";

/** The settings of an agent that a flag names: an object in braces, as YAML or JSON, or the path of a file (`agentSettings`). */
export function agentOfFlag(text: string): AgentSettings {
  let agent: unknown = text;
  if (text.trimStart().startsWith("{"))
    try {
      agent = yamlValue(text);
    } catch (error) {
      throw new UsageError(`--agent: ${(error as Error).message}`);
    }
  return mistakes(() => agentSettings(agent));
}
