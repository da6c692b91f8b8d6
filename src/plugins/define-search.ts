import type { EvaluationRequest } from "../games/evaluation.ts";
import { type Game, OVER } from "../games/game.ts";
import type { Random } from "../random.ts";
import { DecisionBuffer } from "../search/choice/decision-buffer.ts";
import type { NetRole, SearchDefinition } from "../search/definition.ts";
import type { Decision, Search, Searching } from "../search/search.ts";
import {
  aCount,
  aFunction,
  anObject,
  assertDefinition,
  common,
  type Fields,
  oneOf,
  optional,
  optionProblems,
} from "../definitions/assert-definition.ts";
import { allFinite } from "../games/all-finite.ts";
import { positionForMessage } from "../games/position-text.ts";
import { type Definition, definition } from "../definitions/definition.ts";
import { type Options, type OptionValues, schemaOf } from "../definitions/options.ts";

/** What nets say of some states. */
export interface Evaluations {
  /** Row-major [states, players]: the return that each seat can expect of the whole game. Of finished games: the returns. */
  readonly values: Float64Array;
  /** Row-major [states, maxLegal]: a probability for each legal action, in the order of `legal`; only if requested. */
  readonly priors: Float32Array;
}

/** The move that a search has chosen, and what it found out. */
export interface Chosen {
  readonly action: number;
  /** The return that each seat can expect of the whole game. Absent: the search estimates nothing. */
  readonly values?: ArrayLike<number>;
  /** Beside each legal action: the return that the mover can expect of the whole game. */
  readonly actionValues?: ArrayLike<number>;
  /** Beside each legal action: the number of simulations that took it. */
  readonly visits?: ArrayLike<number>;
}

/** What a search is given to work with. */
export interface SearchTools<S> {
  /** The legal actions of a state, in increasing order. */
  legal(state: S): Int32Array;
  /** A new state: a copy in which an action was played. */
  after(state: S, action: number): S;
  /**
   * Has states evaluated by the agent's net, together: `const { values } = yield* tools.evaluate(states)`. Finished games
   * are not sent to the net. At most `maxRequest` states.
   */
  evaluate(states: readonly S[]): Generator<EvaluationRequest<S>, Evaluations, void>;
  /** The decision for a state. */
  decide(state: S, chosen: Chosen): Decision<S>;
}

/** A search of one's own for one game. */
export interface OwnSearch<S> extends Pick<Search<S>, "begin" | "observe" | "stop"> {
  /** Searches from a state at which a player decides. All draws come from `random`. The state may not be changed. */
  search(state: S, random: Random, decisions: number): Searching<S>;
}

/** A search of one's own, as `defineSearch` takes it. */
export interface SearchDescription<O extends Options> {
  /** The name after `use:` of an agent in experiment files: letters, digits and hyphens. */
  readonly name: string;
  /** One sentence for lists. */
  readonly description: string;
  /** The options in experiment files; absent: none. */
  readonly options?: O;
  /** What it needs of the agent's net; absent: it has none. */
  readonly needs?: { readonly values?: boolean; readonly policy?: boolean };
  /** The most states that it has evaluated together. Absent: the most legal actions of the game. */
  readonly maxRequest?: number;
  /** By which figure it ranks moves. Absent: by values. */
  readonly best?: "values" | "visits" | "neither";
  /** Why it cannot play a game with these options, or undefined. */
  unsuited?(game: Game<any>, options: OptionValues<O>): string | undefined;
  /**
   * Makes the search for a game. It sees states as `unknown`; a search for one game alone may name the type of its states in
   * the type of `game`.
   */
  create(game: Game<unknown>, options: OptionValues<O>, tools: SearchTools<unknown>): OwnSearch<unknown>;
}

/** The keys of an agent beside the options of its search. */
const taken: readonly ("use" | NetRole)[] = ["use", "net", "valueNet", "playoutNet"];

const fields: Fields<keyof SearchDescription<any>> = {
  ...common,
  options: optional(anObject),
  needs: optional({
    must: "an object of values: true and policy: true",
    fits: (value) =>
      anObject.fits(value) &&
      Object.entries(value as object).every(
        ([key, needed]) => (key === "values" || key === "policy") && typeof needed === "boolean",
      ),
  }),
  maxRequest: optional(aCount),
  best: optional(oneOf("values", "visits", "neither")),
  unsuited: optional(aFunction),
  create: aFunction,
};

/** A search of one's own has broken what it promises. The message says how. */
class SearchMistaken extends Error {
  readonly _tag = "SearchMistaken";

  constructor(name: string, message: string) {
    super(`the search "${name}" ${message}`);
    this.name = "SearchMistaken";
  }
}

