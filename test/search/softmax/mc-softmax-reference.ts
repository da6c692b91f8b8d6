import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";

/** How hot: a function of what the source's schedules depend on. */
export interface ReferencePolicy {
  readonly map: "none" | "max" | "log";
  readonly temperature: (at: {
    tree: number;
    trees: number;
    simulation: number;
    simulations: number;
    visits: number;
  }) => number;
  /** For a uniform schedule: the temperature is drawn in each simulation and handed to nothing else. */
  readonly uniform?: readonly [number, number];
}

/** MC Softmax as in the source, written as plainly as it can be: objects, recursion, no reuse. */
export interface ReferenceOptions<S> {
  readonly trees: number;
  readonly simulations: number;
  readonly randomness: "fixed" | "chance";
  readonly selection: ReferencePolicy;
  readonly backup: ReferencePolicy;
  /** Number of paths in each tree; or "inner", all inner nodes; or the nodes with more visits than this. */
  readonly samples: number | "inner" | { readonly above: number };
  readonly sampling: ReferencePolicy;
  readonly value: (state: S, seat: number) => number;
}

interface Node<S> {
  state: S;
  mover: number;
  visits: number;
  value: number[];
  reward: number[];
  probability: number;
  children: Node<S>[] | undefined;
}

export function referenceSearch<S>(game: Game<S>, start: S, random: Random, options: ReferenceOptions<S>) {
  const seats = Array.from({ length: game.players }, (_, seat) => seat);
  const returns = (state: S): number[] => {
    const out = new Float64Array(game.players);
    game.returns(state, out);
    return [...out];
  };
  const nodeAt = (parent: S | undefined, action: number, probability: number): Node<S> => {
    const state = game.initial();
    game.copy(parent ?? start, state);
    if (parent !== undefined) game.play(state, action);
    const before = returns(parent ?? start);
    return {
      state,
      mover: game.toMove(state),
      visits: 0,
      value: seats.map(() => 0),
      reward: returns(state).map((sum, seat) => sum - before[seat]!),
      probability,
      children: undefined,
    };
  };
  const actionValue = (node: Node<S>, seat: number) => node.reward[seat]! + node.value[seat]!;
  const shares = (values: number[], map: ReferencePolicy["map"], temperature: number): number[] => {
    const best = Math.max(...values);
    if (temperature === Infinity) return values.map(() => 1 / values.length);
    const onlyBest = () => {
      const ties = values.filter((value) => value === best).length;
      return values.map((value) => (value === best ? 1 / ties : 0));
    };
    if (temperature === 0) return onlyBest();
    if (map === "max" && best === 0) return onlyBest();
    if (map === "log" && best <= 0) return onlyBest();
    const mapped = values.map((value) =>
      map === "max"
        ? value / Math.abs(best)
        : map === "log"
          ? value > 0
            ? Math.log(value)
            : -Infinity
          : value,
    );
    const top = Math.max(...mapped);
    const weights = mapped.map((value) => Math.exp((value - top) / temperature));
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  };
  const draw = (probabilities: number[]): number => {
    let left = random.float();
    let last = 0;
    for (const [i, probability] of probabilities.entries()) {
      if (probability <= 0) continue;
      if (left < probability) return i;
      left -= probability;
      last = i;
    }
    return last;
  };
  const heat = (policy: ReferencePolicy, tree: number, simulation: number) => {
    const drawn =
      policy.uniform && policy.uniform[0] + (policy.uniform[1] - policy.uniform[0]) * random.float();
    return (visits: number) =>
      drawn ??
      policy.temperature({
        tree,
        trees: options.trees,
        simulation,
        simulations: options.simulations,
        visits,
      });
  };
  const byMover = (node: Node<S>) => node.children!.map((child) => actionValue(child, node.mover));

  /** Goes down from the node; returns the path walked. */
  const descend = (node: Node<S>, hot: (visits: number) => number): Node<S>[] => {
    node.visits++;
    if (node.mover === OVER) return [node];
    if (node.mover === CHANCE) {
      if (node.children === undefined) {
        if (options.randomness === "fixed")
          node.children = [nodeAt(node.state, game.chance!.sample(node.state, random), 1)];
        else {
          const actions = new Int32Array(game.maxLegal);
          const probabilities = new Float64Array(game.maxLegal);
          const count = game.chance!.outcomes(node.state, actions, probabilities);
          node.children = Array.from({ length: count }, (_, i) =>
            nodeAt(node.state, actions[i]!, probabilities[i]!),
          );
        }
      }
      const child =
        options.randomness === "fixed"
          ? node.children[0]!
          : node.children[draw(node.children.map(({ probability }) => probability))]!;
      return [node, ...descend(child, hot)];
    }
    if (node.children === undefined) return [node];
    const child = node.children[draw(shares(byMover(node), options.selection.map, hot(node.visits)))]!;
    return [node, ...descend(child, hot)];
  };
  const expand = (leaf: Node<S>) => {
    if (leaf.mover === OVER) return;
    const actions = new Int32Array(game.maxLegal);
    const count = game.legal(leaf.state, actions);
    leaf.children = Array.from({ length: count }, (_, i) => nodeAt(leaf.state, actions[i]!, 0));
    for (const child of leaf.children)
      if (child.mover !== OVER) child.value = seats.map((seat) => options.value(child.state, seat));
  };
  const update = (node: Node<S>, hot: (visits: number) => number) => {
    if (node.mover === OVER) return;
    const children =
      node.mover === CHANCE ? node.children!.filter(({ visits }) => visits > 0) : node.children!;
    const total = children.reduce((sum, { probability }) => sum + probability, 0);
    const weights =
      node.mover === CHANCE
        ? children.map(({ probability }) => probability / total)
        : shares(byMover(node), options.backup.map, hot(node.visits));
    node.value = seats.map((seat) =>
      children.reduce((sum, child, i) => sum + weights[i]! * actionValue(child, seat), 0),
    );
  };

  const roots = Array.from({ length: options.trees }, () => nodeAt(undefined, 0, 1));
  // The first simulation is the same in every tree: its draws are made once.
  heat(options.selection, 0, 1);
  const first = heat(options.backup, 0, 1);
  for (const root of roots) {
    root.visits = 1;
    expand(root);
    update(root, first);
  }
  for (let simulation = 2; simulation <= options.simulations; simulation++) {
    const paths = roots.map((root, tree) => {
      const path = descend(root, heat(options.selection, tree, simulation));
      expand(path.at(-1)!);
      return path;
    });
    for (const [tree, path] of paths.entries()) {
      const hot = heat(options.backup, tree, simulation);
      for (const node of path.toReversed()) update(node, hot);
    }
  }

  const samples: { state: S; values: number[] }[] = [];
  const mean = (of: (root: Node<S>) => number) =>
    roots.reduce((sum, root) => sum + of(root), 0) / roots.length;
  const mover = roots[0]!.mover;
  const children = roots[0]!.children!;
  const actionValues = children.map((_, i) => mean((root) => actionValue(root.children![i]!, mover)));
  const visits = children.map((_, i) => roots.reduce((sum, root) => sum + root.children![i]!.visits, 0));
  const action = actionValues.indexOf(Math.max(...actionValues));
  const values = seats.map((seat) => mean((root) => actionValue(root.children![action]!, seat)));
  for (const [tree, root] of roots.entries()) {
    const paths = typeof options.samples === "number" ? options.samples : 0;
    for (let path = 0; path < paths; path++) {
      const hot = heat(options.sampling, tree, options.simulations);
      for (let node = root; node.children !== undefined;) {
        if (node.mover === CHANCE) {
          const seen = node.children.filter((child) => child.visits > 0);
          const total = seen.reduce((sum, { probability }) => sum + probability, 0);
          node = seen[draw(seen.map(({ probability }) => probability / total))]!;
        } else {
          node = node.children[draw(shares(byMover(node), options.sampling.map, hot(node.visits)))]!;
          if (node.children !== undefined) samples.push({ state: node.state, values: node.value });
        }
      }
    }
    if (typeof options.samples === "number") continue;
    const above = options.samples === "inner" ? 0 : options.samples.above;
    const take = (node: Node<S>, evaluated: boolean) => {
      if (evaluated && node.children !== undefined && node.visits > above)
        samples.push({ state: node.state, values: node.value });
      for (const child of node.children ?? []) take(child, node.mover !== CHANCE);
    };
    take(root, false);
  }
  return { action, values, actionValues, visits, samples };
}
