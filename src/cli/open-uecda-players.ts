import type { UecdaPlayer } from "../protocols/uecda/player.ts";
import { uecdaPlayers } from "../protocols/uecda/agent.ts";
import { mistakes } from "./agent-mistakes.ts";
import { agentSettings } from "../graph/agents/agent-settings.ts";
import { agentSource } from "../graph/agents/open-agent.ts";
import { resolveNet } from "../graph/agents/open-net.ts";

/**
 * Returns the factory of players of the agent in a file, by number; see `uecdaPlayers`. Throws UsageError at once if
 * the agent cannot be opened or cannot play Daihinmin.
 */
export function openUecdaPlayers(
  file: string,
  seed: number,
  virtualRanks: boolean,
  differs: (what: string) => void,
): (player: number) => UecdaPlayer {
  const settings = mistakes(() => agentSettings(file));
  const source = agentSource(resolveNet);
  return uecdaPlayers({
    open: (game, config) => mistakes(() => source.open(settings, game, config)),
    seed,
    virtualRanks,
    differs,
  });
}
