import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import type { EvaluationRequest } from "../../../games/evaluation.ts";
import { Random } from "../../../random.ts";
import { drive } from "../../../search/drive.ts";
import { PlayerFailed } from "../../../search/player-failed.ts";
import type { Search } from "../../../search/search.ts";
import { openSearch } from "../../../search/registry.ts";
import { kindsOf } from "../../experiment/agent-kinds.ts";
import { beforeGuiding, givenNets, netNames, searchOptionsOf } from "../../experiment/agent-net.ts";
import { gameOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { processorSecondsFrom } from "../../../workers/processor-time.ts";

/** Number of random moves before each of the positions that are searched. */
const AFTER = [0, 7, 16];
/** No further position is searched after this time. */
const PATIENCE_MS = 500;
/** A search by playouts has no more simulations here, and the time of the others is taken to be alike. */
const MOST_SIMULATIONS = 1000;

/** What a decision of a search takes, in processor time of this thread, without the time of its evaluations. */
export interface SearchEffort {
  /** Positions that it has evaluated. */
  readonly evaluations: number;
  readonly seconds: number;
}

/**
 * Counts the positions that an agent's search has evaluated for a decision, and its own time; takes some seconds at most if it
 * has no net. The evaluator gives every
 * position the value 0 at once.
 */
export function searchEffort(opened: OpenExperiment, agent: string): SearchEffort {
  const config = opened.experiment.agents[agent]!;
  const { nets } = opened;
  const game = beforeGuiding(gameOf(opened, config), config, nets);
  const options = searchOptionsOf(config);
  const { milliseconds, simulations } = options;
  const alone = netNames(config).length === 0;
  if (alone && typeof milliseconds === "number" && milliseconds > 0)
    return { evaluations: 0, seconds: milliseconds / 1000 };
  const scale = alone && typeof simulations === "number" ? Math.max(1, simulations / MOST_SIMULATIONS) : 1;
  const search = openSearch(
    config.use,
    game,
    scale === 1 ? options : { ...options, simulations: MOST_SIMULATIONS },
    kindsOf(config),
    givenNets(config, nets),
  );
  let evaluations = 0;
  const counting = {
    evaluate: ({ count, priors, values }: EvaluationRequest<unknown>) => {
      evaluations += count;
      values.fill(0, 0, count * game.players);
      priors?.fill(1 / game.maxLegal, 0, count * game.maxLegal);
    },
  };
  // Another program works in its own processes. Their time can only be read at once from the wall clock.
  const passed = search.processorSeconds === undefined ? processorSecondsFrom() : wallSecondsFrom();
  let decisions = 0;
  try {
    for (const plies of AFTER) {
      if (decisions > 0 && 1000 * passed() > PATIENCE_MS) break;
      const state = stateAfter(game, plies, search);
      if (state === undefined) continue;
      // A search by depth may have no end; a time in place of simulations would change the number of evaluations.
      const most = alone && simulations === undefined ? PATIENCE_MS : undefined;
      drive(search.search(state, Random.named(0, "cost", plies, "search"), plies, most), counting);
      decisions++;
    }
  } catch (error) {
    // A program that fails: the games that are measured next fail too, and then no cost is reported.
    if (!(error instanceof PlayerFailed)) throw error;
  } finally {
    search.stop?.();
  }
  const made = Math.max(1, decisions);
  return { evaluations: evaluations / made, seconds: (scale * passed()) / made };
}

function wallSecondsFrom(): () => number {
  const begun = performance.now();
  return () => (performance.now() - begun) / 1000;
}

/**
 * A decision ply after so many random decisions of a game. The search receives them, since another program only finds moves in
 * a game. Undefined if the game is over by then.
 */
function stateAfter(game: Game<unknown>, decisions: number, search: Search<unknown>): unknown {
  const random = Random.named(0, "cost", decisions, "moves");
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  search.begin?.(state);
  for (let made = 0; ;) {
    const mover = game.toMove(state);
    if (mover === OVER) return undefined;
    if (mover !== CHANCE && made++ === decisions) return state;
    const action =
      mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(game.legal(state, legal))]!;
    search.observe?.(state, action);
    game.play(state, action);
  }
}
