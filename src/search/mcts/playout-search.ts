import { Resignation, type ResignOption } from "../choice/resignation.ts";
import type { Game } from "../../games/game.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { mostVisited } from "../choice/move-choice.ts";
import { PassLast } from "../choice/pass-last.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import type { Decision, Search } from "../search.ts";
import { KeptTree } from "../tree/kept-tree.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { Choice } from "../tree/parts.ts";
import { TreeSearch } from "../tree/tree-search.ts";
import { Walk } from "../tree/walk.ts";
import { ActionHistory } from "./action-history.ts";
import { Amaf } from "./amaf.ts";
import { ChildPriors } from "./child-priors.ts";
import type { Opponents } from "./opponents.ts";
import type { PayoffName } from "./payoff.ts";
import { PlayoutBackup, PlayoutLeaf, PlayoutMoves } from "./playout-parts.ts";
import { PlayoutSelection } from "./playout-selection.ts";
import { PlayoutTree } from "./playout-tree.ts";
import { RaveSelection } from "./rave-selection.ts";
import type { SelectionOptions } from "./selection-options.ts";
import { Widening } from "./widening.ts";

/** What searches by playouts differ in. */
export interface PlayoutSearchParts<S> extends SelectionOptions {
  readonly opponents: Opponents<S>;
  /** C of UCB1. */
  readonly exploration: number;
  /** W of Progressive History; 0 turns it off. */
  readonly progressiveHistory: number;
  readonly epsilon: number;
  readonly payoff: PayoffName;
  /** Visits of a leaf before the visit that expands it. The root needs one. */
  readonly expansion: number;
  readonly solver: boolean;
  /** Simulations of a decision, without the first one of a new tree. Ignored if there is a time limit. */
  readonly simulations: number;
  /** Time of a decision; 0 means no limit. */
  readonly milliseconds: number;
  /** Reads the processor seconds of the thread, which `milliseconds` counts; absent: it counts wall time. */
  readonly threadSeconds?: (() => number) | undefined;
  /** Whether the tree below the moves played is kept for the next decision. */
  readonly reuse: boolean;
  /** Whether a player that expects to win passes only if no other move that may settle something is as good. */
  readonly passLast?: boolean;
  /** When the player gives a game up; absent or null: never. */
  readonly resign?: ResignOption;
  /** T of the policy target n exp(q / T). With 0 the visits are the target. */
  readonly learnTemperature: number;
}

/** Makes a Monte Carlo tree search by playouts, for any number of players. It makes no evaluation requests. */
export function playoutSearch<S>(game: Game<S>, parts: PlayoutSearchParts<S>): Search<S> {
  const { opponents, payoff, progressiveHistory, solver, rave, prior, widening } = parts;
  const { mostMoves: moves, hostile } = opponents;
  const playouts = new PlayoutTree(game.players, opponents, progressiveHistory, solver);
  const { tree } = playouts;
  const keys = game.players * game.actions;
  const history = progressiveHistory > 0 ? new ActionHistory(keys) : undefined;
  const amaf = rave === null ? undefined : new Amaf(tree, keys);
  const priors = prior === null ? undefined : new ChildPriors(tree, game, prior, moves);
  const policy = new PlayoutPolicy(game, parts.epsilon);
  const plain = amaf === undefined && prior === null && widening === null && parts.firstPlay === null;
  const selection = plain
    ? new PlayoutSelection<S>(playouts, parts.exploration, history, moves)
    : new RaveSelection<S>(
        {
          playouts,
          hostile,
          history,
          amaf,
          priors: priors?.column,
          widening: widening === null ? undefined : new Widening(tree, widening, priors?.column, moves),
          moves,
        },
        parts,
      );
  return new TreeSearch(game, {
    walks: [new Walk(game, tree)],
    moves: new PlayoutMoves(game, playouts, opponents, parts.expansion, priors),
    selection,
    leaf: new PlayoutLeaf(game, playouts, policy, payoff, (history ?? amaf) !== undefined),
    backup: new PlayoutBackup(game, playouts, opponents, payoff, history, policy, amaf),
    choice: new PlayoutChoice(game, playouts, history, parts),
    opening: true,
    milliseconds: parts.milliseconds,
    threadSeconds: parts.threadSeconds,
    resignation: Resignation.of(parts.resign),
    openEnded: true,
  });
}

/**
 * Plays the most visited move; of equally visited moves the one with the greater value.
 *
 * With a solver it plays the best proven move, unless the most visited other move has a greater mean: a proven move
 * gets no further visits. The search ends when the root is proven.
 *
 * The statistics of moves (Progressive History) and a kept tree last for one game, which starts with `begin`. Outside a
 * game they last for one decision.
 */
class PlayoutChoice<S> implements Choice<S> {
  readonly #game: Game<S>;
  readonly #playouts: PlayoutTree;
  readonly #history: ActionHistory | undefined;
  readonly #parts: PlayoutSearchParts<S>;
  readonly #kept: KeptTree;
  readonly #passLast: PassLast<S> | undefined;
  readonly #buffer: DecisionBuffer<S>;
  readonly #soFar: Float64Array;
  /** The seat that the last decision was made for. */
  #root = NONE;
  #inGame = false;

  constructor(
    game: Game<S>,
    playouts: PlayoutTree,
    history: ActionHistory | undefined,
    parts: PlayoutSearchParts<S>,
  ) {
    this.#game = game;
    this.#playouts = playouts;
    this.#history = history;
    this.#parts = parts;
    this.#kept = new KeptTree(playouts.tree, parts.reuse && parts.opponents.follows);
    this.#passLast = PassLast.of(game, parts.passLast);
    this.#buffer = new DecisionBuffer(game);
    this.#soFar = new Float64Array(game.players);
  }

  begin(): void {
    this.#forget();
    this.#inGame = true;
  }

  observe(state: S, action: number): void {
    const mover = this.#game.toMove(state);
    this.#kept.follow(mover < 0 ? action : mover * this.#game.actions + action);
  }

  start(state: S): number {
    const mover = this.#game.toMove(state);
    // Statistics of play against one seat say nothing about play against another.
    if (!this.#inGame || (this.#parts.opponents.hostile && mover !== this.#root)) this.#forget();
    this.#root = mover;
    this.#kept.plant(mover);
    this.#playouts.clearScores();
    return this.#parts.simulations;
  }

  settled(): boolean {
    return this.#playouts.proofs?.has(ROOT) === true;
  }

  #forget(): void {
    this.#kept.forget();
    this.#history?.clear();
  }

  decide(state: S): Decision<S> {
    const game = this.#game;
    const playouts = this.#playouts;
    const { tree } = playouts;
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
      actionValues[i] = playouts.mean(child, mover) - soFar[mover]!;
    }
    const chosen = this.#choose(first, visits, actionValues);
    const index = this.#passLast?.choose(state, chosen, rows) ?? chosen;
    const child = tree.child[first + index]!;
    const values = Array.from(soFar, (before, seat) => playouts.mean(child, seat) - before);
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
    const { tree, proofs } = this.#playouts;
    if (proofs === undefined) return mostVisited(visits, values);
    const proven = (i: number) => {
      const child = tree.child[first + i]!;
      return child !== NONE && proofs.has(child);
    };
    const exact = values.map((value, i) => (proven(i) ? value : -Infinity));
    const known = mostVisited(exact, visits);
    const open = mostVisited(
      visits.map((count, i) => (proven(i) ? -1 : count)),
      values,
    );
    return proofs.has(ROOT) || exact[known]! >= values[open]! ? known : open;
  }
}
