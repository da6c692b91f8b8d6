import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Evaluator } from "../games/evaluation.ts";
import type { Game } from "../games/game.ts";
import { playedFor, type ValuesOf } from "../games/outcome.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import { wrongNet } from "../operators/experiment/agent-net.ts";
import type { GameConfig } from "../operators/experiment/open-experiment.ts";
import type { Random } from "../random.ts";
import { drive } from "../search/drive.ts";
import { findSearch, openSearch, searches, withoutNet } from "../search/registry.ts";
import type { Decision, Search } from "../search/search.ts";

/** A request that the referee cannot fulfil, in words for whoever sent it. */
export class RefereeError extends Error {
  readonly _tag = "RefereeError";

  constructor(message: string) {
    super(message);
    this.name = "RefereeError";
  }
}

/**
 * Opens the net that an agent names: what stands after `net:`, a name, a checkpoint's path or an inline net.
 *
 * The evaluator answers in the calling thread, before `evaluate` returns. Throws an Error that says what is wrong.
 */
export type ResolveNet = (net: unknown, game: Game<any>, config: GameConfig) => ResolvedNet;

/** A net that has been opened, and what it gives. */
export interface ResolvedNet {
  /** Absent where the net gives no values. */
  readonly evaluator?: Evaluator<any>;
  readonly hasPolicy: boolean;
  /** What its values are of; the game's returns where absent. */
  readonly values?: ValuesOf;
  /** The game with the moves of playouts drawn by the net; absent where it draws none. */
  readonly guided?: Game<any>;
}

/** What answers searches that ask nothing. */
const silent: Evaluator<unknown> = { evaluate: () => undefined };

/** Someone who decides moves for the referee: a search with the net it asks. */
export class RefereeAgent {
  readonly #search: Search<unknown>;
  readonly #evaluator: Evaluator<unknown>;
  /** See `SearchDefinition`. */
  readonly best: "value" | "visits" | "any";

  private constructor(
    search: Search<unknown>,
    evaluator: Evaluator<unknown>,
    best: "value" | "visits" | "any",
  ) {
    this.#search = search;
    this.#evaluator = evaluator;
    this.best = best;
  }

  /** Opens an agent as `agentConfig` gives it. Throws an Error that says what is wrong. */
  static open(
    config: AgentObject,
    game: Game<unknown>,
    resolveNet: ((net: unknown, game: Game<unknown>) => ResolvedNet) | undefined,
  ): RefereeAgent {
    const { use, net, ...options } = config;
    if (typeof use !== "string")
      throw new RefereeError(
        `agent: "use" must name a search: ${searches.map(({ name }) => name).join(", ")}`,
      );
    if (!searches.some(({ name }) => name === use))
      throw new RefereeError(
        `agent: unknown search "${use}"${didYouMean(
          use,
          searches.map(({ name }) => name),
        )} (known: ${searches.map(({ name }) => name).join(", ")})`,
      );
    const kinds = net === undefined ? withoutNet(searches) : searches;
    const { needs, best } = findSearch(use, kinds);
    if (net === undefined) {
      if (needs.value) throw new RefereeError(`agent: ${use} needs a "net"`);
      return new RefereeAgent(openSearch(use, game, options, kinds), silent, best);
    }
    if (!needs.value && !needs.playouts) {
      openSearch(use, game, options, kinds);
      throw new RefereeError(`agent: ${use} evaluates nothing and takes no "net"`);
    }
    if (resolveNet === undefined) throw new RefereeError("agent: nets cannot be opened here");
    const { evaluator, guided, hasPolicy, values } = resolveNet(net, game);
    const gives = { hasPolicy, guides: guided !== undefined };
    const wrong = wrongNet({ use, needs, epsilon: options["epsilon"] }, "this net", gives);
    if (wrong !== undefined) throw new RefereeError(`agent: ${wrong}`);
    const search = openSearch(use, playedFor(guided ?? game, values ?? "returns"), options);
    return new RefereeAgent(search, evaluator ?? silent, best);
  }

  /** Tells the search that a game begins; see `Search`. */
  begin(state: unknown): void {
    this.#search.begin?.(state);
  }

  /** Tells the search a ply of the game, with the state before it; see `Search`. */
  observe(state: unknown, action: number): void {
    this.#search.observe?.(state, action);
  }

  /** Searches to the end; the decision lies in the search's buffers. */
  decide(state: unknown, random: Random, decisions: number): Decision<unknown> {
    return drive(this.#search.search(state, random, decisions), this.#evaluator);
  }
}

/** An agent before it is checked. */
export type AgentObject = Readonly<Record<string, unknown>>;

/** An agent given as `{"use": search, "net": ..., option: ...}`, or as the path of a YAML or JSON file holding one. */
export function agentConfig(agent: unknown): AgentObject {
  if (typeof agent !== "string") return asObject(agent, "agent");
  let text: string;
  try {
    text = readFileSync(agent, "utf8");
  } catch {
    throw new RefereeError(`agent: cannot read the file "${agent}"`);
  }
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw new RefereeError(
      `agent: ${agent} is not YAML: ${(error as Error).message.split("\n")[0]!.replace(/:$/, "")}`,
    );
  }
  return asObject(content, agent);
}

/** The agent with what its search adds for an analysis, where it does not say otherwise itself. */
export function forAnalysis(config: AgentObject): AgentObject {
  return { ...searches.find(({ name }) => name === config["use"])?.analysis, ...config };
}

function asObject(value: unknown, where: string): AgentObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RefereeError(`${where}: an agent is an object such as {"use": "uct", "simulations": 1000}`);
  return value as AgentObject;
}
