import type { Game } from "../../games/game.ts";
import type { GameConfig } from "../../games/registry.ts";
import { Random } from "../../random.ts";
import type { SessionAgent } from "../session-agent.ts";
import { UecdaObserver } from "./observer.ts";
import { UecdaPlayer } from "./player.ts";

/** How the players of an agent are made. */
export interface UecdaAgentOptions {
  /** Opens the agent for a game; `config` is the game that its net was trained on. */
  readonly open: (game: Game<unknown>, config: GameConfig) => SessionAgent;
  /** What the agent draws as player n comes from the stream (seed, "agent", n). */
  readonly seed: number;
  /** Whether the joker may rank above 2 and below 3. */
  readonly virtualRanks: boolean;
  /** Receives each contradiction between the tables of a server and our rules. */
  readonly differs: (what: string) => void;
}

/**
 * Returns a function that makes the players of an agent, by number. Opens the agent at once, so that mistakes in its
 * settings show before anyone plays.
 */
export function uecdaPlayers(options: UecdaAgentOptions): (player: number) => UecdaPlayer {
  const { differs, open, seed, virtualRanks } = options;
  const playerOf = (player: number) => {
    const observer = new UecdaObserver(player, virtualRanks);
    const game = observer.game as unknown as Game<unknown>;
    // Nets are trained on single games; a position of a series looks the same to them.
    const agent = open(game, { rules: game.name, games: 1, virtualRanks });
    const random = Random.named(seed, "agent", player);
    // Beyond what the player sees, the states are made up. So the agent does not observe the moves of a game.
    return new UecdaPlayer(
      observer,
      (state, decisions) => agent.decide(state, random, decisions).action,
      differs,
    );
  };
  playerOf(0);
  return playerOf;
}
