import type { EvaluationRequest, Evaluator } from "../../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";
import type { GivenNets } from "../../../src/search/definition.ts";
import { PlayoutPolicy } from "../../../src/search/playouts/playout-policy.ts";

/** The settings of the reference: those of `apv-mcts`. */
export interface ApvSettings {
  readonly simulations: number;
  readonly lambda: number;
  readonly cPuct: number;
  readonly expansion: number;
  readonly priorTemperature: number;
  readonly batch: number;
  readonly virtualLoss: number;
}

interface Edge {
  readonly action: number;
  readonly prior: number;
  node?: Node;
  /** When the edge was first taken, counted over the search. */
  since?: number;
}

class Node {
  readonly mover: number;
  visits = 0;
  lost = 0;
  readonly sums: number[];
  edges?: Edge[];
  value?: readonly number[];

  constructor(mover: number, players: number) {
    this.mover = mover;
    this.sums = Array.from({ length: players }, () => 0);
  }
}

/** A simulation that waits for the evaluation of its leaf. */
interface Flight<S> {
  readonly path: readonly Node[];
  readonly state: S;
  readonly expands: boolean;
  readonly rollout?: readonly number[];
}

/** The search of AlphaGo with objects and recursion, one evaluation at a time, for comparison. */
export class ApvReference<S> {
  readonly #game: Game<S>;
  readonly #settings: ApvSettings;
  readonly #nets: GivenNets;
  readonly #evaluator: Evaluator<S>;
  #root: Node | undefined;
  #clock = 0;
  /** Number of positions evaluated, by the net and by what was asked. */
  readonly asked = { priors: 0, values: 0 };

  constructor(game: Game<S>, settings: ApvSettings, nets: GivenNets, evaluator: Evaluator<S>) {
    this.#game = game;
    this.#settings = settings;
    this.#nets = nets;
    this.#evaluator = evaluator;
  }

  /** Goes to the part of the tree behind an action of the game. */
  follow(action: number): void {
    this.#root = this.#root?.edges?.find((edge) => edge.action === action)?.node;
  }

  search(state: S, random: Random) {
    const game = this.#game;
    const { batch, simulations } = this.#settings;
    if (this.#root?.edges === undefined) {
      this.#root = new Node(game.toMove(state), game.players);
      this.#expand(this.#root, state);
      this.#root.visits++;
    }
    const root = this.#root;
    for (let done = 0; done < simulations; done += batch) {
      const flights = Array.from({ length: Math.min(batch, simulations - done) }, () =>
        this.#descend(root, state, random),
      );
      for (const flight of flights) this.#land(flight);
    }
    const soFar = this.#returns(state);
    const edges = root.edges!.toSorted((a, b) => a.action - b.action);
    const visits = edges.map(({ node }) => node?.visits ?? 0);
    const values = edges.map(({ node }) =>
      node === undefined ? 0 : node.sums[root.mover]! / node.visits - soFar[root.mover]!,
    );
    let best = 0;
    for (let i = 1; i < edges.length; i++)
      if (visits[i]! > visits[best]! || (visits[i] === visits[best] && values[i]! > values[best]!)) best = i;
    return { action: edges[best]!.action, visits, values };
  }

  #returns(state: S): number[] {
    const out = new Float64Array(this.#game.players);
    this.#game.returns(state, out);
    return [...out];
  }

