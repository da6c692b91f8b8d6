import type { Game } from "../../../games/game.ts";
import { searches } from "../../../search/registry.ts";
import type { Experiment } from "../../../operators/experiment/open-experiment.ts";

/** Whether the values of an agent are further returns: what a seat expects at the end is what it has, and these. */
export function expectsReturns(experiment: Experiment, agent: string): boolean {
  const kind = valuesOf(experiment, agent);
  return kind !== "win-loss" && kind !== "win-share" && kind !== "payoff";
}

/** What the values of an agent say, in a few words: each player has its own unit. */
export function valueUnit(experiment: Experiment, game: Game<unknown>, agent: string): string {
  const kind = valuesOf(experiment, agent);
  if (kind === "win-loss") return "1 is a win, −1 a loss";
  if (kind === "win-share" || kind === "payoff") return "1 is a win, 0 a loss";
  if (game.players === 1) return "score at the end";
  const [low, high] = game.returnBounds;
  if (low === 0 && high === 1)
    return game.players === 2 ? "1 is a win, 0 a loss" : "1 is the first place, 0 the last";
  return "its score at the end";
}

/**
 * What the net that an agent takes values from gives; `payoff` if its search counts a won game as 1, whatever the score; undefined if it
 * has no net, or one of another kind.
 */
function valuesOf({ agents, nets }: Experiment, agent: string): unknown {
  const settings = agents[agent];
  const net = settings?.valueNet ?? settings?.net;
  if (net !== undefined) return nets[net]?.["values"];
  const payoff = settings?.["payoff"] ?? usualPayoff(settings?.use);
  return payoff === "win" || payoff === "share" ? "payoff" : undefined;
}

/** The payoff of a search unless its settings say otherwise. */
function usualPayoff(use: string | undefined): unknown {
  const option: { readonly default?: unknown } | undefined = searches.find(({ name }) => name === use)
    ?.options.properties["payoff"];
  return option?.default;
}
