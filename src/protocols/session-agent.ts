import type { Evaluator } from "../games/evaluation.ts";
import type { Game } from "../games/game.ts";
import type { GameConfig } from "../games/registry.ts";
import type { Random } from "../random.ts";
import { drive } from "../search/drive.ts";
import { searches } from "../search/registry.ts";
import type { Decision, Outlook, Search } from "../search/search.ts";

/** The settings of an agent as an experiment file has them under `agents`; not checked yet. */
export type AgentSettings = Readonly<Record<string, unknown>>;

/** The settings with those that the search has for analyses, if the settings do not give them. */
export function forAnalysis(settings: AgentSettings): AgentSettings {
  return { ...searches.find(({ name }) => name === settings["use"])?.analysis, ...settings };
}

/** Opens an agent for a game. Throws an Error whose message says what is wrong with the settings. */
export type OpenAgent = (settings: AgentSettings, game: Game<unknown>, config: GameConfig) => SessionAgent;

/** What a session gets its agents from. */
export interface AgentSource {
  /**
   * The settings that a request names: an object of settings, or the path of a file that holds one, which is read again
   * only when it has changed. Throws an Error whose message says what is wrong.
   */
  settings(given: unknown): AgentSettings;
  /**
   * A text that changes when the weights that settings name change on disk: an agent that was opened before is then out of
   * date.
   */
  weightsVersion(settings: AgentSettings): string;
  readonly open: OpenAgent;
}

/** What measures the quality of an agent's moves; see `SearchDefinition`. */
export type BestBy = "value" | "visits" | "any";

/** What a net says of a position without search. */
export interface NetView {
  /** By seat: the return that the net expects from there on; NaN if the net gives none. */
  readonly values: readonly number[];
  /** Beside each legal action: its probability. */
  readonly priors: Float32Array;
}

/** The evaluator of a search that requests no evaluation. */
const noEvaluator: Evaluator<unknown> = { evaluate: () => undefined };

/** What a session knows of an agent beside its search. */
export interface SessionAgentParts {
  /** What its moves are compared by. */
  readonly best: BestBy;
  /** The game whose returns the values of its decisions are of; see `SearchDefinition.valued`. */
  readonly valued: Game<unknown>;
  /** The least and the greatest value of its decisions; undefined if there are no bounds or no values. */
  readonly valueBounds: readonly [number, number] | undefined;
  /** Absent if the search requests no evaluations. */
  readonly evaluator?: Evaluator<unknown> | undefined;
  /** What the agent's net says of a position where a player moves; absent without a net that has a policy. */
  readonly netView?: ((state: unknown) => NetView) | undefined;
  /** Ends what computes the agent's nets; absent if nothing has to be ended. */
  readonly close?: () => void;
}

/**
 * An agent that decides moves within a protocol's session: a search, and the evaluator that responds to its requests in
 * the calling thread.
 *
 * Protocols do not open agents, because files and weights belong to higher floors. The caller that starts a session
 * passes an `OpenAgent`.
 */
export class SessionAgent {
  readonly #search: Search<unknown>;
  readonly #parts: SessionAgentParts;

  constructor(search: Search<unknown>, parts: SessionAgentParts) {
    this.#search = search;
    this.#parts = parts;
  }

  get best(): BestBy {
    return this.#parts.best;
  }

  get valued(): Game<unknown> {
    return this.#parts.valued;
  }

  get valueBounds(): readonly [number, number] | undefined {
    return this.#parts.valueBounds;
  }

  get netView(): ((state: unknown) => NetView) | undefined {
    return this.#parts.netView;
  }

  /** Notifies the search that a game begins; see `Search`. */
  begin(state: unknown): void {
    this.#search.begin?.(state);
  }

  /** Notifies the search of a ply of the game, with the state before it; see `Search`. */
  observe(state: unknown, action: number): void {
    this.#search.observe?.(state, action);
  }

  /**
   * Searches to the end, or for this time if one is given; see `Search`. The decision lies in the search's buffers
   * until the next search.
   */
  decide(state: unknown, random: Random, decisions: number, milliseconds?: number): Decision<unknown> {
    return drive(
      this.#search.search(state, random, decisions, milliseconds),
      this.#parts.evaluator ?? noEvaluator,
    );
  }

  /** Continues the last decision for this time; undefined if its search ends by itself. */
  resume(
    state: unknown,
    random: Random,
    decisions: number,
    milliseconds: number,
  ): Decision<unknown> | undefined {
    const searching = this.#search.resume?.(state, random, decisions, milliseconds);
    return searching && drive(searching, this.#parts.evaluator ?? noEvaluator);
  }

  /** Ends what computes the agent's nets. It decides nothing afterwards. */
  close(): void {
    this.#parts.close?.();
  }

  /** What the last decision found out about one of its actions; its variation is at least the action. */
  outlook(action: number): Outlook {
    return this.#search.outlook?.(action) ?? { variation: [action] };
  }
}
