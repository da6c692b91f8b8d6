import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANCE } from "../../../src/games/game.ts";
import { NONE, ROOT } from "../../../src/search/tree/nodes.ts";
import { PolicyTree } from "../../../src/search/policy/policy-tree.ts";

const priorsOf = ({ tree, prior }: PolicyTree, node: number) =>
  Array.from({ length: tree.edgeCount[node]! }, (_, i) => prior.data[tree.firstEdge[node]! + i]!);
const actionsOf = ({ tree }: PolicyTree, node: number) =>
  Array.from({ length: tree.edgeCount[node]! }, (_, i) => tree.key[tree.firstEdge[node]! + i]!);

describe("a policy tree", () => {
  it("keeps tried edges in the order of their first visits, then the likeliest of the others", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 }),
        (priors, picks) => {
          const policy = new PolicyTree(2);
          const { tree } = policy;
          const node = tree.addNode(0);
          const actions = Int32Array.from(priors, (_, i) => 3 * i);
          tree.addEdges(node, actions, priors.length);
          policy.setPriors(node, Float32Array.from(priors), 0);
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
              const child = policy.follow(node, edge, 1);
              expect(tree.child[tree.edgeOf(node, tried.at(-1)!)]).toBe(child);
            }
            expect(tree.tried[node]).toBe(tried.length);
            expect(actionsOf(policy, node).slice(0, tried.length)).toEqual(tried);
            expect(actionsOf(policy, node).toSorted((a, b) => a - b)).toEqual([...actions]);
            for (const [i, action] of actionsOf(policy, node).entries())
              expect(priorsOf(policy, node)[i]).toBe(share(action));
          }
        },
      ),
    );
  });

  it("leaves the outcomes of chance in their order", () => {
    const policy = new PolicyTree(1);
    const { tree } = policy;
    const node = tree.addNode(CHANCE);
    tree.addEdges(node, Int32Array.of(4, 5, 6), 3);
    policy.setPriors(node, Float64Array.of(0.1, 0.2, 0.7), 0);
    policy.follow(node, 1, 0);
    expect(actionsOf(policy, node)).toEqual([4, 5, 6]);
    expect(Array.from(tree.child.subarray(0, 3))).toEqual([NONE, 1, NONE]);
  });

  it("hands a part of itself on whole, priors and estimates too", () => {
    const policy = new PolicyTree(3);
    const { tree } = policy;
    const actions = Int32Array.from({ length: 50 }, (_, i) => i);
    const priors = Float32Array.from(actions, (i) => 1 + ((7 * i) % 50));
    tree.addNode(0);
    // A chain of 400 nodes, each with a side branch: past the first size of every array.
    let end: number = ROOT;
    const chain = [ROOT];
    for (let depth = 0; depth < 400; depth++) {
      tree.addEdges(end, actions, 50);
      policy.setPriors(end, priors, 0);
      policy.estimate.data[end] = depth / 8;
      policy.rewards.column.data[3 * end + 2] = -depth;
      policy.follow(end, tree.firstEdge[end]! + (depth % 50), depth % 3);
      end = policy.follow(end, tree.firstEdge[end]! + 1, depth % 3);
      chain.push(end);
    }
    const before = chain.map((node) => [actionsOf(policy, node), priorsOf(policy, node)]);
    tree.rebase(chain[100]!);
    let node: number = ROOT;
    for (let depth = 100; depth < 400; depth++) {
      expect([policy.estimate.data[node], tree.tried[node]]).toEqual([depth / 8, 2]);
      expect(policy.rewards.actionValue(node, 2)).toBe(-depth);
      expect([actionsOf(policy, node), priorsOf(policy, node)]).toEqual(before[depth]);
      node = tree.child[tree.firstEdge[node]! + 1]!;
    }
    expect(tree.firstEdge[node]).toBe(NONE);
    // What is made from here on is as new.
    policy.follow(ROOT, tree.firstEdge[ROOT]! + 2, 0);
    expect(policy.estimate.data[tree.size - 1]).toBe(0);
    expect(policy.rewards.actionValue(tree.size - 1, 2)).toBe(0);
  });
});
