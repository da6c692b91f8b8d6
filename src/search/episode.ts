import type { EvaluationRequest } from "../games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../games/game.ts";
import type { Random } from "../random.ts";
import type { Decision, Sample, Search } from "./search.ts";

/** Who plays one seat: a search of its own, its own stream of draws, and the number of the evaluator it asks. */
export interface Seat<S> {
  readonly search: Search<S>;
  readonly random: Random;
  /** Handed on with each question, for whoever answers; any number where the search never asks. */
  readonly evaluator: number;
}

/** A question of an episode: for which evaluator, and what. The object is used again for the next question. */
export interface Asked<S> {
  readonly evaluator: number;
  readonly request: EvaluationRequest<S>;
}

/** One decision of an episode, kept. */
export interface EpisodeDecision {
  /** Where it stands in the list of actions. */
  readonly ply: number;
  readonly seat: number;
  /** What the seat's agent expected each seat to earn from there on. */
  readonly values: readonly number[];
  /** The legal actions and their visits; both empty unless `keep.visits`. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
}

/** One game as it was played. */
export interface Episode<S> {
  /** All actions in order, chance outcomes included. */
  readonly actions: Int32Array;
  readonly decisions: readonly EpisodeDecision[];
  /** What the searches sampled, in order; empty unless `keep.samples`. */
  readonly samples: readonly Sample<S>[];
  readonly returns: readonly number[];
  /** The game's further figures; empty where it has none. */
  readonly facts: Readonly<Record<string, number>>;
  /** Where the game first differed from the one expected; the episode ends there. */
  readonly difference?: Difference;
}

/** A game that an episode is compared with while it is played. */
export interface Expected {
  readonly actions: ArrayLike<number>;
  /** By decision: one value per seat. Compared bit by bit; absent where values were not kept. */
  readonly values?: readonly (readonly number[])[];
}

/** Where a game first differs from the one expected. */
export interface Difference {
  readonly ply: number;
  readonly kind: "decision" | "chance" | "value" | "length";
  /** The action or value in the expected game, and in this one; for `length` the numbers of plies. */
  readonly expected: number;
  readonly actual: number;
}

/** How an episode is played. */
export interface EpisodeOptions {
  /** What is kept besides actions and values. */
  readonly keep?: { readonly visits?: boolean; readonly samples?: boolean };
  /** Plays while the game is equal to this one, and says where it is not. */
  readonly expected?: Expected;
}

const noActions = new Int32Array(0);
const noVisits = new Float64Array(0);

/**
 * Plays one game from its start and returns its record; yields the questions of the searches.
 *
 * Each agent draws from its own stream and chance from `chance`, so what one agent draws never changes what befalls
 * another. The searches must be this game's own while it lasts.
 */
export function* episode<S>(
  game: Game<S>,
  seats: readonly Seat<S>[],
  chance: Random,
  options: EpisodeOptions = {},
): Generator<Asked<S>, Episode<S>, void> {
  const state = game.initial();
  const actions = new ActionList();
  const decisions: EpisodeDecision[] = [];
  const samples: Sample<S>[] = [];
  const asked: { evaluator: number; request: EvaluationRequest<S> } = {
    evaluator: 0,
    request: { states: [], count: 0, values: noVisits },
  };
  let difference: Difference | undefined;
  for (const { search } of seats) search.begin?.(state);
  for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
    const ply = actions.length;
    let action: number;
    if (mover === CHANCE) action = game.chance!.sample(state, chance);
    else {
      const seat = seats[mover]!;
      asked.evaluator = seat.evaluator;
      const searching = seat.search.search(state, seat.random, decisions.length);
      let step = searching.next();
      while (step.done !== true) {
        asked.request = step.value;
        yield asked;
        step = searching.next();
      }
      action = step.value.action;
      decisions.push(keepDecision(ply, mover, step.value, options.keep?.visits === true));
      if (options.keep?.samples === true)
        for (const sample of step.value.samples) samples.push(keepSample(game, sample));
    }
    if (options.expected !== undefined) {
      difference = compare(options.expected, ply, action, mover, decisions);
      if (difference !== undefined) break;
    }
    actions.push(action);
    for (const { search } of seats) search.observe?.(state, action);
    game.play(state, action);
  }
  if (
    difference === undefined &&
    options.expected !== undefined &&
    options.expected.actions.length > actions.length
  )
    difference = {
      ply: actions.length,
      kind: "length",
      expected: options.expected.actions.length,
      actual: actions.length,
    };
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return {
    actions: actions.all(),
    decisions,
    samples,
    returns: [...returns],
    facts: game.facts?.(state) ?? {},
    ...(difference === undefined ? {} : { difference }),
  };
}

function keepDecision<S>(ply: number, seat: number, decision: Decision<S>, visits: boolean): EpisodeDecision {
  return {
    ply,
    seat,
    values: [...decision.values],
    actions: visits ? decision.actions.slice() : noActions,
    visits: visits ? decision.visits.slice() : noVisits,
  };
}

function keepSample<S>(game: Game<S>, sample: Sample<S>): Sample<S> {
  const state = game.initial();
  game.copy(sample.state, state);
  return { state, values: [...sample.values] };
}

function compare(
  expected: Expected,
  ply: number,
  action: number,
  mover: number,
  decisions: readonly EpisodeDecision[],
): Difference | undefined {
  if (ply >= expected.actions.length)
    return { ply, kind: "length", expected: expected.actions.length, actual: ply + 1 };
  const wanted = expected.actions[ply]!;
  if (wanted !== action)
    return { ply, kind: mover === CHANCE ? "chance" : "decision", expected: wanted, actual: action };
  const values = mover === CHANCE ? undefined : expected.values?.[decisions.length - 1];
  const found = decisions.at(-1)?.values ?? [];
  const seat = values?.findIndex((value, index) => !Object.is(value, found[index])) ?? -1;
  if (seat < 0) return undefined;
  return { ply, kind: "value", expected: values![seat]!, actual: found[seat]! };
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