/** Defines a search: the default export of a plug-in. */
export function defineSearch<const O extends Options = {}>(search: SearchDescription<O>): Definition {
  assertDefinition<SearchDescription<O>>(defineSearch, search, fields, (given) =>
    optionProblems(given.options, "options", taken),
  );
  const { name, description, options = {} as O, needs = {}, best = "values" } = search;
  const asks = needs.values === true || needs.policy === true;
  const made: SearchDefinition = {
    name,
    description,
    options: schemaOf(options),
    needs: { value: needs.values === true, policy: needs.policy === true },
    best: best === "values" ? "value" : best === "visits" ? "visits" : "any",
    ...(search.unsuited === undefined
      ? {}
      : { unsuited: (game, values) => search.unsuited!(game, values as OptionValues<O>) }),
    create: (of, values) => {
      const game = of as Game<unknown>;
      const maxRequest = asks ? (search.maxRequest ?? game.maxLegal) : 0;
      const tools = new Tools(name, game, maxRequest, needs.policy === true);
      const own = search.create(game, values as OptionValues<O>, tools);
      if (typeof (own as Partial<OwnSearch<unknown>> | undefined)?.search !== "function")
        throw new SearchMistaken(name, "has no search: create returns { *search(state, random) { ... } }");
      return {
        maxRequest,
        ...(own.begin === undefined ? {} : { begin: (state) => own.begin!(state) }),
        ...(own.observe === undefined ? {} : { observe: (state, action) => own.observe!(state, action) }),
        ...(own.stop === undefined ? {} : { stop: () => own.stop!() }),
        *search(state, random, decisions) {
          const searching = own.search(state, random, decisions) as Partial<Searching<unknown>> | undefined;
          if (typeof searching?.[Symbol.iterator] !== "function")
            throw new SearchMistaken(
              name,
              "has no generator for its search: write *search(state, random) { ... }",
            );
          const decision = (yield* searching as Searching<unknown>) as Decision<unknown> | undefined;
          if (typeof decision?.action !== "number")
            throw new SearchMistaken(
              name,
              "returned no decision: end with return tools.decide(state, { action })",
            );
          return decision;
        },
      } satisfies Search<unknown> as Search<any>;
    },
  };
  return definition("search", name, made);
}

class Tools<S> implements SearchTools<S> {
  readonly #name: string;
  readonly #game: Game<S>;
  readonly #maxRequest: number;
  readonly #priors: boolean;
  readonly #buffer: DecisionBuffer<S>;
  readonly #legal: Int32Array;
  readonly #returns: Float64Array;

  constructor(name: string, game: Game<S>, maxRequest: number, priors: boolean) {
    this.#name = name;
    this.#game = game;
    this.#maxRequest = maxRequest;
    this.#priors = priors;
    this.#buffer = new DecisionBuffer(game);
    this.#legal = new Int32Array(game.maxLegal);
    this.#returns = new Float64Array(game.players);
  }

  legal(state: S): Int32Array {
    return this.#legal.slice(0, this.#game.legal(state, this.#legal));
  }

  after(state: S, action: number): S {
    const next = this.#game.initial();
    this.#game.copy(state, next);
    this.#game.play(next, action);
    return next;
  }

  *evaluate(states: readonly S[]): Generator<EvaluationRequest<S>, Evaluations, void> {
    const game = this.#game;
    const { players, maxLegal } = game;
    if (states.length > this.#maxRequest)
      throw new SearchMistaken(
        this.#name,
        this.#maxRequest === 0
          ? "has no net evaluated: write needs: { values: true } in its definition"
          : `had ${states.length} states evaluated together; maxRequest is ${this.#maxRequest}`,
      );
    const open = states.flatMap((state, i) => (game.toMove(state) === OVER ? [] : [i]));
    const values = new Float64Array(states.length * players);
    const priors = new Float32Array(this.#priors ? states.length * maxLegal : 0);
    for (const [i, state] of states.entries())
      game.returns(state, values.subarray(i * players, (i + 1) * players));
    if (open.length === 0) return { values, priors };
    const request: EvaluationRequest<S> = {
      states: open.map((i) => states[i]!),
      count: open.length,
      values: new Float64Array(open.length * players),
      ...(this.#priors ? { priors: new Float32Array(open.length * maxLegal) } : {}),
    };
    yield request;
    for (const [row, i] of open.entries()) {
      for (let seat = 0; seat < players; seat++)
        values[i * players + seat]! += request.values[row * players + seat]!;
      if (this.#priors)
        priors.set(request.priors!.subarray(row * maxLegal, (row + 1) * maxLegal), i * maxLegal);
    }
    return { values, priors };
  }

  decide(state: S, { action, values, actionValues, visits }: Chosen): Decision<S> {
    const rows = this.#buffer.open(state);
    const index = rows.actions.indexOf(action);
    if (index < 0)
      throw new SearchMistaken(
        this.#name,
        `chose action ${action}, which is not legal in ${this.#game.notation.position(state)} (legal: ${someOf(rows.actions)})`,
      );
    this.#judge(state, "values", values, this.#game.players);
    this.#judge(state, "actionValues", actionValues, rows.actions.length);
    this.#judge(state, "visits", visits, rows.actions.length);
    // Values of decisions count from the position on.
    this.#game.returns(state, this.#returns);
    const mover = this.#game.toMove(state);
    if (actionValues !== undefined)
      for (let i = 0; i < rows.actions.length; i++)
        rows.actionValues[i] = actionValues[i]! - this.#returns[mover]!;
    if (visits !== undefined) rows.visits.set(visits);
    return this.#buffer.close(
      rows,
      index,
      Array.from(this.#returns, (before, seat) => (values === undefined ? 0 : values[seat]! - before)),
    );
  }

  /** Throws SearchMistaken unless the search gives as many finite numbers as there must be, or none. */
  #judge(state: S, what: string, numbers: ArrayLike<number> | undefined, count: number): void {
    if (numbers === undefined || (numbers.length >= count && allFinite(numbers, 0, count))) return;
    const at = Array.from({ length: count }, (_, i) => numbers[i]).findIndex(
      (number) => !Number.isFinite(number),
    );
    throw new SearchMistaken(
      this.#name,
      `gave ${what} with ${numbers[at]} at index ${at} in ${positionForMessage(this.#game, state)}; ${count} finite numbers are expected`,
    );
  }
}

/** Actions for a message: not all if there are many. */
function someOf(actions: Int32Array): string {
  const shown = [...actions.subarray(0, 10)].join(", ");
  return actions.length > 10 ? `${shown}, ...` : shown;
}
