import { UecdaObserver } from "../protocols/uecda/observer.ts";
import type { Game } from "../games/game.ts";
import { Random } from "../random.ts";
import { UecdaPlayer } from "../protocols/uecda/player.ts";
import { mistakes } from "./agent-mistakes.ts";
import { agentConfig, RefereeAgent } from "./referee-agent.ts";
import { resolveNet } from "./commands/referee.ts";

/**
 * Makes the players of an agent, by number: what an agent draws as player n comes from the stream (seed, "agent", n). What is
 * wrong with its file, or with using it for this game, is told at once, as a UsageError. `differs` is told where a server's
 * word and our rules disagree.
 */
export function uecdaPlayers(
  file: string,
  seed: number,
  virtualRanks: boolean,
  differs: (what: string) => void,
): (player: number) => UecdaPlayer {
  const config = mistakes(() => agentConfig(file));
  const open = (player: number) => {
    const observer = new UecdaObserver(player, virtualRanks);
    const game = observer.game as unknown as Game<unknown>;
    // A net is learned on single games: what it sees of a position is the same in a series.
    const learnedOn = { rules: game.name, games: 1, virtualRanks };
    const agent = mistakes(() => RefereeAgent.open(config, game, (net) => resolveNet(net, game, learnedOn)));
    const random = Random.named(seed, "agent", player);
    // The positions are made up but for what the player sees, so that no agent is told of them as of a game.
    return new UecdaPlayer(
      observer,
      (state, decisions) => agent.decide(state, random, decisions).action,
      differs,
    );
  };
  open(0);
  return open;
}
