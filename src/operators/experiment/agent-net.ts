import type { Game } from "../../games/game.ts";
import { guidedPlayouts, impartialGuide } from "../../games/guided-playouts.ts";
import type { OpenNet } from "../../models/registry.ts";
import { type GivenNets, type NetRole, netRoles, type Needs } from "../../search/definition.ts";

/** The names of an agent's nets, by role. */
export type AgentNets = { readonly [role in NetRole]?: string };

/** A net of an agent. */
export interface AgentNet {
  readonly role: NetRole;
  /** Its name under `nets`. */
  readonly net: string;
}

/** The nets that an agent names. */
export function netsOf(agent: AgentNets): AgentNet[] {
  return netRoles.flatMap((role) => {
    const net = agent[role];
    return net === undefined ? [] : [{ role, net }];
  });
}

/** The names of an agent's nets. */
export function netNames(agent: AgentNets): string[] {
  return netsOf(agent).map(({ net }) => net);
}

/** The net whose values an agent plays by. */
export function valueNetOf({ net, valueNet }: AgentNets): string | undefined {
  return valueNet ?? net;
}

/** The options of an agent's search. */
export function searchOptionsOf(agent: AgentNets & { readonly use?: unknown }): Record<string, unknown> {
  const { use: _use, net: _net, valueNet: _valueNet, playoutNet: _playoutNet, ...options } = agent;
  return options;
}

/** Whether an agent whose search has these needs may name a net in a role. */
export function takesNet({ policy, playouts, several, value }: Needs, role: NetRole): boolean {
  return several !== undefined || (role === "net" && (value || policy || playouts === true));
}

/** The abilities of a net. */
export interface NetGives {
  readonly hasPolicy: boolean;
  /** False for a net without a value head; it gives a policy only. */
  readonly hasValue: boolean;
  /** It only draws moves of playouts. */
  readonly guides: boolean;
}

/** The abilities of an open net. */
export function abilitiesOf(net: OpenNet): NetGives {
  const { hasPolicy, hasValue } = net;
  return { hasPolicy, hasValue, guides: net.kind === "tables" && net.playouts !== undefined };
}

/** What an agent's nets give its search. A net that is not open counts as one that gives everything. */
export function givenNets({ net, valueNet }: AgentNets, nets: ReadonlyMap<string, OpenNet>): GivenNets {
  const open = net === undefined ? undefined : nets.get(net);
  return givenBy(
    net === undefined ? undefined : open === undefined ? givesAll : abilitiesOf(open),
    valueNet !== undefined,
  );
}

const givesAll = { hasPolicy: true, hasValue: true };

/** What a `net` with these abilities gives, and a `valueNet` if an agent has one. */
export function givenBy(
  net: Pick<NetGives, "hasPolicy" | "hasValue"> | undefined,
  hasValueNet: boolean,
): GivenNets {
  const values = hasValueNet ? "valueNet" : net?.hasValue === true ? "net" : undefined;
  return { priors: net?.hasPolicy === true, ...(values === undefined ? {} : { values }) };
}

/** The role of the net that draws the moves of an agent's playouts; undefined if none does. */
export function guideOf(agent: AgentNets, nets: ReadonlyMap<string, OpenNet>): AgentNet | undefined {
  return netsOf(agent).find(({ net }) => {
    const open = nets.get(net);
    return open !== undefined && abilitiesOf(open).guides;
  });
}

/** The game as an agent plays it, before weights are read: a net that guides playouts finds all moves equal. */
export function beforeGuiding<S>(
  game: Game<S>,
  agent: AgentNets,
  nets: ReadonlyMap<string, OpenNet>,
): Game<S> {
  return guideOf(agent, nets) === undefined ? game : guidedPlayouts(game, () => impartialGuide(game));
}

/** An agent and the role of one of its nets. */
export interface AgentWithNet {
  readonly use: string;
  readonly needs: Needs;
  readonly role: NetRole;
  /** The option `epsilon` of the agent, if it has one. */
  readonly epsilon?: unknown;
}

/** The reason why an agent cannot use its net, or undefined if it can; `called` is the name of the net in messages. */
export function wrongNet(agent: AgentWithNet, called: string, gives: NetGives): string | undefined {
  return agent.needs.several === undefined
    ? wrongAlone(agent, called, gives)
    : wrongAmongSeveral(agent, called, gives);
}

function wrongAlone(
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

function wrongAmongSeveral(
  { use, role, epsilon }: AgentWithNet,
  called: string,
  { hasValue, guides }: NetGives,
): string | undefined {
  if (role === "playoutNet") {
    if (!guides)
      return `${use} plays out by a net with a policy for playouts, such as linear-policy, and ${called} is not one`;
    return epsilon === 1
      ? `with epsilon: 1 playouts are uniformly random; leave epsilon out to have ${called} draw their moves`
      : undefined;
  }
  if (guides) return `${called} only draws moves of playouts: name it as playoutNet`;
  return role === "valueNet" && !hasValue
    ? `${called} has no value head, and valueNet values positions`
    : undefined;
}
