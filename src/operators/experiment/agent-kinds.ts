import { type TProperties, Type } from "../../schema.ts";
import type { SearchDefinition } from "../../search/definition.ts";
import { searches, withoutNet } from "../../search/registry.ts";
import { gtp } from "../../protocols/gtp/player.ts";

/** All kinds of agents, in the order of the catalogue: the searches of this thread, and other programs. */
export function agentKinds(): readonly SearchDefinition[] {
  return [...searches, gtp];
}

/** Whether an agent is another program. */
export function isOtherProgram({ use }: { readonly use: string }): boolean {
  return agentKinds().find(({ name }) => name === use)?.reproducible === false;
}

/** The kinds that an agent may name; some kinds have another definition for agents without a net. */
export function kindsOf(agent: { readonly net?: unknown }): readonly SearchDefinition[] {
  return agent.net === undefined ? withoutNet(agentKinds()) : agentKinds();
}

/** The settings of an agent of this kind that name its nets. */
export function netSettings({ needs, withoutNet: alone }: SearchDefinition): TProperties {
  const { value, policy, playouts, several } = needs;
  const named = (what: string) => Type.String({ description: `The net ${what} (a name under nets).` });
  if (several !== undefined)
    return Object.fromEntries(
      Object.entries(several).map(([role, what]) => [role, Type.Optional(named(what))]),
    );
  if (!value && !policy && !playouts) return {};
  const net = named(
    playouts
      ? "whose policy draws the moves of playouts"
      : !value
        ? "whose policy it plays by"
        : `that evaluates positions${policy ? " and gives priors" : ""}`,
  );
  return { net: playouts || alone !== undefined ? Type.Optional(net) : net };
}
