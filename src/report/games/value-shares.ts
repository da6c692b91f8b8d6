import type { Game } from "../../games/game.ts";
import { tellsWinnerOnly } from "../../games/outcome.ts";
import { searchOptionsOf, valueNetOf } from "../../operators/experiment/agent-net.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { participantNamed } from "../../operators/experiment/participant.ts";
import { boundsOfValues, SearchNotOpened } from "../../search/registry.ts";

/** Whether values between these bounds are shares of a win in a game: those of places are not, nor wins as 1 and losses as -1. */
export function areShares(game: Game<unknown>, bounds: readonly [number, number] | undefined): boolean {
  if (bounds?.[0] !== 0 || bounds[1] !== 1 || game.players === 1) return false;
  const [low, high] = game.returnBounds;
  return tellsWinnerOnly(game) || low !== 0 || high !== 1;
}

/** Whether the values of an agent's decisions are shares of a win; those of an agent that is not known are the game's returns. */
export function valuesAreShares({ agents, nets }: Experiment, game: Game<unknown>, name: string): boolean {
  const agent = agents[participantNamed(name).agent];
  if (agent === undefined) return tellsWinnerOnly(game);
  const net = valueNetOf(agent);
  const kind = net === undefined ? undefined : nets[net]?.["values"];
  if (kind === "win-share" || kind === "win-loss") return kind === "win-share";
  try {
    return areShares(game, boundsOfValues(agent.use, game, searchOptionsOf(agent)));
  } catch (error) {
    if (error instanceof SearchNotOpened) return tellsWinnerOnly(game);
    throw error;
  }
}
