import type { GameConfig } from "../../../games/registry.ts";
import type { AgentSettings } from "../../../protocols/session-agent.ts";
import type { PlayerOffer } from "../../views/play-views.ts";

/** A player on the page: what pages show of it, and what opens it. */
export interface PagePlayer {
  readonly offer: Omit<PlayerOffer, "seats" | "variant">;
  readonly game: GameConfig;
  /** The settings of its agent; nets are folders of checkpoints, or nets with their settings. */
  readonly agent: AgentSettings;
  readonly plugins: readonly string[];
}

/** The numbers of simulations that a player can be given. */
const LEVELS = [1, 16, 64, 256, 1024];

/** The numbers of simulations that a player can be given, its own among them; none if its search has no such number. */
export function levelsOf({ offer: { simulations } }: PagePlayer): readonly number[] {
  if (simulations === undefined) return [];
  return [...new Set([...LEVELS, simulations])].toSorted((a, b) => a - b);
}

/** The settings of a player's agent with a number of simulations: limits of time no longer count. */
export function settingsAt(player: PagePlayer, simulations: number | undefined): AgentSettings {
  if (simulations === undefined || player.offer.simulations === undefined) return player.agent;
  const { milliseconds: _, ...agent } = player.agent;
  return { ...agent, simulations };
}
