import type { Game, Grouping } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { groupedGame, type GroupedState } from "./grouped-game.ts";
import type { Decision, Search, Searching } from "../search.ts";

/** A search that asks for no evaluations, for any game. */
export type MakeSearch = <T>(game: Game<T>) => Search<T>;

/**
 * Puts a layer of group nodes into any tree search without a net: it searches the game in which a mover chooses a group
 * first. Where the decision is a group, its actions get a search of their own. The game must have the grouping; `none`
 * is the search itself.
 *
 * The decision has visits and values of the second search for actions of the chosen group, and for others of the first
 * one those that stand by themselves. With one group, or one action a group, nothing changes.
 */
export function withGrouping<S>(game: Game<S>, name: string, make: MakeSearch): Search<S> {
  const grouping = name === "none" ? undefined : game.search?.groupings?.[name];
  return grouping === undefined ? make(game) : new GroupedSearch(game, grouping, make);
}

/** See `withGrouping`. */
export class GroupedSearch<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #grouped: Game<GroupedState<S>>;
  readonly #search: Search<GroupedState<S>>;
  readonly #state: GroupedState<S>;
  readonly #buffer: DecisionBuffer<S>;
  /** The group that the last decision went through, or -1. */
  #group = -1;

  constructor(game: Game<S>, grouping: Grouping<S>, make: MakeSearch) {
    this.#game = game;
    this.#grouped = groupedGame(game, grouping);
    this.#search = make(this.#grouped);
    this.#state = this.#grouped.initial();
    this.#buffer = new DecisionBuffer(game);
  }

  begin(state: S): void {
    this.#group = -1;
    this.#search.begin?.(this.#at(state));
  }

  observe(state: S, action: number): void {
    const at = this.#at(state);
    // Its own group has been told when it was chosen.
    if (this.#group >= 0) at.group = this.#group;
    this.#group = -1;
    this.#search.observe?.(at, action);
  }

  // oxlint-disable-next-line require-yield -- it asks for no evaluation
  *search(state: S, random: Random, decisions: number): Searching<S> {
    const { actions } = this.#game;
    const rows = this.#buffer.open(state);
    const at = this.#at(state);
    let decision = this.#run(at, random, decisions);
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
      decision = this.#run(at, random, decisions);
      take(decision);
    }
    return this.#buffer.close(rows, rows.actions.indexOf(decision.action), decision.values);
  }

  /** Runs the search, which asks for nothing. */
  #run(state: GroupedState<S>, random: Random, decisions: number): Decision<GroupedState<S>> {
    const step = this.#search.search(state, random, decisions).next();
    if (step.done !== true) throw new TypeError("a grouped search asked for an evaluation");
    return step.value;
  }

  #at(state: S): GroupedState<S> {
    this.#game.copy(state, this.#state.inner);
    this.#state.group = -1;
    return this.#state;
  }
}

/** The option `grouping` of searches: its description tells of the present games. */
export const groupingDescription =
  "A grouping of the game by name, for a layer of group nodes (in Daihinmin AI1, AI2, AI3); none: without.";

/** Why a grouping cannot be had, or undefined where it can. */
export function unsuitedGrouping<S>(
  { name, search }: Game<S>,
  { grouping }: { readonly grouping: string },
): string | undefined {
  const groupings = search?.groupings ?? {};
  if (grouping === "none" || Object.hasOwn(groupings, grouping)) return undefined;
  return `${name} has no grouping "${grouping}" (it has: ${["none", ...Object.keys(groupings)].join(", ")})`;
}
