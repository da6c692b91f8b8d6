import type { AgentResult } from "../../../events/event.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import type { Game } from "../../../games/game.ts";
import { blockedMean, type Estimate } from "../../../stats/intervals.ts";
import { ShareTally } from "../../../stats/share-tally.ts";
import type { ArenaSchedule } from "./arena-schedule.ts";
import { dealReturns } from "./deal-returns.ts";

/**
 * The results of agents over finished games, in the order of the agents. An agent's return in a game is the mean over its
 * seats.
 */
export function agentResults<S>(
  game: Game<S>,
  agents: readonly string[],
  games: readonly StoredGame[],
  schedule: Pick<ArenaSchedule, "dependent" | "sharedDeal">,
): AgentResult[] {
  const { players, returnBounds } = game;
  const shares = players > 1 && returnBounds[0] === 0 && returnBounds[1] === 1;
  // A game that a player gave up has no deals to its end.
  const byDeal = games.some(({ resigned }) => resigned !== undefined)
    ? []
    : games.map(({ actions }) => dealReturns(game, actions));
  return agents.map((agent) => {
    const own = [...games.keys()].filter((i) => games[i]!.seats.includes(agent));
    const meanIn = (i: number, returns: ArrayLike<number>) => meanReturn(agent, games[i]!.seats, returns);
    const deals = own.map((i) => byDeal[i]?.map((returns) => meanIn(i, returns)));
    const shared = own.map((i) => schedule.sharedDeal(games[i]!.game));
    return {
      agent,
      games: own.length,
      ...meanAndReturns(
        own.map((i) => meanIn(i, games[i]!.returns)),
        own.map((i) => schedule.dependent(games[i]!.game)),
        shares,
      ),
      ...(deals.length > 0 && deals.every(isKnown) ? { dealReturns: deals } : {}),
      ...(shared.length > 0 && shared.every(isKnown) ? { sharedDeals: shared } : {}),
      facts: factsOf(own.map((i) => games[i]!)),
    };
  });
}

function meanReturn(agent: string, seats: readonly string[], returns: ArrayLike<number>): number {
  const own = Array.from(returns).filter((_, seat) => seats[seat] === agent);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

/** `blocks` has the block of each game; `shares`: returns are shares of a win. */
function meanAndReturns(
  returns: readonly number[],
  blocks: readonly number[],
  shares: boolean,
): Pick<AgentResult, "mean" | "interval" | "returns"> {
  if (returns.length === 0) return { mean: 0, interval: [0, 0], returns };
  const { value: mean, interval } = shares ? shareOf(returns, blocks) : blockedMean(returns, blocks);
  return { mean, interval, returns };
}

function shareOf(returns: readonly number[], blocks: readonly number[]): Estimate {
  const tally = new ShareTally();
  for (const [i, value] of returns.entries()) tally.add(blocks[i]!, value);
  return tally.estimate;
}

function factsOf(games: readonly StoredGame[]): AgentResult["facts"] {
  const facts: Record<string, number[]> = {};
  for (const game of games)
    for (const [fact, value] of Object.entries(game.facts)) (facts[fact] ??= []).push(value);
  return facts;
}

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined;
}
