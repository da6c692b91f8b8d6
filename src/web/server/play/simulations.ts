import type { AgentSettings } from "../../../protocols/session-agent.ts";
import { searches } from "../../../search/registry.ts";

/** The simulations a move of an agent, from its settings or by default, if its search has such a number. */
export function simulationsOf(agent: AgentSettings): { readonly simulations?: number } {
  const option: object | undefined = searches.find(({ name }) => name === agent["use"])?.options.properties[
    "simulations"
  ];
  if (option === undefined) return {};
  const given = agent["simulations"] ?? ("default" in option ? option.default : undefined);
  return { simulations: typeof given === "number" ? given : 64 };
}
