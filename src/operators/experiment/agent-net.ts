import type { Game } from "../../games/game.ts";
import { guidedPlayouts, impartialGuide } from "../../games/guided-playouts.ts";
import type { OpenNet } from "../../models/registry.ts";
import type { Needs } from "../../search/definition.ts";

/** An agent and the net that it names. */
export interface AgentWithNet {
  readonly use: string;
  readonly needs: Needs;
  /** The option `epsilon` of the agent, where it has one. */
  readonly epsilon?: unknown;
}

/** The abilities of a net. */
export interface NetGives {
  readonly hasPolicy: boolean;
  /** False for a net without a value head; it gives a policy only. */
  readonly hasValue: boolean;
  /** It only draws moves of playouts. */
  readonly guides: boolean;
}

/** Whether a net only draws moves of playouts. */
export function guidesPlayouts(net: OpenNet): boolean {
  return net.kind === "tables" && net.playouts !== undefined;
}

/** The game as the agent of a net plays it, before weights are read: one that guides playouts finds all moves equal. */
export function beforeGuiding<S>(game: Game<S>, net: OpenNet | undefined): Game<S> {
  return net !== undefined && guidesPlayouts(net) ? guidedPlayouts(game, () => impartialGuide(game)) : game;
}

/** The reason why an agent cannot use its net, or undefined if it can; `called` is the name of the net in messages. */
export function wrongNet(
  { use, needs, epsilon }: AgentWithNet,
  called: string,
  { hasPolicy, hasValue, guides }: NetGives,
): string | undefined {
  if (guides) {
    if (!needs.playouts) return `${use} does not play out by a policy, and ${called} gives nothing else`;
    return use !== "preferred" && (epsilon ?? 1) === 1
      ? `with epsilon: 1 playouts are uniformly random; give epsilon: 0 to have ${called} draw their moves`
      : undefined;
  }
  if (needs.playouts)
    return `${use} takes a net with a policy for playouts, such as linear-policy, and ${called} has none`;
  if (needs.value && !hasValue)
    return `${use} needs a net with values, and ${called} has no value head; give it one, or use a search that needs none`;
  if (needs.policy && !hasPolicy)
    return `${use} needs a net with a policy, and ${called} gives values only; use a net with a policy head, or a search that needs none`;
  return undefined;
}
