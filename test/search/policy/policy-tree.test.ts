import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANCE } from "../../../src/games/game.ts";
import { NONE, ROOT } from "../../../src/search/tree/nodes.ts";
import { PolicyTree } from "../../../src/search/policy/policy-tree.ts";

const priorsOf = (tree: PolicyTree, node: number) =>
  Array.from({ length: tree.edgeCount[node]! }, (_, i) => tree.prior[tree.firstEdge[node]! + i]!);
const actionsOf = (tree: PolicyTree, node: number) =>
  Array.from({ length: tree.edgeCount[node]! }, (_, i) => tree.key[tree.firstEdge[node]! + i]!);

describe("a policy tree", () => {
  it("keeps tried edges in the order of their first visits, then the likeliest of the others", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 }),
        (priors, picks) => {
          const tree = new PolicyTree(2);
          const node = tree.addNode(0);
          const actions = Int32Array.from(priors, (_, i) => 3 * i);
          tree.addEdges(node, actions, priors.length);
          tree.setPriors(node, Float32Array.from(priors), 0);
          const total = priors.reduce((a, b) => a + b, 0);
          const share = (action: number) =>
            total === 0 ? Math.fround(1 / priors.length) : Math.fround(priors[action / 3]! * (1 / total));
          const tried: number[] = [];
          for (const pick of [0, ...picks]) {
            const first = tree.firstEdge[node]!;
            const open = priors.length - tried.length;
            if (open > 0) {
              const left = [...actions].filter((action) => !tried.includes(action));
              const next = left.reduce((a, b) => (share(b) > share(a) ? b : a));
              expect(tree.key[first + tried.length]).toBe(next);
              // Mostly the next one, as selection does; sometimes any, as sampling does.
              const edge = first + tried.length + (pick % 3 === 0 ? pick % open : 0);
              tried.push(tree.key[edge]!);
              const child = tree.follow(node, edge, 1);
              expect(tree.child[tree.edgeOf(node, tried.at(-1)!)]).toBe(child);
            }
            expect(tree.tried[node]).toBe(tried.length);
            expect(actionsOf(tree, node).slice(0, tried.length)).toEqual(tried);
            expect(actionsOf(tree, node).toSorted((a, b) => a - b)).toEqual([...actions]);
            for (const [i, action] of actionsOf(tree, node).entries())
              expect(priorsOf(tree, node)[i]).toBe(share(action));
          }
        },
      ),
    );
  });

  it("leaves the outcomes of chance in their order", () => {
    const tree = new PolicyTree(1);
    const node = tree.addNode(CHANCE);
    tree.addEdges(node, Int32Array.of(4, 5, 6), 3);
    tree.setPriors(node, Float64Array.of(0.1, 0.2, 0.7), 0);
    tree.follow(node, 1, 0);
    expect(actionsOf(tree, node)).toEqual([4, 5, 6]);
    expect(Array.from(tree.child.subarray(0, 3))).toEqual([NONE, 1, NONE]);
  });

  it("that was cleared is as new: nodes start without visits, values and rewards of any seat", () => {
    const tree = new PolicyTree(3);
    const fill = (from: number) => {
      for (let node = 0; node < 2; node++) {
        expect(tree.addNode(node)).toBe(node);
        expect([tree.visits[node], tree.tried[node], tree.estimate[node]]).toEqual([0, 0, 0]);
        expect(tree.firstEdge[node]).toBe(NONE);
        expect(tree.edgeCount[node]).toBe(0);
        tree.visits[node] = from;
        tree.estimate[node] = from;
      }
      for (let at = 0; at < 6; at++) {
        expect([tree.values[at], tree.rewards[at]]).toEqual([0, 0]);
        tree.values[at] = from + at;
        tree.rewards[at] = from - at;
      }
      tree.addEdges(ROOT, Int32Array.of(7, 8), 2);
      expect(Array.from(tree.child.subarray(0, 2))).toEqual([NONE, NONE]);
      tree.setPriors(ROOT, Float64Array.of(1, 2), 0);
      tree.child[0] = 1;
      tree.tried[ROOT] = 1;
    };
    fill(100);
    tree.clear();
    fill(200);
  });

  it("grows without loss, and hands a part of itself to another tree whole", () => {
    const tree = new PolicyTree(3);
    const actions = Int32Array.from({ length: 50 }, (_, i) => i);
    const priors = Float32Array.from(actions, (i) => 1 + ((7 * i) % 50));
    tree.addNode(0);
    // A chain of 400 nodes, each with a side branch: past the first size of every array.
    const chain = [ROOT];
    for (let depth = 0; depth < 400; depth++) {
      const node = chain.at(-1)!;
      tree.addEdges(node, actions, 50);
      tree.setPriors(node, priors, 0);
      tree.visits[node] = depth;
      tree.estimate[node] = depth / 8;
      tree.values[3 * node + 2] = -depth;
      tree.follow(node, tree.firstEdge[node]! + (depth % 50), depth % 3);
      chain.push(tree.follow(node, tree.firstEdge[node]! + 1, depth % 3));
    }
    const part = new PolicyTree(3);
    part.addNode(2);
    part.assign(tree, chain[100]!);
    let node = ROOT;
    for (let depth = 100; depth < 400; depth++) {
      const origin = chain[depth]!;
      expect([part.visits[node], part.estimate[node], part.values[3 * node + 2], part.tried[node]]).toEqual([
        depth,
        depth / 8,
        -depth,
        2,
      ]);
      expect(part.toMove[node]).toBe(tree.toMove[origin]);
      expect(actionsOf(part, node)).toEqual(actionsOf(tree, origin));
      expect(priorsOf(part, node)).toEqual(priorsOf(tree, origin));
      node = part.child[part.firstEdge[node]! + 1]!;
    }
    expect(part.size).toBe(601);
    expect(part.firstEdge[node]).toBe(NONE);
  });
});
