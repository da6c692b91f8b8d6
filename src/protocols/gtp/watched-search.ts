import { type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { Decision } from "../../search/search.ts";
import type { SessionAgent } from "../session-agent.ts";
import type { WatchedMove } from "./analysis.ts";
import type { GtpMoves } from "./dialect.ts";

/** Most simulations of a search that is watched: its tree takes memory, and nobody may be there to end it. */
const MOST_SIMULATIONS = 1_000_000;

/** What a search that is watched is about. */
interface Watched {
  readonly agent: SessionAgent;
  readonly game: Game<unknown>;
  readonly moves: GtpMoves;
  readonly state: unknown;
  readonly random: Random;
  /** Number of decisions before this one. */
  readonly decisions: number;
}

/** A search of one position that goes on for as long as somebody watches it. */
export class WatchedSearch {
  readonly #of: Watched;
  #decision: Decision<unknown> | undefined;
  #simulations = 0;

  constructor(watched: Watched) {
    this.#of = watched;
  }

  /** Searches on for this time. Returns false where there is no more to find out: then it need not be called again. */
  goOn(milliseconds: number): boolean {
    const { agent, decisions, random, state } = this.#of;
    const next =
      this.#decision === undefined
        ? agent.decide(state, random, decisions, milliseconds)
        : agent.resume(state, random, decisions, milliseconds);
    if (next === undefined) return false;
    this.#decision = next;
    const before = this.#simulations;
    this.#simulations = next.visits.reduce((sum, visits) => sum + visits, 0);
    return this.#simulations > before && this.#simulations < MOST_SIMULATIONS;
  }

  /** The moves found so far, the best first; those that no simulation took are left out where the search simulates. */
  moves(): WatchedMove[] {
    const decision = this.#decision;
    if (decision === undefined) return [];
    const { action, actions, actionValues, visits } = decision;
    const { agent, game, state } = this.#of;
    const [least, most] = agent.valued.returnBounds;
    const places = [...actions.keys()];
    const seen =
      agent.best === "value"
        ? places
            .filter((i) => !Number.isNaN(actionValues[i]!))
            .toSorted((a, b) => actionValues[b]! - actionValues[a]!)
        : places
            .filter((i) => visits[i]! > 0)
            .toSorted((a, b) => visits[b]! - visits[a]! || actionValues[b]! - actionValues[a]!);
    const shown = seen.length > 0 ? seen : [actions.indexOf(action)];
    return shown.map((i) => {
      const { prior = 1 / actions.length, variation } = agent.outlook(actions[i]!);
      return {
        text: this.#of.moves.format(game, state, actions[i]!),
        visits: visits[i]!,
        winShare: (actionValues[i]! - least) / (most - least),
        prior,
        variation: this.#texts(variation),
      };
    });
  }

  /** The moves of a line that begins here. */
  #texts(line: readonly number[]): string[] {
    const { game, moves, state } = this.#of;
    const at = game.initial();
    game.copy(state, at);
    return line.map((action) => {
      const text = moves.format(game, at, action);
      if (game.toMove(at) !== OVER) game.play(at, action);
      return text;
    });
  }
}
