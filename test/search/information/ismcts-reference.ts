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
 * order as the fast one and gives, by action, visits and the mover's mean. Playouts are uniformly random.
 */
export function plainInformationSearch<S>(
  game: Game<S>,
  parts: InformationSearchParts<S>,
  root: S,
  random: Random,
): { readonly visits: number[]; readonly values: number[] } {
  const { players } = game;
  const rootSeat = game.toMove(root);
  const each = parts.observers === "each";
  const trees = Array.from({ length: each ? players : 1 }, () => newNode(players));
  const buffer = new Int32Array(game.maxLegal);
  const legalIn = (state: S) => [...buffer.subarray(0, game.legal(state, buffer))];
  const pick = <T>(items: readonly T[]) => items[items.length === 1 ? 0 : random.below(items.length)]!;
  const seen = (state: S, action: number, seat: number) =>
    parts.observers === "all-seen" ? action : (game.information?.observed?.(state, action, seat) ?? action);

  const select = (node: Node, keys: readonly string[], seat: number): Node => {
    const possible = [...new Set(keys)];
    let best: Node | undefined;
    let greatest = -Infinity;
    for (const [key, child] of node.children) {
      if (!possible.includes(key)) continue;
      child.available++;
      const value =
        child.sums[seat]! / child.visits +
        parts.exploration * Math.sqrt((2 * Math.log(child.available)) / child.visits);
      if (value > greatest) {
        greatest = value;
        best = child;
      }
    }
    const missing = possible.filter((key) => !node.children.has(key));
    if (missing.length === 0) return best!;
    const key = pick(missing);
    node.children.set(key, newNode(players));
    return node.children.get(key)!;
  };
  const keyOf = (node: Node, child: Node) => [...node.children].find(([, each]) => each === child)![0];

  const simulate = () => {
    const state = game.initial();
    if (game.information === undefined) game.copy(root, state);
    else game.information.determinize(root, rootSeat, random, state);
    const paths = trees.map((tree) => [tree]);
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
      if (node !== trees[chooser] && node.visits < parts.expansion) break;
      if (mover === CHANCE) {
        const outcome = game.chance!.sample(state, random);
        for (const t of trees.keys()) step(t, String(outcome));
        game.play(state, outcome);
        continue;
      }
      const observer = each ? mover : rootSeat;
      let actions = legalIn(state);
      const groups = parts.grouping?.applies(state) === true ? parts.grouping : undefined;
      let from = node;
      if (groups !== undefined) {
        from = select(
          node,
          actions.map((action) => `group ${groups.group(action)}`),
          mover,
        );
        paths[chooser]!.push(from);
        const key = keyOf(node, from);
        actions = actions.filter((action) => `group ${groups.group(action)}` === key);
      }
      const child = select(
        from,
        actions.map((action) => String(seen(state, action, observer))),
        mover,
      );
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
  };

  for (let i = 0; i < parts.simulations; i++) simulate();
  const own = trees[each ? rootSeat : 0]!;
  const grouping: Grouping<S> | undefined = parts.grouping;
  const found = legalIn(root).map((action) => {
    const parent =
      grouping?.applies(root) === true ? own.children.get(`group ${grouping.group(action)}`) : own;
    return parent?.children.get(String(action));
  });
  return {
    visits: found.map((node) => node?.visits ?? 0),
    values: found.map((node) => (node === undefined ? 0 : node.sums[rootSeat]! / node.visits)),
  };
}
