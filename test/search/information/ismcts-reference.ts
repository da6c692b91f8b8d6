import { CHANCE, type Game, type Grouping, OVER } from "../../../src/games/game.ts";
import type { Random } from "../../../src/random.ts";
import type { InformationSearchParts } from "../../../src/search/information/ismcts.ts";

/** A node written plainly. */
interface Node {
  visits: number;
  available: number;
  readonly sums: number[];
  readonly children: Map<string, Node>;
}

const newNode = (players: number): Node => ({
  visits: 0,
  available: 1,
  sums: Array.from({ length: players }, () => 0),
  children: new Map(),
});

/**
 * Information set search with nodes as objects and children in maps: slow and obvious. Spends the same draws in the same
 * order as the fast one and gives the action to play and, by action, visits and the mover's mean. Playouts are uniformly random.
 */
export function plainInformationSearch<S>(
  game: Game<S>,
  parts: InformationSearchParts<S>,
  root: S,
  random: Random,
): { readonly action: number; readonly visits: number[]; readonly values: number[] } {
  const { players } = game;
  const rootSeat = game.toMove(root);
  const each = parts.observers === "each";
  const trees = Array.from({ length: each ? players : 1 }, () => newNode(players));
  const buffer = new Int32Array(game.maxLegal);
  const legalIn = (state: S) => [...buffer.subarray(0, game.legal(state, buffer))];
  const pick = <T>(items: readonly T[]) => items[items.length === 1 ? 0 : random.below(items.length)]!;
  const seen = (state: S, action: number, seat: number) =>
    parts.observers === "all-seen" ? action : (game.information?.observed?.(state, action, seat) ?? action);

  /** The child to go to, and whether the node lacks others. */
  const select = (
    node: Node,
    keys: readonly string[],
    mover: number,
    expanding: boolean,
  ): { child: Node; lacks: boolean } => {
    const possible = [...new Set(keys)];
    let best: Node | undefined;
    let greatest = -Infinity;
    for (const [key, child] of node.children) {
      if (!possible.includes(key)) continue;
      child.available++;
      const counted = parts.counts === "parent" ? node.visits : child.available;
      const own = child.sums[mover]! / child.visits;
      const roots = child.sums[rootSeat]! / child.visits;
      const mean = {
        "max-n": own,
        paranoid: mover === rootSeat ? roots : 1 - roots,
        cooperative: roots,
      }[parts.opponents];
      const value = mean + parts.exploration * Math.sqrt((2 * Math.log(counted)) / child.visits);
      if (value > greatest) {
        greatest = value;
        best = child;
      }
    }
    const missing = possible.filter((key) => !node.children.has(key));
    if (missing.length === 0) return { child: best!, lacks: false };
    // A finite value of the first visit counts where some children have one already, unless an expansion is under way.
    const { firstPlay } = parts;
    const byValue = firstPlay !== null && best !== undefined && !expanding;
    if (byValue && greatest >= firstPlay) return { child: best!, lacks: false };
    const key = pick(missing);
    node.children.set(key, newNode(players));
    return { child: node.children.get(key)!, lacks: !byValue && missing.length > 1 };
  };
  const keyOf = (node: Node, child: Node) => [...node.children].find(([, each]) => each === child)![0];

  /** A position on the way down: the nodes so far in each tree, and the group that was chosen, if one was. */
  interface Place {
    readonly state: S;
    readonly paths: Node[][];
    group: string | undefined;
  }
  const copyOf = ({ state, paths, group }: Place): Place => ({
    state: structuredClone(state),
    paths: paths.map((path) => [...path]),
    group,
  });
  const atRoot = (): Place => {
    const state = game.initial();
    if (game.information === undefined) game.copy(root, state);
    else game.information.determinize(root, rootSeat, random, state);
    return { state, paths: trees.map((tree) => [tree]), group: undefined };
  };

  /** One simulation from a place on. Returns the place where the next one has to start, if not at the root. */
  const simulate = (place: Place, continued: boolean): Place | undefined => {
    const { state, paths } = place;
    let expanding = continued;
    const every = parts.children === "every";
    let again: Place | undefined;
    const step = (t: number, key: string) => {
      const node = paths[t]!.at(-1)!;
      if (!node.children.has(key)) node.children.set(key, newNode(players));
      paths[t]!.push(node.children.get(key)!);
    };
    for (;;) {
      const mover = game.toMove(state);
      if (mover === OVER) break;
      const chooser = each && mover >= 0 ? mover : 0;
      const node = paths[chooser]!.at(-1)!;
      const isOpen = paths[chooser]!.length === 1 || node.visits >= parts.expansion;
      if (mover === CHANCE) {
        if (!isOpen) break;
        const outcome = game.chance!.sample(state, random);
        for (const t of trees.keys()) step(t, String(outcome));
        game.play(state, outcome);
        continue;
      }
      const observer = each ? mover : rootSeat;
      const groups = parts.grouping?.applies(state) === true ? parts.grouping : undefined;
      const inGroup = (action: number) =>
        place.group === undefined || `group ${groups!.group(action)}` === place.group;
      if (place.group === undefined) {
        if (!isOpen) break;
        if (groups !== undefined) {
          const keys = legalIn(state).map((action) => `group ${groups.group(action)}`);
          const before = copyOf(place);
          const { child, lacks } = select(node, keys, mover, expanding);
          expanding = false;
          if (every && lacks) again = before;
          place.group = keyOf(node, child);
          paths[chooser]!.push(child);
          // A layer of groups is expanded with its node; where every child gets a simulation, only at the root.
          if (every && node !== trees[chooser] && child.visits < parts.expansion) {
            game.play(state, pick(legalIn(state).filter(inGroup)));
            break;
          }
        }
      }
      const from = paths[chooser]!.at(-1)!;
      const actions = legalIn(state).filter(inGroup);
      const before = copyOf(place);
      const { child, lacks } = select(
        from,
        actions.map((action) => String(seen(state, action, observer))),
        mover,
        expanding,
      );
      expanding = false;
      if (every && lacks) again = before;
      place.group = undefined;
      paths[chooser]!.push(child);
      const key = keyOf(from, child);
      const action =
        parts.observers === "partial"
          ? pick(actions.filter((each) => String(seen(state, each, observer)) === key))
          : Number(key);
      for (const t of trees.keys()) if (t !== chooser) step(t, String(seen(state, action, t)));
      game.play(state, action);
    }
    while (game.toMove(state) !== OVER) {
      if (game.toMove(state) === CHANCE) game.play(state, game.chance!.sample(state, random));
      else if (game.playouts !== undefined) game.play(state, game.playouts.uniform(state, random));
      else {
        const actions = legalIn(state);
        game.play(state, actions[random.below(actions.length)]!);
      }
    }
    const before = new Float64Array(players);
    const after = new Float64Array(players);
    game.returns(root, before);
    game.returns(state, after);
    for (const path of paths)
      for (const node of path) {
        node.visits++;
        for (let seat = 0; seat < players; seat++) node.sums[seat]! += after[seat]! - before[seat]!;
      }
    return again;
  };

  let next: Place | undefined;
  for (let i = 0; i < parts.simulations; i++) next = simulate(next ?? atRoot(), next !== undefined);
  const own = trees[each ? rootSeat : 0]!;
  const grouping: Grouping<S> | undefined = parts.grouping;
  const groupOf = (action: number) =>
    grouping?.applies(root) === true ? own.children.get(`group ${grouping.group(action)}`) : own;
  const legal = legalIn(root);
  const found = legal.map((action) => groupOf(action)?.children.get(String(action)));
  const measures = (node: Node) => {
    const mean = node.sums[rootSeat]! / node.visits;
    return parts.final === "mean" ? [mean, node.visits] : [node.visits, mean];
  };
  // The first of the actions whose lists of measures are lexicographically greatest.
  const ranks = legal.map((action, i) => {
    const child = found[i];
    if (child === undefined) return [];
    const group = groupOf(action)!;
    return parts.groupFirst ? [...measures(group), ...measures(child)] : measures(child);
  });
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 ? 0 : (a[at] ?? -Infinity) - (b[at] ?? -Infinity);
  };
  let best = 0;
  for (const i of ranks.keys()) if (compare(ranks[i]!, ranks[best]!) > 0) best = i;
  return {
    action: legal[best]!,
    visits: found.map((node) => node?.visits ?? 0),
    values: found.map((node) => (node === undefined ? 0 : node.sums[rootSeat]! / node.visits)),
  };
}
