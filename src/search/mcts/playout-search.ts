import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { mostVisited } from "../choice/move-choice.ts";
import { type SimulationParts, Simulator } from "./simulator.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import { PlayoutTree } from "./playout-tree.ts";
import type { Decision, Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";

/** The parts and settings of a Monte Carlo tree search by playouts. */
export interface PlayoutSearchParts<S> extends SimulationParts<S> {
  /** Simulations of a decision, without the first one of a new tree. Ignored where there is a time limit. */
  readonly simulations: number;
  /** Wall time of a decision; 0 means no limit. */
  readonly milliseconds: number;
  /** Whether the tree below the moves played is kept for the next decision. */
  readonly reuse: boolean;
  /** T of the policy target n exp(q / T). With 0 the visits are the target. */
  readonly learnTemperature: number;
}

/**
 * Monte Carlo tree search by playouts, for any number of players. It plays the most visited move; of equally visited
 * moves the one with the greater value. It makes no evaluation requests.
 *
 * With a solver it plays the best proven move, unless the most visited other move has a greater mean: a proven move
 * gets no further visits. The search ends when the root is proven.
 *
 * The statistics of moves (Progressive History) and a kept tree last for one game, which starts with `begin`. Outside a
 * game they last for one decision.
 */
export class PlayoutSearch<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #parts: PlayoutSearchParts<S>;
  readonly #simulator: Simulator<S>;
  readonly #budget: TimeBudget;
  readonly #buffer: DecisionBuffer<S>;
  readonly #soFar: Float64Array;
  #spare: PlayoutTree;
  /** The node of the game's current position in the kept tree, or NONE. */
  #kept = NONE;
  #inGame = false;

  constructor(game: Game<S>, parts: PlayoutSearchParts<S>) {
    this.#game = game;
    this.#parts = parts;
    this.#simulator = new Simulator(game, parts);
    this.#budget = new TimeBudget(parts.milliseconds);
    this.#buffer = new DecisionBuffer(game);
    this.#soFar = new Float64Array(game.players);
    this.#spare = new PlayoutTree(game.players, parts.solver);
  }

  begin(): void {
    this.#forget();
    this.#inGame = true;
  }

  observe(state: S, action: number): void {
    if (this.#kept === NONE) return;
    const { tree } = this.#simulator;
    const { reuse, opponents } = this.#parts;
    if (!reuse || !opponents.follows || tree.firstEdge[this.#kept] === NONE) {
      this.#kept = NONE;
      return;
    }
    const mover = this.#game.toMove(state);
    const edge = tree.edgeOf(this.#kept, mover < 0 ? action : mover * this.#game.actions + action);
    this.#kept = edge === NONE ? NONE : tree.child[edge]!;
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, random: Random, _decisions: number): Searching<S> {
    const { simulations, solver } = this.#parts;
    const budget = this.#budget;
    const simulator = this.#simulator;
    this.#plant(state);
    const { tree } = simulator;
    budget.start();
    if (tree.visits[ROOT] === 0) simulator.simulate(random);
    // Under a time limit at least one move is tried, so that there is a move to play.
    for (let done = 0; budget.limited ? done === 0 || !budget.spent() : done < simulations; done++) {
      if (solver && tree.proven[ROOT] === 1) break;
      simulator.simulate(random);
    }
    return this.#decide(state);
  }

  #forget(): void {
    this.#kept = NONE;
    this.#simulator.history.clear();
  }

  /** Starts the tree of a decision: with the kept part of the last tree, or with only a root. */
  #plant(state: S): void {
    const simulator = this.#simulator;
    const mover = this.#game.toMove(state);
    // Statistics of play against one seat say nothing about play against another.
    if (!this.#inGame || (this.#parts.opponents.hostile && mover !== simulator.root)) this.#forget();
    simulator.startFrom(state);
    const { tree } = simulator;
    if (this.#kept === NONE) {
      tree.clear();
      tree.addNode(mover);
    } else if (this.#kept !== ROOT) {
      this.#spare.assign(tree, this.#kept);
      simulator.tree = this.#spare;
      this.#spare = tree;
    }
    this.#kept = ROOT;
  }

  #decide(state: S): Decision<S> {
    const game = this.#game;
    const { tree } = this.#simulator;
    const rows = this.#buffer.open(state);
    const { visits, actionValues } = rows;
    const mover = game.toMove(state);
    const soFar = this.#soFar.fill(0);
    // Returns count from the start of the game, but the values of a decision from its position on.
    if (this.#parts.payoff === "score") game.returns(state, soFar);
    const first = tree.firstEdge[ROOT]!;
    for (let i = 0; i < visits.length; i++) {
      const child = tree.child[first + i]!;
      if (child === NONE) continue;
      visits[i] = tree.visits[child]!;
      actionValues[i] = tree.mean(child, mover) - soFar[mover]!;
    }
    const index = this.#choose(first, visits, actionValues);
    const child = tree.child[first + index]!;
    const values = Array.from(soFar, (before, seat) => tree.mean(child, seat) - before);
    const decision = this.#buffer.close(rows, index, values);
    return this.#parts.learnTemperature === 0 ? decision : { ...decision, policy: this.#policy(decision) };
  }

  /** n exp((q - best q) / T); 0 for a move without visits. */
  #policy({ visits, actionValues }: Decision<S>): Float64Array {
    const { learnTemperature } = this.#parts;
    let best = -Infinity;
    for (let i = 0; i < visits.length; i++)
      if (visits[i]! > 0 && actionValues[i]! > best) best = actionValues[i]!;
    return visits.map((n, i) => (n === 0 ? 0 : n * Math.exp((actionValues[i]! - best) / learnTemperature)));
  }

  /** The index of the move to play. */
  #choose(first: number, visits: Float64Array, values: Float64Array): number {
    const { tree } = this.#simulator;
    if (!this.#parts.solver) return mostVisited(visits, values);
    const proven = (i: number) => {
      const child = tree.child[first + i]!;
      return child !== NONE && tree.proven[child] === 1;
    };
    const exact = values.map((value, i) => (proven(i) ? value : -Infinity));
    const known = mostVisited(exact, visits);
    const open = mostVisited(
      visits.map((count, i) => (proven(i) ? -1 : count)),
      values,
    );
    return tree.proven[ROOT] === 1 || exact[known]! >= values[open]! ? known : open;
  }
}
