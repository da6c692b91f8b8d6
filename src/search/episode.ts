import type { EvaluationRequest } from "../games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../games/game.ts";
import { finalReturns } from "../games/outcome.ts";
import type { Random } from "../random.ts";
import { type Difference, type Expected, GameComparison } from "./expected-game.ts";
import { PlayerFailed } from "./player-failed.ts";
import type { Decision, PolicyChange, Sample, Search } from "./search.ts";

/** The player of one seat: its search, its own stream of draws, and the numbers of the evaluators for its requests. */
export interface Seat<S> {
  readonly search: Search<S>;
  readonly random: Random;
  /** Handed on with each request. Any number will do for a search that makes no requests. */
  readonly evaluator: number;
  /** That for requests to `valueNet`; absent from a search that makes none. */
  readonly valueEvaluator?: number;
}

/**
 * An evaluation request of an episode, and the evaluator it is meant for. The object is used again for the next
 * request.
 */
export interface EpisodeRequest<S> {
  readonly evaluator: number;
  readonly request: EvaluationRequest<S>;
}

/** One decision of an episode, as its record keeps it. */
export interface EpisodeDecision {
  /** The decision's place in the list of actions, counted from 0. */
  readonly ply: number;
  readonly seat: number;
  /** One value per seat: the return from this ply on that the seat's agent expected. */
  readonly values: readonly number[];
  /** The legal actions, and beside each its visits. Both are empty unless `keep.visits`. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
  /**
   * Beside each legal action: the probability that a policy should learn for it. The sum is 1. Empty unless
   * `keep.visits`. It comes from the search's own policy; without one, from the visits; without visits, the played
   * action has all of it.
   */
  readonly policy: Float64Array;
  /** How far the policy is from the priors of its search. Absent unless `keep.visits`, and from a search without priors. */
  readonly change?: PolicyChange;
  /** Whether the policy is to be learned. False after a quick search (playout-cap randomisation). */
  readonly learn: boolean;
}

/** One game as it was played. */
export interface Episode<S> {
  /** All actions in order, chance outcomes included. */
  readonly actions: Int32Array;
  readonly decisions: readonly EpisodeDecision[];
  /** The training examples that the searches sampled, in order. Empty unless `keep.samples`. */
  readonly samples: readonly Sample<S>[];
  readonly returns: readonly number[];
  /** Further figures of the finished game, by name. Empty for a game that has none. */
  readonly facts: Readonly<Record<string, number>>;
  /** The first difference of the game from the expected game. The episode ends there. */
  readonly difference?: Difference;
  /** The decisions at which the players would have departed from the expected game that the episode follows. Empty if it follows none. */
  readonly departures: readonly Difference[];
  /** The seat whose player could not continue, and the reason. The episode ends there with the returns of the unfinished game. */
  readonly failure?: SeatFailure;
  /** The seat whose player gave the game up. The episode ends there, with the least return for this seat. */
  readonly resigned?: number;
  /** The first seat whose player objects to the result of the finished game, and its objection. */
  readonly dispute?: SeatDispute;
}

/** A seat whose player could not continue. */
export interface SeatFailure {
  readonly seat: number;
  /** The message of `PlayerFailed`. */
  readonly message: string;
}

/** A seat whose player objects to the result of a game; see `Search`. */
export interface SeatDispute {
  readonly seat: number;
  readonly message: string;
}

/**
 * Gives the first decisions of a game. It is called at every decision ply until it returns undefined; from there on the
 * players decide. `decisions` counts the decisions before this one.
 */
export type Opening<S> = (state: S, decisions: number) => number | undefined;

/** How an episode is played. */
export interface EpisodeOptions<S = unknown> {
  /** What the record keeps in addition to actions and values. */
  readonly keep?: { readonly visits?: boolean; readonly samples?: boolean };
  /** Compares the game with this one, and ends where they differ or follows it. */
  readonly expected?: Expected;
  /** Ends after this many plies, if the game has not ended before. */
  readonly plies?: number;
  /**
   * Gives the first decisions in place of the players. They count as decisions, but the record has no decision of them.
   */
  readonly opening?: Opening<S>;
  /** The position that the game begins with; absent: the start of the game. */
  readonly start?: S;
  /** Called before each decision of a player, with its seat. */
  readonly deciding?: (seat: number) => void;
  /** Whether players may give the game up; false if something learns from its end. True if absent. */
  readonly resigns?: boolean;
  /** Called after each decision of a player. */
  readonly decided?: (decision: Decision<S>) => void;
  /** Called with each action, before it is played. */
  readonly played?: (action: number) => void;
}

const noActions = new Int32Array(0);
const noVisits = new Float64Array(0);

/**
 * Plays one game from its start, yields the evaluation requests of the searches, and returns the game's record.
 *
 * Every agent draws from its own stream, and chance draws from `chance`: the draws of one agent never change those of
 * another. While the game lasts, nothing else may use its searches.
 */
