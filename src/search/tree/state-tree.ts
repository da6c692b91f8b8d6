import type { Game } from "../../games/game.ts";
import { NONE, ROOT, widened } from "./nodes.ts";

/**
 * A search tree that keeps the state of each visited node, as a structure of arrays. A node is a number, and the
 * children of a node are consecutive.
 *
 * A node stands for the position after the action that leads to it: a decision, a chance ply or the end of the game. A
 * node is *added* together with its siblings, and *entered* when the search first needs its position. Only entered
 * nodes hold a state. The arrays grow by doubling and are used again by the next search.
 */
export class StateTree<S> {
  readonly game: Game<S>;
  readonly players: number;
  /** Number of nodes. */
  size = 0;
  /** Of each entered node: the seat to move, CHANCE or OVER. */
  toMove: Int16Array;
  /** Of each node: the action or chance outcome that leads to it. */
  action: Int32Array;
  /** Of each node: its first child, or NONE while it is a leaf. */
  firstChild: Int32Array;
  childCount: Int32Array;
  /** Of each node: the number of simulations that passed through it or ended in it. */
  visits: Int32Array;
  /** Of each child of a chance node: the probability of its outcome, which the search sets after `addChildren`. */
  probability: Float64Array;
  /** Row-major [node, players]: the return of each seat from the node on, as the search estimates it. */
  values: Float64Array;
  /** Row-major [node, players]: the reward of each seat for the action that leads to the node. */
  rewards: Float64Array;
  /** Of each node: the index of its state in `states`, or NONE. */
  slot: Int32Array;
  /** The states of the entered nodes. The first `#slots` are in use; the others are kept for later searches. */
  readonly states: S[] = [];
  #slots = 0;
  readonly #before: Float64Array;
  readonly #after: Float64Array;

  constructor(game: Game<S>, capacity = 256) {
    this.game = game;
    this.players = game.players;
    this.toMove = new Int16Array(capacity);
    this.action = new Int32Array(capacity);
    this.firstChild = new Int32Array(capacity);
    this.childCount = new Int32Array(capacity);
    this.visits = new Int32Array(capacity);
    this.probability = new Float64Array(capacity);
    this.values = new Float64Array(capacity * game.players);
    this.rewards = new Float64Array(capacity * game.players);
    this.slot = new Int32Array(capacity);
    this.#before = new Float64Array(game.players);
    this.#after = new Float64Array(game.players);
  }

  /** Starts again with only a root, at a copy of `state`. */
  reset(state: S): void {
    this.size = 0;
    this.#slots = 0;
    this.#add(1);
    const slot = this.#newSlot();
    this.slot[ROOT] = slot;
    this.game.copy(state, this.states[slot]!);
    this.toMove[ROOT] = this.game.toMove(state);
  }

  /** Makes this tree equal to another one of the same game. */
  assign(from: StateTree<S>): void {
    while (this.toMove.length < from.size) this.#grow();
    this.size = from.size;
    copyInto(this.toMove, from.toMove, from.size);
    copyInto(this.action, from.action, from.size);
    copyInto(this.firstChild, from.firstChild, from.size);
    copyInto(this.childCount, from.childCount, from.size);
    copyInto(this.visits, from.visits, from.size);
    copyInto(this.probability, from.probability, from.size);
    copyInto(this.slot, from.slot, from.size);
    copyInto(this.values, from.values, from.size * this.players);
    copyInto(this.rewards, from.rewards, from.size * this.players);
    this.#slots = 0;
    while (this.#slots < from.#slots) {
      const slot = this.#newSlot();
      this.game.copy(from.states[slot]!, this.states[slot]!);
    }
  }

  /** Adds children for the first `count` actions without entering them. Returns the first child. */
  addChildren(node: number, actions: Int32Array, count: number): number {
    const first = this.#add(count);
    for (let i = 0; i < count; i++) this.action[first + i] = actions[i]!;
    this.firstChild[node] = first;
    this.childCount[node] = count;
    return first;
  }

  /** Computes the state, the mover and the rewards of a child. `parent` must have been entered. */
  enter(parent: number, child: number): void {
    const slot = this.#newSlot();
    const game = this.game;
    const from = this.states[this.slot[parent]!]!;
    const state = this.states[slot]!;
    game.copy(from, state);
    game.play(state, this.action[child]!);
    this.slot[child] = slot;
    this.toMove[child] = game.toMove(state);
    game.returns(from, this.#before);
    game.returns(state, this.#after);
    const at = child * this.players;
    for (let seat = 0; seat < this.players; seat++)
      this.rewards[at + seat] = this.#after[seat]! - this.#before[seat]!;
  }

  /** The state of an entered node. */
  state(node: number): S {
    return this.states[this.slot[node]!]!;
  }

  /** Q of a seat for the action that leads to a child: its reward plus the value of the child. */
  actionValue(child: number, seat: number): number {
    const at = child * this.players + seat;
    return this.rewards[at]! + this.values[at]!;
  }

  #add(count: number): number {
    const first = this.size;
    const size = first + count;
    while (this.toMove.length < size) this.#grow();
    // Loops: `fill` on a handful of elements costs more than the rest of an expansion.
    for (let node = first; node < size; node++) {
      this.firstChild[node] = NONE;
      this.slot[node] = NONE;
      this.childCount[node] = 0;
      this.visits[node] = 0;
    }
    for (let at = first * this.players; at < size * this.players; at++) {
      this.values[at] = 0;
      this.rewards[at] = 0;
    }
    this.size = size;
    return first;
  }

  #newSlot(): number {
    if (this.#slots === this.states.length) this.states.push(this.game.initial());
    return this.#slots++;
  }

  #grow(): void {
    this.toMove = widened(this.toMove, new Int16Array(2 * this.toMove.length));
    this.action = widened(this.action, new Int32Array(2 * this.action.length));
    this.firstChild = widened(this.firstChild, new Int32Array(2 * this.firstChild.length));
    this.childCount = widened(this.childCount, new Int32Array(2 * this.childCount.length));
    this.visits = widened(this.visits, new Int32Array(2 * this.visits.length));
    this.probability = widened(this.probability, new Float64Array(2 * this.probability.length));
    this.values = widened(this.values, new Float64Array(2 * this.values.length));
    this.rewards = widened(this.rewards, new Float64Array(2 * this.rewards.length));
    this.slot = widened(this.slot, new Int32Array(2 * this.slot.length));
  }
}

function copyInto<A extends Int16Array | Int32Array | Float64Array>(into: A, from: A, count: number): void {
  for (let i = 0; i < count; i++) into[i] = from[i]!;
}
