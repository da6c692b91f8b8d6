import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";
import { ROOT } from "./nodes.ts";
import type { Backup, Choice, Leaf, LeafRequest, Moves, Selection } from "./parts.ts";
import type { Walk } from "./walk.ts";

/** The parts that a tree search is composed of. */
export interface TreeSearchParts<S> {
  /** The simulations that run side by side and share a request: in trees of their own, or in the same tree. */
  readonly walks: readonly Walk<S>[];
  readonly moves: Moves<S>;
  readonly selection: Selection<S>;
  readonly leaf: Leaf<S>;
  readonly backup: Backup<S>;
  readonly choice: Choice<S>;
  /** Whether a new root is opened by a simulation of its own, of the first walk alone. */
  readonly opening: boolean;
  /** Wall time of a decision, in place of its number of simulations. 0 or absent: no limit. */
  readonly milliseconds?: number;
}

/**
 * The loop of every Monte Carlo tree search: select, expand, evaluate, back up, and choose at the end. What each of
 * these means is a part that is passed in.
 *
 * A simulation goes from the root along edges that `selection` selects, and that chance draws, until `moves` says that
 * it ends. `leaf` evaluates the last node, and `backup` updates all nodes on the path. Simulation i runs in all walks
 * before simulation i + 1 runs in any.
 */
export class TreeSearch<S> implements Search<S> {
  readonly maxRequest: number;
  readonly #game: Game<S>;
  readonly #parts: TreeSearchParts<S>;
  readonly #budget: TimeBudget;
  readonly #request: LeafRequest<S>;

  constructor(game: Game<S>, parts: TreeSearchParts<S>) {
    const { leaf, walks } = parts;
    this.#game = game;
    this.#parts = parts;
    this.#budget = new TimeBudget(parts.milliseconds ?? 0);
    this.maxRequest = walks.length * leaf.maxRequest;
    this.#request = {
      states: [],
      count: 0,
      values: new Float64Array(this.maxRequest * game.players),
      ...(leaf.priors ? { priors: new Float32Array(this.maxRequest * game.maxLegal) } : {}),
    };
  }

  begin(state: S): void {
    this.#parts.choice.begin?.(state);
  }

  observe(state: S, action: number): void {
    this.#parts.choice.observe?.(state, action);
  }

  *search(state: S, random: Random, decisions: number): Searching<S> {
    const { walks, choice, opening } = this.#parts;
    const request = this.#request;
    const root = this.#game.toMove(state);
    for (const walk of walks) walk.root = root;
    const simulations = choice.start(state, random, decisions);
    this.#budget.start();
    const opens = opening && walks[0]!.tree.visits[ROOT] === 0;
    if (!opens) choice.opened?.(state, random, decisions);
    for (let done = opens ? -1 : 0, number = 1; this.#goesOn(done, simulations); done++, number++) {
      const active = done < 0 ? 1 : walks.length;
      request.count = 0;
      for (let i = 0; i < active; i++) this.#descend(walks[i]!, state, number, random);
      if (request.count > 0) yield request;
      let row = 0;
      for (let i = 0; i < active; i++) row = this.#backUp(walks[i]!, row, number, random);
      if (done < 0) choice.opened?.(state, random, decisions);
    }
    return choice.decide(state, random, decisions);
  }

  /** Whether another simulation follows. `done` simulations have been made; -1 before the one that opens the root. */
  #goesOn(done: number, simulations: number): boolean {
    if (done < 0) return true;
    if (this.#parts.choice.settled?.() === true) return false;
    // Under a time limit at least one move is tried, so that there is a move to play.
    return this.#budget.limited && simulations > 0 ? done === 0 || !this.#budget.spent() : done < simulations;
  }

  /** Takes a walk from the root to the node where its simulation ends, and prepares the evaluation of that node. */
  #descend(walk: Walk<S>, root: S, simulation: number, random: Random): void {
    const { moves, selection, leaf } = this.#parts;
    selection.begin?.(simulation, random);
    walk.length = 0;
    let node = moves.start(walk, root, random);
    for (;;) {
      const at = walk.push(node);
      const mover = moves.open(walk, node, random);
      if (mover === OVER) break;
      const edge =
        mover === CHANCE ? moves.outcome(walk, node, random) : selection.select(walk, node, random);
      walk.edges[at] = edge;
      node = moves.follow(walk, node, edge, random);
    }
    leaf.open(walk, node, this.#request, random);
  }

  /** Takes the evaluation of a walk's leaf to the nodes of its path. Returns the next row of the response. */
  #backUp(walk: Walk<S>, row: number, simulation: number, random: Random): number {
    const { leaf, backup } = this.#parts;
    const { nodes, length } = walk;
    const { visits } = walk.tree;
    const next = leaf.close(walk, nodes[length - 1]!, this.#request, row, random);
    for (let depth = 0; depth < length; depth++) visits[nodes[depth]!]!++;
    backup.update(walk, simulation, random);
    return next;
  }
}
