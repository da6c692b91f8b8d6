import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Random } from "../../random.ts";
import type { Decision, PolicyChange } from "../search.ts";
import type { Walk } from "./walk.ts";

/** A request that leaves append their states to: `states[count]` is the next one, and `count` grows with it. */
export type LeafRequest<S> = EvaluationRequest<S> & { readonly states: S[] };

/** Part of a tree search: the moves of the tree. It expands nodes and plays edges. */
export interface Moves<S> {
  /** Starts a simulation at the root. Brings `walk.state` there and returns the node. */
  start(walk: Walk<S>, root: S, random: Random): number;
  /**
   * Called at every node that a simulation reaches, when the node is on the path. Returns the seat to move, after it has
   * seen to it that there are edges to select from; or CHANCE; or OVER if the simulation ends: at the end of the game
   * and at a leaf.
   */
  open(walk: Walk<S>, node: number, random: Random): number;
  /** Draws the edge that a simulation takes at a chance node. */
  outcome(walk: Walk<S>, node: number, random: Random): number;
  /** Plays an edge: brings `walk.state` behind it. Returns the node there, which it adds if there is none. */
  follow(walk: Walk<S>, node: number, edge: number, random: Random): number;
  /**
   * Whether the node is a leaf that another walk has in flight, and nothing can be selected in it before it is evaluated.
   * Absent if every node that is reached can be gone through, or be a leaf of several walks.
   */
  inFlight?(walk: Walk<S>, node: number): boolean;
  /** The action behind a key of a decision node. Absent if the nodes do not represent plies of the game. */
  action?(key: number): number;
  /** The prior of an edge of a decision node. Absent if there are none. */
  prior?(edge: number): number;
}

/** Part of a tree search: selects the edge that a simulation takes at a decision node. */
export interface Selection<S> {
  /** Called before each simulation of each walk. Simulations of a decision are numbered from 1. */
  begin?(walk: Walk<S>, simulation: number, random: Random): void;
  /** Whether the next simulation starts only when all before it have been backed up. Absent: it never has to. */
  awaitsAll?(): boolean;
  /** Returns an edge of the node. The visits of the node do not include the current simulation. */
  select(walk: Walk<S>, node: number, random: Random): number;
}

/** Part of a tree search: evaluates the node that a simulation ends in. It sets `walk.returns`, if its backup uses them. */
export interface Leaf<S> {
  /** The greatest number of states that it requests for one leaf; 0 if it makes no requests. */
  readonly maxRequest: number;
  /** Whether it requests priors. */
  readonly priors: boolean;
  /** Further requests that it appends states to, for leaves that several nets evaluate. Absent: there is one request. */
  readonly furtherRequests?: readonly LeafRequest<S>[];
  /** Prepares the evaluation: appends states to the request, or evaluates the leaf by itself. */
  open(walk: Walk<S>, leaf: number, request: LeafRequest<S>, random: Random): void;
  /**
   * Reads the response to its states: values of shape [count, players] and priors of shape [count, maxLegal] from row
   * `row` on. Returns the row after its last one.
   */
  close(walk: Walk<S>, leaf: number, request: LeafRequest<S>, row: number, random: Random): number;
}

/** Part of a tree search: updates the nodes of a path, from the leaf to the root. */
export interface Backup<S> {
  /**
   * Updates what is kept of the nodes of the path. Their visits include the current simulation; those of a decision are
   * numbered from 1.
   */
  update(walk: Walk<S>, simulation: number, random: Random): void;
}

/** Part of a tree search: how a decision starts, and what is chosen at its end. */
export interface Choice<S> {
  /** As `begin` of a search. */
  begin?(state: S): void;
  /** As `observe` of a search. */
  observe?(state: S, action: number): void;
  /**
   * Starts a decision: every tree gets its root, or what is kept of the last decision. Returns the number of
   * simulations; the one that opens a new root is extra. `inTime`, for a choice that plans: how many simulations a time limit
   * is expected to hold, by the last decision.
   */
  start(state: S, random: Random, decisions: number, inTime?: number): number;
  /** Called when the root has been opened, before the first of the counted simulations. */
  opened?(state: S, random: Random, decisions: number): void;
  /** Whether further simulations would change nothing. */
  settled?(): boolean;
  /** The decision, after the last simulation. */
  decide(state: S, random: Random, decisions: number): Decision<S>;
  /** As `policyChange` of a search. */
  policyChange?(): PolicyChange;
}