  #copy(state: S): S {
    const copy = this.#game.initial();
    this.#game.copy(state, copy);
    return copy;
  }

  #descend(root: Node, from: S, random: Random): Flight<S> {
    const game = this.#game;
    const { expansion, lambda, virtualLoss } = this.#settings;
    const state = this.#copy(from);
    const path = [root];
    let node = root;
    for (;;) {
      if (node.mover === CHANCE && node.edges === undefined) this.#addOutcomes(node, state);
      if (node.edges === undefined) break;
      const edge = node.mover === CHANCE ? this.#draw(node.edges, random) : this.#select(node);
      game.play(state, edge.action);
      edge.since ??= this.#clock++;
      edge.node ??= new Node(game.toMove(state), game.players);
      path.push((node = edge.node));
    }
    for (const each of path) each.lost += virtualLoss;
    const over = node.mover === OVER;
    const expands = !over && node.visits + 1 >= expansion;
    if (over || lambda === 0) return { path, state, expands };
    const end = this.#copy(state);
    new PlayoutPolicy(game, 0).finish(end, random);
    return { path, state, expands, rollout: this.#returns(end) };
  }

  #land({ path, state, expands, rollout }: Flight<S>): void {
    const leaf = path.at(-1)!;
    const { lambda, virtualLoss } = this.#settings;
    const soFar = this.#returns(state);
    let returns: readonly number[];
    if (leaf.mover === OVER) returns = soFar;
    else if (lambda === 1) returns = rollout!;
    else {
      leaf.value ??= this.#ask(state, this.#nets.values!).values.map((value, seat) => soFar[seat]! + value);
      returns = leaf.value.map((value, seat) =>
        lambda === 0 ? value : (1 - lambda) * value + lambda * rollout![seat]!,
      );
    }
    if (expands && leaf.edges === undefined) this.#expand(leaf, state);
    for (const node of path) {
      node.visits++;
      node.lost -= virtualLoss;
      for (const [seat, value] of returns.entries()) node.sums[seat]! += value;
    }
  }

  #select(node: Node): Edge {
    const [least, most] = this.#game.returnBounds;
    const edges = node.edges!;
    const count = ({ node: child }: Edge) => (child === undefined ? 0 : child.visits + child.lost);
    const sum = edges.reduce((total, edge) => total + count(edge), 0);
    const score = (edge: Edge) => {
      const n = count(edge);
      const total = n === 0 ? 0 : edge.node!.sums[node.mover]! + edge.node!.lost * least;
      const q = n === 0 ? 0 : (total / n - (least + most) / 2) / ((most - least) / 2);
      return q + (this.#settings.cPuct * Math.sqrt(sum) * edge.prior) / (1 + n);
    };
    const scores = new Map(edges.map((edge) => [edge, score(edge)]));
    return edges.toSorted(
      (a, b) =>
        scores.get(b)! - scores.get(a)! ||
        Math.min(a.since ?? Infinity, 1e9) - Math.min(b.since ?? Infinity, 1e9) ||
        (a.since === undefined ? b.prior - a.prior : 0) ||
        a.action - b.action,
    )[0]!;
  }

  #draw(edges: readonly Edge[], random: Random): Edge {
    let left = random.float();
    return edges.find(({ prior }) => (left -= prior) < 0) ?? edges.at(-1)!;
  }

  #addOutcomes(node: Node, state: S): void {
    const { maxLegal } = this.#game;
    const [actions, probabilities] = [new Int32Array(maxLegal), new Float64Array(maxLegal)];
    const count = this.#game.chance!.outcomes(state, actions, probabilities);
    node.edges = weighted([...actions.subarray(0, count)], [...probabilities.subarray(0, count)]);
  }

  #expand(node: Node, state: S): void {
    const legal = new Int32Array(this.#game.maxLegal);
    const actions = [...legal.subarray(0, this.#game.legal(state, legal))];
    const priors = this.#nets.priors ? this.#ask(state, "priors").priors : this.#treePolicy(state, actions);
    const odds = actions.map((_, i) => priors?.[i] ?? 1);
    const most = Math.max(...odds);
    const power = 1 / this.#settings.priorTemperature;
    node.edges = weighted(
      actions,
      odds.map((each) => (each / most) ** power),
    );
  }

  /** The odds of moves by a policy of rollouts, of a game that has one. */
  #treePolicy(state: S, actions: readonly number[]): Float64Array | undefined {
    const policy = this.#game.search?.movePriors?.["policy"];
    if (policy === undefined) return undefined;
    const odds = new Float64Array(actions.length);
    policy(state, Int32Array.from(actions), actions.length, odds);
    return odds;
  }

  #ask(state: S, what: "priors" | "net" | "valueNet") {
    const { players, maxLegal } = this.#game;
    const request: EvaluationRequest<S> = {
      states: [state],
      count: 1,
      values: new Float64Array(players),
      ...(what === "priors" ? { priors: new Float32Array(maxLegal) } : {}),
      ...(what === "valueNet" ? { net: what } : {}),
    };
    this.#evaluator.evaluate(request);
    this.asked[what === "priors" ? "priors" : "values"]++;
    return { values: [...request.values], priors: request.priors };
  }
}

/** Edges with weights in proportion, in the precision of the tree. */
function weighted(actions: readonly number[], weights: readonly number[]): Edge[] {
  const share = 1 / weights.reduce((sum, weight) => sum + weight, 0);
  return actions.map((action, i) => ({
    action,
    prior: Math.fround(weights[i]! * share),
  }));
}
