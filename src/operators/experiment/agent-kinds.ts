import type { SearchDefinition } from "../../search/definition.ts";
import { searches, withoutNet } from "../../search/registry.ts";
import { gtp } from "../../protocols/gtp/player.ts";

/** All kinds of agents, in the order of the catalogue: the searches of this project, and other programs. */
export const agentKinds: readonly SearchDefinition[] = [...searches, gtp] as readonly SearchDefinition[];

const kindsWithoutNet = withoutNet(agentKinds);

/** The kinds that an agent may name; some kinds have another definition for agents without a net. */
export function kindsOf(agent: { readonly net?: unknown }): readonly SearchDefinition[] {
  return agent.net === undefined ? kindsWithoutNet : agentKinds;
}
