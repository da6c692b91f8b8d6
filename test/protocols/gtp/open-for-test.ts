import { openAgent } from "../../../src/graph/agents/open-agent.ts";
import type { Game } from "../../../src/games/game.ts";
import { openConfiguredGame } from "../../../src/games/registry.ts";
import type { GtpSessionOptions } from "../../../src/protocols/gtp/session.ts";
import type { AgentSettings } from "../../../src/protocols/session-agent.ts";

/** Opens games with an agent that needs no net. */
export function openForTest(agent: AgentSettings): GtpSessionOptions["open"] {
  return ({ rules, ...options }) => {
    const opened = openConfiguredGame(rules, options);
    const game = opened.game as Game<unknown>;
    return { game, config: opened.config, newAgent: () => openAgent(agent, game) };
  };
}
