import { describe, expect, it } from "vitest";
import { NONE, ROOT } from "../../../src/search/tree/nodes.ts";
import { NodeStates } from "../../../src/search/tree/node-states.ts";
import { hashGame } from "../depth-first/hash-game.ts";

const game = hashGame({ seed: 9, players: 2, branching: 4, depth: 50, chance: 0 });

describe("states in the nodes of a tree", () => {
  it("are the positions along the moves, with their movers and rewards, also in a tree that grows and is used again", () => {
    const states = new NodeStates(game);
    const { tree, rewards } = states;
    const actions = new Int32Array(4);
    const walk = () => {
      states.reset(game.initial());
      const nodes: number[] = [];
      for (let node: number = ROOT; tree.toMove[node]! >= 0;) {
        const count = game.legal(states.state(node), actions);
        node = states.enterAll(node, actions, count) + (nodes.length % count);
        nodes.push(node);
      }
      return nodes;
    };
    for (let time = 0; time < 2; time++) {
      const nodes = walk();
      expect(nodes.length).toBeGreaterThan(4);
      const state = game.initial();
      let returns = 0;
      for (const [i, node] of nodes.entries()) {
        const parent = i === 0 ? ROOT : nodes[i - 1]!;
        const first = tree.firstEdge[parent]!;
        // The children lie side by side.
        for (let k = 0; k < tree.edgeCount[parent]!; k++)
          expect(tree.child[first + k]).toBe(tree.child[first]! + k);
        game.play(state, tree.key[first + (i % tree.edgeCount[parent]!)]!);
        expect(states.state(node)).toEqual(state);
        expect(tree.toMove[node]).toBe(game.toMove(state));
        returns += rewards.actionValue(node, 1);
      }
      expect(returns).toBe(state.returns[1]);
    }
  });

  it("are those of another tree after a copy, without being shared", () => {
    const from = new NodeStates(game);
    from.reset(game.initial());
    const actions = new Int32Array(4);
    const first = from.enterAll(ROOT, actions, game.legal(from.state(ROOT), actions));
    from.tree.values[first * 2] = 5;
    from.tree.visits[first] = 7;
    from.probability.data[from.tree.firstEdge[ROOT]!] = 0.25;
    const to = new NodeStates(game);
    to.reset(game.initial());
    to.copy(from);
    expect(to.state(first)).toEqual(from.state(first));
    expect(to.state(first)).not.toBe(from.state(first));
    expect(to.rewards.actionValue(first, 0)).toBe(from.rewards.actionValue(first, 0));
    expect([to.tree.size, to.tree.edges, to.tree.visits[first]]).toEqual([
      from.tree.size,
      from.tree.edges,
      7,
    ]);
    expect(to.probability.data[to.tree.firstEdge[ROOT]!]).toBe(0.25);
    expect(to.tree.firstEdge[first]).toBe(NONE);
  });
});
