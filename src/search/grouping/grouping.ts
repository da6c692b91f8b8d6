import type { Game, Grouping } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { groupedGame, type GroupedState } from "./grouped-game.ts";
import type { Decision, Search, Searching } from "../search.ts";
import type { TimeLimit } from "../time-budget.ts";

/** Creates a search that makes no evaluation requests, for any game. */
export type MakeSearch = <T>(game: Game<T>) => Search<T>;

/**
 * Puts a layer of group nodes into any tree search without a net. The search runs on a game in which the mover chooses
 * a group first. If it chooses a group, a second search decides among the actions of that group. The game must have the
 * grouping; for `none` this is the search itself.
 *
 * In the decision, the actions of the chosen group have the visits and values of the second search. An action that is
 * alone in its group has those of the first search; the others have zeros. With one group, or with one action in each
 * group, nothing changes.
 */
export function withGrouping<S>(game: Game<S>, name: string, make: MakeSearch): Search<S> {
  const grouping = name === "none" ? undefined : game.search?.groupings?.[name];
  return grouping === undefined ? make(game) : new GroupedSearch(game, grouping, make);
}

/** See `withGrouping`. */
class GroupedSearch<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #grouped: Game<GroupedState<S>>;
  readonly #search: Search<GroupedState<S>>;
  readonly #state: GroupedState<S>;
  readonly #legal: Int32Array;
  readonly #buffer: DecisionBuffer<S>;
  /** The group that the last decision chose first, or -1. */
  #group = -1;

  constructor(game: Game<S>, grouping: Grouping<S>, make: MakeSearch) {
    this.#game = game;
    this.#grouped = groupedGame(game, grouping);
    this.#search = make(this.#grouped);
    this.#state = this.#grouped.initial();
    this.#legal = new Int32Array(this.#grouped.maxLegal);
    this.#buffer = new DecisionBuffer(game);
  }

  begin(state: S): void {
    this.#group = -1;
    this.#search.begin?.(this.#at(state));
  }

  observe(state: S, action: number): void {
    const at = this.#at(state);
    // The search has observed the choice of its own group already.
    if (this.#group >= 0) at.group = this.#group;
    this.#group = -1;
    this.#search.observe?.(at, action);
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, random: Random, decisions: number, milliseconds?: number): Searching<S> {
    const { actions } = this.#game;
    const rows = this.#buffer.open(state);
    const at = this.#at(state);
    // If there are groups to choose from, the choice among them and that in the group share the time.
    const time = milliseconds === undefined || !this.#hasGroups(at) ? milliseconds : milliseconds / 2;
    const first = this.#run(at, random, decisions, time);
    let decision = first;
    const take = ({ actions: found, visits, actionValues }: Decision<GroupedState<S>>) => {
      for (const [i, action] of found.entries()) {
        const row = rows.actions.indexOf(action);
        if (row < 0) continue;
        rows.visits[row] = visits[i]!;
        rows.actionValues[row] = actionValues[i]!;
      }
    };
    take(decision);
    if (decision.action >= actions) {
      this.#search.observe?.(at, decision.action);
      this.#grouped.play(at, decision.action);
      this.#group = at.group;
      decision = this.#run(at, random, decisions, time);
      take(decision);
    }
    const index = rows.actions.indexOf(decision.action);
    const closed = this.#buffer.close(rows, index, decision.values);
    const limit = bothOf(first.limit, decision === first ? undefined : decision.limit);
    return limit === undefined ? closed : { ...closed, limit };
  }

  /** Runs the search, which makes no requests. */
  #run(
    state: GroupedState<S>,
    random: Random,
    decisions: number,
    milliseconds: number | undefined,
  ): Decision<GroupedState<S>> {
    const step = this.#search.search(state, random, decisions, milliseconds).next();
    if (step.done !== true) throw new TypeError("a grouped search requested an evaluation");
    return step.value;
  }

  #hasGroups(state: GroupedState<S>): boolean {
    const count = this.#grouped.legal(state, this.#legal);
    // Groups are listed last.
    return this.#legal[count - 1]! >= this.#game.actions;
  }

  #at(state: S): GroupedState<S> {
    this.#game.copy(state, this.#state.inner);
    this.#state.group = -1;
    return this.#state;
  }
}

/** The limit of two searches of one decision: their times add up. */
function bothOf(first: TimeLimit | undefined, second: TimeLimit | undefined): TimeLimit | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { clock: first.clock, milliseconds: first.milliseconds + second.milliseconds };
}

/** The option `grouping` of a search. */
export const groupingOption = Type.Optional(
  Type.String({
    default: "none",
    description:
      "The name of a grouping of the game's actions (in Daihinmin AI1, AI2, AI3), for a layer of group nodes in the tree. none: no such layer.",
  }),
);

/** The reason why the game does not have this grouping, or undefined if it has. */
export function unsuitedGrouping<S>(
  { name, search }: Game<S>,
  { grouping }: { readonly grouping: string },
): string | undefined {
  const groupings = search?.groupings ?? {};
  if (grouping === "none" || Object.hasOwn(groupings, grouping)) return undefined;
  return `${name} has no grouping "${grouping}" (it has: ${["none", ...Object.keys(groupings)].join(", ")})`;
}
