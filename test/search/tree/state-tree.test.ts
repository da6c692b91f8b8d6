import { describe, expect, it } from "vitest";
import { StateTree } from "../../../src/search/tree/state-tree.ts";
import { NONE, ROOT } from "../../../src/search/tree/nodes.ts";
import { hashGame } from "../depth-first/hash-game.ts";

const game = hashGame({ seed: 9, players: 2, branching: 4, depth: 50, chance: 0 });

describe("a tree", () => {
  it("keeps everything while it grows, and forgets everything when reset", () => {
    const tree = new StateTree(game, 2);
    const actions = new Int32Array(4);
    const walk = () => {
      tree.reset(game.initial());
      let node = ROOT;
      const nodes: number[] = [];
      for (let i = 0; i < 30; i++) {
        const first = tree.addChildren(node, actions, game.legal(tree.state(node), actions));
        tree.enter(node, first);
        tree.values[first * 2 + 1] = i;
        tree.visits[first] = i + 1;
        nodes.push(first);
        node = first;
        expect(tree.childCount[node]).toBe(0);
        if (game.toMove(tree.state(node)) < 0) break;
      }
      return nodes;
    };
    const nodes = walk();
    const state = game.initial();
    for (const [i, node] of nodes.entries()) {
      game.play(state, tree.action[node]!);
      expect(tree.state(node)).toEqual(state);
      expect(tree.values[node * 2 + 1]).toBe(i);
      expect(tree.visits[node]).toBe(i + 1);
      expect(tree.toMove[node]).toBe(game.toMove(state));
    }
    const returns = nodes.reduce((sum, node) => sum + tree.rewards[node * 2]!, 0);
    expect(returns).toBe(state.returns[0]);
    const states = tree.states.length;
    expect(walk()).toEqual(nodes);
    expect(tree.states.length).toBe(states);
    tree.reset(game.initial());
    const first = tree.addChildren(ROOT, actions, 3);
    expect([
      tree.visits[first],
      tree.slot[first],
      tree.firstChild[first],
      tree.childCount[first],
      tree.values[first * 2 + 1],
    ]).toEqual([0, NONE, NONE, 0, 0]);
  });

  it("becomes equal to another one without sharing its states", () => {
    const from = new StateTree(game, 2);
    from.reset(game.initial());
    const actions = new Int32Array(4);
    const first = from.addChildren(ROOT, actions, game.legal(from.state(ROOT), actions));
    from.enter(ROOT, first);
    from.values[first * 2] = 5;
    from.visits[first] = 7;
    from.probability[first] = 0.25;
    const to = new StateTree(game, 1);
    to.reset(game.initial());
    to.assign(from);
    expect(to.state(first)).toEqual(from.state(first));
    expect(to.state(first)).not.toBe(from.state(first));
    expect(to.actionValue(first, 0)).toBe(from.actionValue(first, 0));
    expect(to.size).toBe(from.size);
    for (const key of [
      "toMove",
      "action",
      "firstChild",
      "childCount",
      "visits",
      "probability",
      "values",
      "rewards",
      "slot",
    ] as const) {
      const length = key === "values" || key === "rewards" ? 2 * from.size : from.size;
      // Only nodes that have been entered have a mover.
      const places = key === "toMove" ? [ROOT, first] : Array.from({ length }, (_, at) => at);
      expect(places.map((at) => to[key][at])).toEqual(places.map((at) => from[key][at]));
    }
  });
});
