import { Type } from "../../schema.ts";
import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { type EvaluationRequest, unlikelyBelow } from "../../games/evaluation.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer, firstBest } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";
import { downgradeSchema, unsuitedDowngrade } from "./downgrade.ts";
import type { Search, Searching } from "../search.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import { NodeStates } from "../tree/node-states.ts";

/** The options of `Expectimax` other than its plies. */
export interface ExpectimaxOptions {
  readonly leaves?: "afterstates" | "decisions";
  readonly unlikely?: "full" | "shallower";
  /** See `downgradeSchema`. */
  readonly downgrade: number | null;
}

/** The buffers of one level of the recursion. */
interface Level<S> {
  readonly state: S;
  readonly actions: Int32Array;
  readonly probabilities: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/**
 * Depth-limited expectimax over the whole tree: exact means over the outcomes of chance, and the mover's best action at
 * decisions (max-n if several players move).
 *
 * With V the net's value and r the reward, the value of a position x after a decision is
 *
 *     E(x, 0) = V(x)
 *     E(x, p) = sum over outcomes o of p(o) max over actions a of r + E(x o a, p - 1)
 *
 * and 0 when the game is over. The decision is the first action with the greatest r + E(x, plies). With 0 plies this is
 * greedy play. In a game without chance a ply is one reply. With `unlikely: "shallower"`, outcomes that are less than
 * half as likely as the likeliest are searched one ply less deep: to E(x o a, p - 2) if p is 2 or more.
 *
 * Some value functions value a position with a decision by its best move. They can be given these positions in place of
 * the afterstates (`leaves`). Some also search plies of chance (`EvaluationRequest.chancePlies`). They are given the
 * afterstates of the root and do the whole search. For other value functions, the last ply is built as a tree and
 * evaluated in requests of up to 512 states; the plies above it are recursion.
 *
 * With `Game.downgrade`, the whole search runs on the downgraded board, and its values are those of that board.
 */
export class Expectimax<S> implements Search<S> {
  readonly maxRequest: number;
  readonly #game: Game<S>;
  readonly #plies: number;
  /** Whether positions with a decision after the last chance ply are evaluated in place of their afterstates. */
  readonly #decisions: boolean;
  readonly #states: NodeStates<S>;
  readonly #leaves: number[] = [];
  /** Whether unlikely outcomes are searched one ply less deep. */
  readonly #shallower: boolean;
  /** Whether the evaluator searches chance plies itself. Assumed until it leaves a request undone. */
  #evaluatorSearches: boolean;
  readonly #levels: Level<S>[] = [];
  readonly #actions: Int32Array;
  readonly #probabilities: Float64Array;
  readonly #request: EvaluationRequest<S> & { readonly states: S[] };
  readonly #buffer: DecisionBuffer<S>;
  /** The tile from which on boards are downgraded, or null. */
  readonly #downgrade: number | null;
  readonly #downgraded: S;

  constructor(
    game: Game<S>,
    plies: number,
    { leaves = "afterstates", unlikely = "full", downgrade }: ExpectimaxOptions,
  ) {
    this.#game = game;
    this.#shallower = unlikely === "shallower";
    this.#downgrade = downgrade;
    this.#downgraded = game.initial();
    this.#decisions = leaves === "decisions" && game.chance !== undefined;
    this.#evaluatorSearches = this.#decisions;
    this.#plies = plies;
    this.maxRequest = plies === 0 ? Math.min(game.actions, game.maxLegal) : 512;
    this.#states = new NodeStates(game);
    this.#actions = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
    this.#request = {
      states: [],
      count: 0,
      values: new Float64Array(this.maxRequest * game.players),
      shallower: this.#shallower,
    };
    this.#buffer = new DecisionBuffer(game);
  }

