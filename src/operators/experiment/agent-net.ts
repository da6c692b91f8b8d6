import type { OpenNet } from "../../models/registry.ts";
import type { Needs } from "../../search/definition.ts";

/** An agent and the net that it names. */
export interface AgentWithNet {
  readonly use: string;
  readonly needs: Needs;
  /** The agent's option, where it gives it. */
  readonly epsilon?: unknown;
}

/** What a net gives besides values. */
export interface NetGives {
  readonly hasPolicy: boolean;
  /** It draws moves of playouts, and gives nothing else. */
  readonly guides: boolean;
}

/** Whether a net draws moves of playouts, and gives nothing else. */
export function guidesPlayouts(net: OpenNet): boolean {
  return net.kind === "tables" && net.playouts !== undefined;
}

/** Why an agent cannot use its net, or undefined where it can; `called` is the net in words. */
export function wrongNet(
  { use, needs, epsilon }: AgentWithNet,
  called: string,
  { hasPolicy, guides }: NetGives,
): string | undefined {
  if (guides) {
    if (!needs.playouts) return `${use} does not play out by a policy, and ${called} gives nothing else`;
    return use !== "preferred" && (epsilon ?? 1) === 1
      ? `with epsilon: 1 playouts are uniformly random; give epsilon: 0 to have ${called} draw their moves`
      : undefined;
  }
  if (needs.playouts)
    return `${use} takes a net with a policy for playouts, such as linear-policy, and ${called} has none`;
  if (needs.policy && !hasPolicy)
    return `${use} needs a net with a policy, and ${called} gives values only; use a net with a policy head, or a search that needs none`;
  return undefined;
}
