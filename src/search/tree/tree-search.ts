import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { Outlook, Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";
import { NONE, ROOT } from "./nodes.ts";
import type { Resignation } from "../choice/resignation.ts";
import type { Backup, Choice, Leaf, LeafRequest, Moves, Selection } from "./parts.ts";
import type { VirtualLosses } from "./virtual-losses.ts";
import type { Walk } from "./walk.ts";

/** The parts that a tree search is composed of. */
export interface TreeSearchParts<S> {
  /** The walks that run side by side and share a request: in trees of their own, or in the same tree. */
  readonly walks: readonly Walk<S>[];
  /**
   * Keeps the paths of the walks apart if every walk is a simulation of its own, so that several leaves of one tree are in
   * flight. The last request then has as many leaves as simulations are left. Absent: all walks together are one simulation.
   */
  readonly losses?: VirtualLosses | undefined;
  readonly moves: Moves<S>;
  readonly selection: Selection<S>;
  readonly leaf: Leaf<S>;
  readonly backup: Backup<S>;
  readonly choice: Choice<S>;
  /** Whether a new root is opened by a simulation of its own, of the first walk alone. */
  readonly opening: boolean;
  /**
   * Time of a decision, in place of its number of simulations; it ends a choice that plans early. 0: no limit, unless a decision
   * is given one. Absent: only choices for which any number is possible have limits.
   */
  readonly milliseconds?: number;
  /** Reads the processor seconds of the thread, which `milliseconds` counts; absent: it counts wall time. */
  readonly threadSeconds?: (() => number) | undefined;
  /** Says when the player gives a game up; absent: never. */
  readonly resignation?: Resignation | undefined;
  /** Whether any number of simulations is possible. Absent if the choice plans for a number of its own. */
  readonly openEnded?: boolean;
}

/** The part of a time limit that a choice plans for: the rest is for moves that take longer than the last one. */
const PLANNED = 0.9;

/**
 * The loop of every Monte Carlo tree search: select, expand, evaluate, back up, and choose at the end. What each of
 * these means is a part that is passed in.
 *
 * A simulation goes from the root along edges that `selection` selects, and that chance draws, until `moves` says that
 * it ends. `leaf` evaluates the last node, and `backup` updates all nodes on the path. All walks descend before any is
 * backed up.
 *
 * With virtual losses, a walk that reaches a node which another walk has in flight waits there. It continues from this node when
 * the others have been backed up, before new walks start.
 */
export class TreeSearch<S> implements Search<S> {
  readonly maxRequest: number;
  readonly #game: Game<S>;
  readonly #parts: TreeSearchParts<S>;
  readonly #budget: TimeBudget;
  readonly #request: LeafRequest<S>;
  /** The walks; those that wait come first, in the order in which they started. */
  readonly #walks: Walk<S>[];
  readonly resume?: NonNullable<Search<S>["resume"]>;
  readonly outlook?: NonNullable<Search<S>["outlook"]>;
  readonly policyChange?: NonNullable<Search<S>["policyChange"]>;
  /** Simulations in a millisecond of wall time in the last decision under a limit. */
  #speed: number | undefined;
  /** Of the last decision: the number of simulations that its choice asked for, and the number of the next one. */
  #asked = 0;
  #next = 1;

  constructor(game: Game<S>, parts: TreeSearchParts<S>) {
    const { leaf, walks } = parts;
    this.#game = game;
    this.#parts = parts;
    this.#walks = [...walks];
    this.#budget = new TimeBudget(parts.milliseconds ?? 0, parts.threadSeconds);
    this.maxRequest = walks.length * leaf.maxRequest;
    this.#request = {
      states: [],
      count: 0,
      values: new Float64Array(this.maxRequest * game.players),
      ...(leaf.priors ? { priors: new Float32Array(this.maxRequest * game.maxLegal) } : {}),
    };
    if (parts.openEnded === true)
      this.resume = (state, random, decisions, milliseconds) =>
        this.#run(state, random, decisions, milliseconds, true);
    const { choice } = parts;
    if (choice.policyChange !== undefined) this.policyChange = () => choice.policyChange!();
    if (parts.moves.action !== undefined) this.outlook = (action) => this.#outlook(action);
  }

  begin(state: S): void {
    this.#parts.choice.begin?.(state);
    this.#parts.resignation?.begin();
  }

  observe(state: S, action: number): void {
    this.#parts.choice.observe?.(state, action);
  }

  search(state: S, random: Random, decisions: number, milliseconds?: number): Searching<S> {
    return this.#run(
      state,
      random,
      decisions,
      this.#parts.milliseconds === undefined && this.#parts.openEnded !== true ? undefined : milliseconds,
      false,
    );
  }

  /** A decision, or its continuation if it is `resumed`. */
  *#run(
    state: S,
    random: Random,
    decisions: number,
    milliseconds: number | undefined,
    resumed: boolean,
  ): Searching<S> {
    const { choice, leaf, losses, opening } = this.#parts;
    const walks = this.#walks;
    const requests = [this.#request, ...(leaf.furtherRequests ?? [])];
    if (!resumed) {
      const root = this.#game.toMove(state);
      for (const walk of walks) walk.root = root;
      this.#asked = choice.start(state, random, decisions, this.#inTime(milliseconds));
      this.#next = 1;
    }
    const simulations = this.#asked;
    this.#budget.start(milliseconds);
    const opens = !resumed && opening && walks[0]!.tree.visits[ROOT] === 0;
    if (!opens && !resumed) choice.opened?.(state, random, decisions);
    let number = this.#next;
    let steps = 1;
    for (let done = opens ? -1 : 0; this.#continues(done, simulations, steps); done += steps) {
      const active = done < 0 ? 1 : this.#active(simulations - done);
      const numberOf = (walk: number) => (losses === undefined ? number : number + walk);
      for (const each of requests) each.count = 0;
      let started = 0;
      for (; started < active && this.#mayStart(started); started++)
        this.#descend(walks[started]!, state, numberOf(started), random);
      for (const each of requests) if (each.count > 0) yield each;
      let row = 0;
      let waiting = 0;
      for (let i = 0; i < started; i++)
        if (walks[i]!.waits) waiting++;
        else row = this.#backUp(walks[i]!, row, numberOf(i), random);
      if (waiting > 0) walks.sort((one, other) => Number(other.waits) - Number(one.waits));
      if (done < 0) choice.opened?.(state, random, decisions);
      steps = losses === undefined ? 1 : started - waiting;
      number += steps;
    }
    if (this.#budget.limited && number > this.#next)
      this.#speed = (number - this.#next) / Math.max(0.01, this.#budget.elapsed);
    this.#next = number;
    // The time was up: walks that still wait count for nothing.
    for (const walk of walks) if (walk.waits) this.#giveUp(walk);
    const chosen = choice.decide(state, random, decisions);
    const { reached: limit } = this.#budget;
    const decision = limit === undefined ? chosen : { ...chosen, limit };
    const { resignation } = this.#parts;
    if (resumed || resignation === undefined) return decision;
    const mover = this.#game.toMove(state);
    return resignation.resigns(mover, decision.values[mover]!) ? { ...decision, resigns: true } : decision;
  }

  /** How many simulations a limit is expected to hold, for a choice that plans; undefined until one was measured. */
  #inTime(milliseconds: number | undefined): number | undefined {
    const limit = this.#budget.limitOf(milliseconds);
    if (this.#parts.openEnded === true || limit === 0 || this.#speed === undefined) return undefined;
    return Math.max(1, Math.floor(PLANNED * this.#speed * limit));
  }

  /**
   * Whether another simulation follows. `done` simulations have been made, the last `steps` since the last call; `done` is -1
   * before the one that opens the root.
   */
  #continues(done: number, simulations: number, steps: number): boolean {
    if (done < 0) return true;
    if (this.#parts.choice.settled?.() === true) return false;
    // Under a time limit at least one move is tried, so that there is a move to play.
    if (!this.#budget.limited || simulations <= 0) return done < simulations;
    // A choice that plans ends with its plan, or earlier.
    if (this.#parts.openEnded !== true && done >= simulations) return false;
    return done === 0 || !this.#budget.spent(steps);
  }

  /** The number of walks that descend next if `left` simulations are left. */
  #active(left: number): number {
    const { losses, openEnded, walks } = this.#parts;
    const counted = !this.#budget.limited || openEnded !== true;
    return losses !== undefined && counted ? Math.min(left, walks.length) : walks.length;
  }

  /** Whether the next walk may descend while so many others are in flight. One that waits continues in any case. */
  #mayStart(inFlight: number): boolean {
    if (inFlight === 0 || this.#walks[inFlight]!.waits) return true;
    return this.#parts.selection.awaitsAll?.() !== true;
  }

  #giveUp(walk: Walk<S>): void {
    this.#parts.losses!.remove(walk);
    walk.waits = false;
  }

  /** The line of most visits behind an action of the root. */
  #outlook(action: number): Outlook {
    const { moves, walks } = this.#parts;
    const { tree } = walks[0]!;
    const actionOf = (edge: number): number => moves.action!(tree.key[edge]!);
    const edgesOf = (node: number): number[] =>
      Array.from({ length: tree.edgeCount[node]! }, (_, i) => tree.firstEdge[node]! + i);
    const visitsOf = (edge: number): number =>
      tree.child[edge] === NONE ? 0 : tree.visits[tree.child[edge]!]!;
    const first = edgesOf(ROOT).find((edge) => actionOf(edge) === action);
    if (first === undefined) return { variation: [action] };
    const variation: number[] = [];
    for (let edge: number | undefined = first; edge !== undefined;) {
      variation.push(actionOf(edge));
      const node: number = tree.child[edge]!;
      if (node === NONE || tree.toMove[node]! < 0) break;
      edge = undefined;
      for (const each of edgesOf(node))
        if (visitsOf(each) > (edge === undefined ? 0 : visitsOf(edge))) edge = each;
    }
    const prior = moves.prior?.(first);
    return { ...(prior === undefined ? {} : { prior }), variation };
  }

  /**
   * Takes a walk from the root, or from the node where it waits, to the node where its simulation ends, and prepares the
   * evaluation of that node; or to one where it waits.
   */
  #descend(walk: Walk<S>, root: S, simulation: number, random: Random): void {
    const { moves, selection, leaf, losses } = this.#parts;
    if (walk.waits) this.#giveUp(walk);
    else {
      selection.begin?.(walk, simulation, random);
      walk.length = 0;
      walk.push(moves.start(walk, root, random));
    }
    let node: number;
    for (;;) {
      const at = walk.length - 1;
      node = walk.nodes[at]!;
      if (losses !== undefined && moves.inFlight?.(walk, node) === true) {
        walk.waits = true;
        return losses.add(walk);
      }
      const mover = moves.open(walk, node, random);
      if (mover === OVER) break;
      const edge =
        mover === CHANCE ? moves.outcome(walk, node, random) : selection.select(walk, node, random);
      walk.edges[at] = edge;
      walk.push(moves.follow(walk, node, edge, random));
    }
    losses?.add(walk);
    leaf.open(walk, node, this.#request, random);
  }

  /** Takes the evaluation of a walk's leaf to the nodes of its path. Returns the next row of the response. */
  #backUp(walk: Walk<S>, row: number, simulation: number, random: Random): number {
    const { leaf, backup, losses } = this.#parts;
    const { nodes, length } = walk;
    const { visits } = walk.tree;
    const next = leaf.close(walk, nodes[length - 1]!, this.#request, row, random);
    losses?.remove(walk);
    for (let depth = 0; depth < length; depth++) visits[nodes[depth]!]!++;
    backup.update(walk, simulation, random);
    return next;
  }
}