  *search(position: S, _random: Random, _decisions: number): Searching<S> {
    const game = this.#game;
    let state = position;
    if (this.#downgrade !== null) {
      state = this.#downgraded;
      game.search!.downgrade!(position, this.#downgrade, state);
    }
    const rows = this.#buffer.open(state);
    const mover = game.toMove(state);
    const states = this.#states;
    let whole = false;
    while (!whole && (this.#plies <= 1 || this.#evaluatorSearches)) {
      states.reset(state);
      this.#growDecision(ROOT, this.#plies);
      whole = yield* this.#evaluateTree();
    }
    if (whole) {
      const { rewards } = states;
      // All moves of the root were entered together, and first.
      const first = ROOT + 1;
      for (let i = 0; i < rows.actions.length; i++)
        rows.actionValues[i] = rewards.actionValue(first + i, mover);
      const index = firstBest(rows.actionValues);
      return this.#buffer.close(
        rows,
        index,
        seatsOf(game, (seat) => rewards.actionValue(first + index, seat)),
      );
    }
    const actionValues: number[][] = [];
    for (const action of rows.actions) {
      const actionValue = yield* this.#actionValue(state, action, this.#plies, 0);
      rows.actionValues[actionValues.length] = actionValue[mover]!;
      actionValues.push(actionValue);
    }
    const index = firstBest(rows.actionValues);
    return this.#buffer.close(rows, index, actionValues[index]!);
  }

  /** The value of an action (or outcome) with `plies` left, one per seat: its reward plus the value after it. */
  *#actionValue(
    state: S,
    action: number,
    plies: number,
    depth: number,
  ): Generator<EvaluationRequest<S>, number[], void> {
    const game = this.#game;
    const level = this.#level(depth);
    game.copy(state, level.state);
    game.play(level.state, action);
    game.returns(state, level.before);
    game.returns(level.state, level.after);
    const rewards = seatsOf(game, (seat) => level.after[seat]! - level.before[seat]!);
    const onward = yield* this.#valueAfter(level.state, plies, depth);
    return rewards.map((reward, seat) => reward + onward[seat]!);
  }

  /** E(state, plies), one per seat, of a position after a decision or after an outcome of chance. */
  *#valueAfter(state: S, plies: number, depth: number): Generator<EvaluationRequest<S>, number[], void> {
    const game = this.#game;
    const mover = game.toMove(state);
    if (mover === OVER) return seatsOf(game, () => 0);
    if (plies === 1) {
      this.#states.reset(state);
      this.#growAfter(ROOT, 1);
      yield* this.#evaluateTree();
      return seatsOf(game, (seat) => this.#states.tree.values[seat]!);
    }
    const { actions, probabilities } = this.#level(depth);
    if (mover === CHANCE) {
      const count = game.chance!.outcomes(state, actions, probabilities);
      const mean = seatsOf(game, () => 0);
      const unlikely = this.#shallower ? unlikelyBelow(probabilities, count) : 0;
      for (let i = 0; i < count; i++) {
        const left = probabilities[i]! < unlikely ? plies - 1 : plies;
        const actionValues = yield* this.#actionValue(state, actions[i]!, left, depth + 1);
        for (let seat = 0; seat < mean.length; seat++) mean[seat]! += probabilities[i]! * actionValues[seat]!;
      }
      return mean;
    }
    const count = game.legal(state, actions);
    let best: number[] | undefined;
    for (let i = 0; i < count; i++) {
      const actionValues = yield* this.#actionValue(state, actions[i]!, plies - 1, depth + 1);
      if (best === undefined || actionValues[mover]! > best[mover]!) best = actionValues;
    }
    return best!;
  }

  /** Adds the subtree of a decision node with `plies` left after its action. */
  #growDecision(node: number, plies: number): void {
    const states = this.#states;
    const count = this.#game.legal(states.state(node), this.#actions);
    const first = states.enterAll(node, this.#actions, count);
    for (let child = first; child < first + count; child++) this.#growAfter(child, plies);
  }

