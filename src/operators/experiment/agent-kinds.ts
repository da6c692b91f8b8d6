import type { SearchDefinition } from "../../search/definition.ts";
import { searches, withoutNet } from "../../search/registry.ts";
import { gtp } from "../../protocols/gtp/player.ts";

/** Everything that can play in an experiment, in the order of the catalogue: our searches, and other programs. */
export const agentKinds: readonly SearchDefinition[] = [...searches, gtp] as readonly SearchDefinition[];

const kindsWithoutNet = withoutNet(agentKinds);

/** What an agent's name can mean: some play another way where the agent names no net. */
export function kindsOf(agent: { readonly net?: unknown }): readonly SearchDefinition[] {
  return agent.net === undefined ? kindsWithoutNet : agentKinds;
}
