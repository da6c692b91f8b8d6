import type { Evaluator } from "../../games/evaluation.ts";
import type { Game } from "../../games/game.ts";
import { playedFor, type ValueKind } from "../../games/outcome.ts";
import type { GameConfig } from "../../games/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { isOtherProgram } from "../../operators/experiment/agent-kinds.ts";
import { givenBy, searchOptionsOf, takesNet, wrongNet } from "../../operators/experiment/agent-net.ts";
import {
  type AgentSettings,
  type AgentSource,
  type NetView,
  SessionAgent,
} from "../../protocols/session-agent.ts";
import { type NetRole, netRoles } from "../../search/definition.ts";
import {
  boundsOfValues,
  findSearch,
  gameOfValues,
  openSearch,
  searches,
  withoutNet,
} from "../../search/registry.ts";
import { AgentInvalid } from "./agent-invalid.ts";
import { KeptSettings, weightsVersion } from "./kept-settings.ts";

/**
 * Opens a net of an agent. `net` is the value of the agent's `net`, `valueNet` or `playoutNet`: the folder of a checkpoint,
 * or an inline net.
 *
 * The evaluator responds in the calling thread, before `evaluate` returns. Throws an Error whose message says what is wrong.
 */
export type ResolveNet = (net: unknown, game: Game<any>, config: GameConfig) => ResolvedNet;

/** An open net and its uses. */
export interface ResolvedNet {
  /** Absent if the net only draws moves of playouts. */
  readonly evaluator?: Evaluator<any>;
  readonly hasPolicy: boolean;
  readonly hasValue: boolean;
  /** What its values predict; absent: the returns of the game. */
  readonly values?: ValueKind;
  /** The game with playout moves drawn by the net; absent if the net draws none. */
  readonly guided?: Game<any>;
  /** Ends what computes it; absent if nothing has to be ended. */
  readonly close?: () => Promise<void>;
}

/** Gives agents to sessions. Without `resolveNet`, agents that name a net are refused. */
export function agentSource(resolveNet?: ResolveNet): AgentSource {
  const kept = new KeptSettings();
  return {
    settings: (given) => kept.read(given),
    weightsVersion,
    open: (settings, game, config) =>
      openAgent(settings, game, resolveNet && ((net) => resolveNet(net, game, config))),
  };
}

/**
 * Opens an agent for a game. Without `resolveNet`, agents that name a net are refused. Throws AgentInvalid,
 * SearchNotOpened, and what `resolveNet` throws.
 */
export function openAgent(
  settings: AgentSettings,
  game: Game<unknown>,
  resolveNet?: (net: unknown, game: Game<unknown>) => ResolvedNet,
): SessionAgent {
  const { use } = settings;
  const names = searches.map(({ name }) => name);
  if (typeof use !== "string") throw new AgentInvalid(`agent: "use" must name a search: ${names.join(", ")}`);
  if (isOtherProgram({ use }))
    throw new AgentInvalid(
      `agent: an agent with use: ${use} is another program; it plays in the stages of experiments, as in ludoflow match, and not here`,
    );
  if (!names.includes(use))
    throw new AgentInvalid(
      `agent: unknown search "${use}"${didYouMean(use, names)} (known: ${names.join(", ")})`,
    );
  const kinds = settings["net"] === undefined ? withoutNet(searches) : searches;
  const { alone, needs, best } = findSearch(use, kinds);
  const roles = netRoles.filter((role) => settings[role] !== undefined);
  const options = searchOptionsOf(settings);
  for (const [name, value] of Object.entries(alone ?? {})) options[name] ??= value;
  const unwanted = roles.find((role) => !takesNet(needs, role));
  if (unwanted !== undefined) {
    openSearch(use, game, options, kinds);
    throw new AgentInvalid(
      unwanted === "net"
        ? `agent: ${use} evaluates nothing and takes no "net"`
        : `agent: ${use} takes no "${unwanted}"`,
    );
  }
  if (settings["net"] === undefined && (needs.value || needs.policy))
    throw new AgentInvalid(`agent: ${use} needs a "net"`);
  if (resolveNet === undefined && roles.length > 0)
    throw new AgentInvalid("agent: nets cannot be opened here");
  const nets: Partial<Record<NetRole, ResolvedNet>> = Object.fromEntries(
    roles.map((role) => {
      const resolved = resolveNet!(settings[role], game);
      const gives = { ...resolved, guides: resolved.guided !== undefined };
      const called = role === "net" ? "this net" : `this ${role}`;
      const wrong = wrongNet({ use, needs, role, epsilon: options["epsilon"] }, called, gives);
      if (wrong !== undefined) throw new AgentInvalid(`agent: ${wrong}`);
      return [role, resolved];
    }),
  );
  const guide = roles.find((role) => nets[role]!.guided !== undefined);
  const guided = guide === undefined ? game : nets[guide]!.guided!;
  const played = playedFor(guided, (nets.valueNet ?? nets.net)?.values ?? "returns");
  const given = givenBy(nets.net, nets.valueNet !== undefined);
  const search = openSearch(use, played, options, kinds, given);
  return new SessionAgent(search, {
    best,
    valued: gameOfValues(use, played, options),
    valueBounds: boundsOfValues(use, played, options, kinds),
    evaluator: evaluatorOf(nets),
    netView: netViewOf(nets, game),
    close: () => {
      for (const net of Object.values(nets)) void net.close?.();
    },
  });
}

/** What the net of an agent says of a position; its `valueNet`, if the net has no values. */
function netViewOf(
  { net, valueNet }: Partial<Record<NetRole, ResolvedNet>>,
  game: Game<unknown>,
): ((state: unknown) => NetView) | undefined {
  const { evaluator, hasPolicy, hasValue } = net ?? {};
  if (evaluator === undefined || hasPolicy !== true) return undefined;
  const legal = new Int32Array(game.maxLegal);
  return (state) => {
    const states = [state];
    const values = new Float64Array(game.players).fill(NaN);
    const priors = new Float32Array(game.maxLegal);
    evaluator.evaluate({ states, count: 1, values, priors });
    if (hasValue !== true) {
      values.fill(NaN);
      valueNet?.evaluator?.evaluate({ states, count: 1, values });
    }
    return { values: [...values], priors: priors.subarray(0, game.legal(state, legal)) };
  };
}

/** The evaluator of an agent's requests, each by the net that it is for; undefined if no net evaluates. */
function evaluatorOf({ net, valueNet }: Partial<Record<NetRole, ResolvedNet>>): Evaluator<any> | undefined {
  if (valueNet === undefined) return net?.evaluator;
  return {
    evaluate: (request) => (request.net === "valueNet" ? valueNet : net!).evaluator!.evaluate(request),
  };
}