  #growAfter(node: number, plies: number): void {
    const states = this.#states;
    const toMove = states.tree.toMove[node]!;
    if (toMove === OVER) return;
    if (plies === 0) {
      this.#leaves.push(node);
      return;
    }
    if (toMove !== CHANCE) {
      if (plies === 1 && this.#decisions) this.#leaves.push(node);
      else this.#growDecision(node, plies - 1);
      return;
    }
    // This is after the root's move: the evaluator searches the chance plies, and chance follows every decision.
    if (this.#evaluatorSearches) {
      this.#leaves.push(node);
      return;
    }
    const count = this.#game.chance!.outcomes(states.state(node), this.#actions, this.#probabilities);
    const first = states.enterAll(node, this.#actions, count);
    const edge = states.tree.firstEdge[node]!;
    for (let i = 0; i < count; i++) states.probability.data[edge + i] = this.#probabilities[i]!;
    for (let child = first; child < first + count; child++) this.#growAfter(child, plies);
  }

  /**
   * Has the leaves evaluated and backs the values up to the root, which works because children come after their
   * parents. Returns false if the evaluator turns out not to search chance plies itself: then the tree has to be
   * grown again.
   */
  *#evaluateTree(): Generator<EvaluationRequest<S>, boolean, void> {
    const states = this.#states;
    const { tree } = states;
    const { players } = tree;
    const request = this.#request;
    for (let done = 0; done < this.#leaves.length; done += request.count) {
      request.count = Math.min(this.maxRequest, this.#leaves.length - done);
      for (let i = 0; i < request.count; i++) request.states[i] = states.state(this.#leaves[done + i]!);
      if (this.#evaluatorSearches) request.chancePlies = this.#plies;
      yield request;
      if ((request.chancePlies ?? 0) > 0) {
        this.#evaluatorSearches = false;
        delete request.chancePlies;
        this.#leaves.length = 0;
        return false;
      }
      for (let i = 0; i < request.count; i++)
        for (let seat = 0; seat < players; seat++)
          tree.values[this.#leaves[done + i]! * players + seat] = request.values[i * players + seat]!;
    }
    this.#leaves.length = 0;
    for (let node = tree.size - 1; node >= 0; node--)
      if (tree.firstEdge[node] !== NONE) foldChildren(states, node);
    return true;
  }

  #level(depth: number): Level<S> {
    const game = this.#game;
    return (this.#levels[depth] ??= {
      state: game.initial(),
      actions: new Int32Array(game.maxLegal),
      probabilities: new Float64Array(game.maxLegal),
      before: new Float64Array(game.players),
      after: new Float64Array(game.players),
    });
  }
}

/**
 * Sets a node's values: at a chance node the children's mean by probability, else those of the mover's first best
 * child.
 */
function foldChildren<S>({ tree, rewards, probability }: NodeStates<S>, node: number): void {
  const { players } = tree;
  const edge = tree.firstEdge[node]!;
  const first = tree.child[edge]!;
  const end = first + tree.edgeCount[node]!;
  const mover = tree.toMove[node]!;
  if (mover === CHANCE) {
    for (let seat = 0; seat < players; seat++) {
      let mean = 0;
      for (let child = first; child < end; child++)
        mean += probability.data[edge + child - first]! * rewards.actionValue(child, seat);
      tree.values[node * players + seat] = mean;
    }
    return;
  }
  let best = first;
  for (let child = first + 1; child < end; child++)
    if (rewards.actionValue(child, mover) > rewards.actionValue(best, mover)) best = child;
  for (let seat = 0; seat < players; seat++)
    tree.values[node * players + seat] = rewards.actionValue(best, seat);
}

function seatsOf<S>(game: Game<S>, value: (seat: number) => number): number[] {
  const values: number[] = [];
  for (let seat = 0; seat < game.players; seat++) values.push(value(seat));
  return values;
}

const options = Type.Object(
  {
    plies: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        default: 1,
        description:
          "Depth in chance plies; in a game without chance, in replies. 0 would be greedy. In 2048 more than 2 plies are fast only with an n-tuple net and leaves: decisions.",
      }),
    ),
    leaves: Type.Optional(
      Type.Unsafe<"afterstates" | "decisions">({
        type: "string",
        enum: ["afterstates", "decisions"],
        default: "afterstates",
        description:
          "What is evaluated after the last chance ply. afterstates: the afterstates of all moves. decisions: the positions before these moves, for value functions that search the moves and chance plies themselves, as n-tuple does; values are the same, and the time is a third or less.",
      }),
    ),
    unlikely: Type.Optional(
      Type.Unsafe<"full" | "shallower">({
        type: "string",
        enum: ["full", "shallower"],
        default: "full",
        description:
          "Depth after outcomes of chance that are less than half as likely as the likeliest, such as a tile of 4 in 2048. full: as deep as after others. shallower: one ply less.",
      }),
    ),
    downgrade: downgradeSchema,
  },
  { additionalProperties: false },
);

/** Depth-limited search of 1 to 5 plies: see `Expectimax`. */
export const expectimax: SearchDefinition<typeof options> = {
  name: "expectimax",
  description: "Depth-limited search of 1 to 5 plies of chance, with the net's values at the leaves.",
  options,
  needs: { value: true, policy: false },
  best: "value",
  unsuited: unsuitedDowngrade,
  create: (game, { plies, ...how }) => new Expectimax(game, plies, how),
};
