import type { Evaluator } from "../../../games/evaluation.ts";
import type { Game } from "../../../games/game.ts";
import { completeOptions } from "../../../options.ts";
import { Random } from "../../../random.ts";
import type { Search } from "../../../search/search.ts";
import { createSearch, findSearch } from "../../../search/registry.ts";
import { kindsOf } from "../../experiment/agent-kinds.ts";
import { beforeGuiding, givenNets, searchOptionsOf } from "../../experiment/agent-net.ts";
import { type AgentConfig, gameOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { entropyOf } from "../../play/game-figures.ts";
import { sumOf } from "../../../stats/sum-of.ts";
import { processorSecondsFrom } from "../../../workers/processor-time.ts";
import type { TrialPosition } from "./trial-positions.ts";

/** No decision has more simulations in a trial. */
const MOST_SIMULATIONS = 800;

/** A search whose simulations must be whole is not tried if it has more, or no number of them: nothing could stop it. */
export const MOST_WHOLE = 2000;

/** Minimum number of decisions of a third of the game that is judged. */
const FEWEST = 2;

/** What a decision of a search shows: entropies in nats, distances between 0 and 1. */
export interface TriedDecision {
  readonly third: number;
  readonly legal: number;
  /** ln of the number of moves tried. */
  readonly visited: number;
  /** Share of the legal moves tried, and share of the visits that the most visited move has. */
  readonly tried: number;
  readonly top: number;
  /** Entropy of the policy target. */
  readonly entropy: number;
  /**
   * Total variation distance of the policy target and equal priors: over all legal moves, or over the tried ones if that is
   * less. A target over a sample of the moves is far from the priors only because it leaves the others out.
   */
  readonly distance: number;
}

/** The decisions of a trial, and how they were made. */
export interface SearchTrial {
  /** Empty for a search that counts no visits. */
  readonly decisions: readonly TriedDecision[];
  /** Simulations of a decision; undefined for a search that has no such option. */
  readonly simulations: number | undefined;
  /** Whether these are fewer than those of the agent. */
  readonly fewer: boolean;
  readonly game: Game<unknown>;
}

/** An agent's search as a trial opens it; undefined for one that cannot be tried. */
export interface TrialSearch {
  readonly search: Search<unknown>;
  readonly game: Game<unknown>;
  readonly simulations: number | undefined;
  /** Whether these are fewer than those of the agent. */
  readonly fewer: boolean;
}

/** Opens the search of an agent with at most so many simulations, all of its decisions with full searches. */
function openTrialSearch(opened: OpenExperiment, agent: AgentConfig, most: number): TrialSearch | undefined {
  const kinds = kindsOf(agent);
  const completed = completeOptions(findSearch(agent.use, kinds).options, searchOptionsOf(agent));
  if ("wrong" in completed) return undefined;
  const { simulations, playoutCap } = completed.options as Record<string, unknown>;
  const own = typeof simulations === "number" ? simulations : undefined;
  const options = {
    ...completed.options,
    ...(own === undefined ? {} : { simulations: Math.min(own, most) }),
    ...(playoutCap === undefined ? {} : { playoutCap: null }),
  };
  const game = beforeGuiding(gameOf(opened, agent), agent, opened.nets);
  return {
    search: createSearch(agent.use, game, options, kinds, givenNets(agent, opened.nets)),
    game,
    simulations: own === undefined ? undefined : Math.min(own, most),
    fewer: own !== undefined && own > most,
  };
}

/**
 * Lets an agent's search decide at positions while the processor time lasts. If hardly a decision is made in half of it, the next
 * attempt has a quarter of the simulations, unless they must be `whole`. Undefined if too little could be decided.
 */
export function searchTrial(
  opened: OpenExperiment,
  agent: AgentConfig,
  {
    positions,
    evaluator,
    seconds,
    whole,
  }: {
    readonly positions: readonly TrialPosition[];
    readonly evaluator: Evaluator<unknown>;
    readonly seconds: number;
    readonly whole: boolean;
  },
): SearchTrial | undefined {
  const passed = processorSecondsFrom();
  for (let most = whole ? Infinity : MOST_SIMULATIONS; most >= 8; most = Math.floor(most / 4)) {
    const trial = openTrialSearch(opened, agent, most);
    if (trial === undefined) return undefined;
    const { fewer, game, search, simulations } = trial;
    if (whole && (simulations === undefined || simulations > MOST_WHOLE)) return undefined;
    const until = whole ? seconds : passed() + (seconds - passed()) / 2;
    const decisions: TriedDecision[] = [];
    let made = 0;
    for (const { state, decisions: before, third } of positions) {
      if (passed() > until) break;
      const searching = search.search(state, Random.named("foresight", before, third), before);
      let step = searching.next();
      while (step.done !== true && passed() <= until) {
        evaluator.evaluate(step.value);
        step = searching.next();
      }
      if (step.done !== true) break;
      made++;
      decisions.push(...shown(step.value, third));
    }
    search.stop?.();
    if (made >= FEWEST) return { decisions, game, simulations, fewer };
    if (whole || simulations === undefined) return undefined;
    most = Math.min(most, simulations);
  }
  return undefined;
}

/** What a decision shows; nothing if the search does not count visits. */
function shown(
  { visits, policy = visits }: { readonly visits: Float64Array; readonly policy?: Float64Array },
  third: number,
): TriedDecision[] {
  const legal = visits.length;
  const all = sumOf(visits);
  const weight = sumOf(policy);
  if (legal < 2 || all === 0 || weight === 0) return [];
  const triedMoves = visits.reduce((count, each) => count + (each > 0 ? 1 : 0), 0);
  const onTried = policy.reduce((sum, each, i) => sum + (visits[i]! > 0 ? each : 0), 0);
  const shares = policy.map((each) => each / weight);
  let [overAll, overTried] = [0, 0];
  for (const [i, each] of policy.entries()) {
    overAll += Math.abs(shares[i]! - 1 / legal) / 2;
    if (visits[i]! > 0 && onTried > 0) overTried += Math.abs(each / onTried - 1 / triedMoves) / 2;
  }
  return [
    {
      third,
      legal,
      visited: Math.log(triedMoves),
      tried: triedMoves / legal,
      top: visits.reduce((most, each) => Math.max(most, each), 0) / all,
      entropy: entropyOf(shares),
      // If one move alone was tried, as a proof does, there was nothing to compare.
      distance: triedMoves === 1 ? overAll : Math.min(overAll, overTried),
    },
  ];
}

/** Means over the decisions of each third of the game in which there are enough of them. */
export function thirdsOf(
  decisions: readonly TriedDecision[],
): (Omit<TriedDecision, "third"> & { readonly third: string })[] {
  return ["first", "middle", "last"].flatMap((name, third) => {
    const own = decisions.filter((each) => each.third === third);
    if (own.length < FEWEST) return [];
    const mean = (of: (each: TriedDecision) => number) => sumOf(own.map(of)) / own.length;
    return [
      {
        third: name,
        legal: mean(({ legal }) => legal),
        visited: mean(({ visited }) => visited),
        tried: mean(({ tried }) => tried),
        top: mean(({ top }) => top),
        entropy: mean(({ entropy }) => entropy),
        distance: mean(({ distance }) => distance),
      },
    ];
  });
}