export function* episode<S>(
  game: Game<S>,
  seats: readonly Seat<S>[],
  chance: Random,
  options: EpisodeOptions<S> = {},
): Generator<EpisodeRequest<S>, Episode<S>, void> {
  const state = game.initial();
  if (options.start !== undefined) game.copy(options.start, state);
  const actions = new ActionList();
  const decisions: EpisodeDecision[] = [];
  const samples: Sample<S>[] = [];
  const pending: { evaluator: number; request: EvaluationRequest<S> } = {
    evaluator: 0,
    request: { states: [], count: 0, values: noVisits },
  };
  const comparison = options.expected && new GameComparison(options.expected);
  let failure: SeatFailure | undefined;
  let resigned: number | undefined;
  let { opening } = options;
  let given = 0;
  // One search may play several seats, and is then notified once.
  const searches = [...new Set(seats.map(({ search }) => search))];
  for (const search of searches) search.begin?.(state);
  const { plies = Infinity } = options;
  for (let mover = game.toMove(state); mover !== OVER && actions.length < plies; mover = game.toMove(state)) {
    const ply = actions.length;
    let action: number;
    let decision: Decision<S> | undefined;
    if (mover === CHANCE) action = game.chance!.sample(state, chance);
    else {
      const first = opening?.(state, given);
      if (first === undefined) opening = undefined;
      else given++;
      if (first !== undefined) action = first;
      else {
        const seat = seats[mover]!;
        options.deciding?.(mover);
        try {
          const searching = seat.search.search(state, seat.random, given + decisions.length);
          let step = searching.next();
          while (step.done !== true) {
            pending.request = step.value;
            pending.evaluator = step.value.net === "valueNet" ? seat.valueEvaluator! : seat.evaluator;
            yield pending;
            step = searching.next();
          }
          decision = step.value;
        } catch (error) {
          if (!(error instanceof PlayerFailed)) throw error;
          failure = { seat: mover, message: error.message };
          break;
        }
        options.decided?.(decision);
        action = decision.action;
        if (
          decision.resigns === true &&
          options.resigns !== false &&
          comparison?.continues(actions.length) !== true
        ) {
          resigned = mover;
          break;
        }
        const kept = options.keep?.visits === true;
        decisions.push(
          keepDecision(ply, mover, decision, kept, kept ? seat.search.policyChange?.() : undefined),
        );
        if (options.keep?.samples === true)
          for (const sample of decision.samples) samples.push(keepSample(game, sample));
      }
    }
    if (comparison !== undefined) {
      const next = comparison.ply(action, mover === CHANCE, decision?.values);
      if (next === undefined) break;
      action = next;
    }
    actions.push(action);
    options.played?.(action);
    for (const search of searches) search.observe?.(state, action);
    game.play(state, action);
  }
  const dispute = game.toMove(state) === OVER ? disputeOf(state, seats) : undefined;
  const difference = comparison?.atEnd();
  const returns = finalReturns(game, state, resigned);
  return {
    actions: actions.all(),
    decisions,
    samples,
    returns: [...returns],
    facts: game.figures?.facts?.(state) ?? {},
    departures: comparison?.departures ?? [],
    ...(difference === undefined ? {} : { difference }),
    ...(failure === undefined ? {} : { failure }),
    ...(resigned === undefined ? {} : { resigned }),
    ...(dispute === undefined ? {} : { dispute }),
  };
}

/** The first objection to the result of a finished game. */
function disputeOf<S>(state: S, seats: readonly Seat<S>[]): SeatDispute | undefined {
  const asked = new Set<Search<S>>();
  for (const [seat, { search }] of seats.entries()) {
    // A search in several seats has one opinion.
    const message = asked.has(search) ? undefined : search.objection?.(state);
    if (message !== undefined) return { seat, message };
    asked.add(search);
  }
  return undefined;
}

function keepDecision<S>(
  ply: number,
  seat: number,
  decision: Decision<S>,
  visits: boolean,
  change: PolicyChange | undefined,
): EpisodeDecision {
  return {
    ply,
    seat,
    values: [...decision.values],
    actions: visits ? decision.actions.slice() : noActions,
    visits: visits ? decision.visits.slice() : noVisits,
    policy: visits ? policyTarget(decision) : noVisits,
    ...(change === undefined ? {} : { change }),
    learn: decision.learn ?? true,
  };
}

/** The probabilities that a policy learns from a decision. */
function policyTarget<S>({ action, actions, visits, policy = visits }: Decision<S>): Float64Array {
  let sum = 0;
  for (const weight of policy) sum += weight;
  return sum > 0
    ? policy.map((weight) => weight / sum)
    : policy.map((_, i) => (actions[i] === action ? 1 : 0));
}

function keepSample<S>(game: Game<S>, sample: Sample<S>): Sample<S> {
  const state = game.initial();
  game.copy(sample.state, state);
  return { state, values: [...sample.values] };
}

/** A growing list of actions; a game of 2048 can have tens of thousands. */
class ActionList {
  #actions = new Int32Array(1024);
  length = 0;

  push(action: number): void {
    if (this.length === this.#actions.length) {
      const wider = new Int32Array(2 * this.length);
      wider.set(this.#actions);
      this.#actions = wider;
    }
    this.#actions[this.length++] = action;
  }

  all(): Int32Array {
    return this.#actions.slice(0, this.length);
  }
}
