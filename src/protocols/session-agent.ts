import type { Evaluator } from "../games/evaluation.ts";
import type { Game } from "../games/game.ts";
import type { GameConfig } from "../games/registry.ts";
import type { Random } from "../random.ts";
import { drive } from "../search/drive.ts";
import { searches } from "../search/registry.ts";
import type { Decision, Outlook, Search } from "../search/search.ts";

/** The settings of an agent as an experiment file has them under `agents`; not checked yet. */
export type AgentSettings = Readonly<Record<string, unknown>>;

/** The settings with those that the search has for analyses, where the settings do not give them. */
export function forAnalysis(settings: AgentSettings): AgentSettings {
  return { ...searches.find(({ name }) => name === settings["use"])?.analysis, ...settings };
}

/** Opens an agent for a game. Throws an Error whose message tells the user what is wrong with the settings. */
export type OpenAgent = (settings: AgentSettings, game: Game<unknown>, config: GameConfig) => SessionAgent;

/** What a session gets its agents from. */
export interface AgentSource {
  /**
   * The settings that a request names: an object of settings, or the path of a file that holds one. Throws an Error
   * whose message tells what is wrong.
   */
  settings(given: unknown): AgentSettings;
  readonly open: OpenAgent;
}

/** What measures the quality of an agent's moves; see `SearchDefinition`. */
export type BestBy = "value" | "visits" | "any";

/** What a net says of a position without search. */
export interface NetView {
  /** By seat: the return that the net expects from there on; NaN where the net tells none. */
  readonly values: readonly number[];
  /** Beside each legal action: its probability. */
  readonly priors: Float32Array;
}

/** Stands in where a search requests no evaluation. */
const noEvaluator: Evaluator<unknown> = { evaluate: () => undefined };

/**
 * An agent that decides moves within a protocol's session: a search, and the evaluator that responds to its requests in
 * the calling thread.
 *
 * Protocols do not open agents, because files and weights belong to higher floors. Whoever starts a session passes an
 * `OpenAgent`.
 */
export class SessionAgent {
  readonly #search: Search<unknown>;
  readonly #evaluator: Evaluator<unknown>;
  /** What its moves are compared by. */
  readonly best: BestBy;
  /** The game whose returns the values of its decisions are of; see `SearchDefinition.valued`. */
  readonly valued: Game<unknown>;
  /** The least and the greatest value of its decisions; undefined where there are no bounds or no values. */
  readonly valueBounds: readonly [number, number] | undefined;

  /** What the agent's net says of a position where a player moves; absent without a net that has a policy. */
  readonly netView: ((state: unknown) => NetView) | undefined;

  /** `evaluator` is absent where the search requests no evaluations. */
  constructor(
    search: Search<unknown>,
    best: BestBy,
    valued: Game<unknown>,
    valueBounds: readonly [number, number] | undefined,
    evaluator: Evaluator<unknown> = noEvaluator,
    netView?: (state: unknown) => NetView,
  ) {
    this.#search = search;
    this.#evaluator = evaluator;
    this.best = best;
    this.netView = netView;
    this.valued = valued;
    this.valueBounds = valueBounds;
  }

  /** Tells the search that a game begins; see `Search`. */
  begin(state: unknown): void {
    this.#search.begin?.(state);
  }

  /** Tells the search a ply of the game, with the state before it; see `Search`. */
  observe(state: unknown, action: number): void {
    this.#search.observe?.(state, action);
  }

  /**
   * Searches to the end, or for this time where one is given; see `Search`. The decision lies in the search's buffers
   * until the next search.
   */
  decide(state: unknown, random: Random, decisions: number, milliseconds?: number): Decision<unknown> {
    return drive(this.#search.search(state, random, decisions, milliseconds), this.#evaluator);
  }

  /** Goes on with the last decision for this time; undefined where its search ends by itself. */
  resume(
    state: unknown,
    random: Random,
    decisions: number,
    milliseconds: number,
  ): Decision<unknown> | undefined {
    const searching = this.#search.resume?.(state, random, decisions, milliseconds);
    return searching && drive(searching, this.#evaluator);
  }

  /** What the last decision found out about one of its actions; its variation is at least the action. */
  outlook(action: number): Outlook {
    return this.#search.outlook?.(action) ?? { variation: [action] };
  }
}
