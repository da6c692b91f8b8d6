import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NONE, ROOT } from "../../../src/search/tree/nodes.ts";
import { SearchTree } from "../../../src/search/tree/search-tree.ts";

/** A tree written plainly. */
interface Node {
  readonly number: number;
  readonly edges: { readonly key: number; readonly mark: number; child?: Node }[];
}

/** A tree with a column of nodes and one of edges, beside the plain one that it should be equal to. */
class Pair {
  readonly tree = new SearchTree(2);
  readonly pair = this.tree.nodeColumn(Float64Array, 2, 7);
  readonly mark = this.tree.edgeColumn(Int32Array, 1, -5);
  /** By node of the tree, the plain one. */
  nodes: Node[] = [];
  #numbers = 0;
  #marks = 0;

  add(parent: number | undefined, edge: number): void {
    const { tree, pair } = this;
    const number = ++this.#numbers;
    const plain: Node = { number, edges: [] };
    const node = parent === undefined ? tree.addNode(number % 3) : tree.addChild(parent, edge, number % 3);
    expect(Array.from(pair.data.subarray(2 * node, 2 * node + 2))).toEqual([7, 7]);
    expect([tree.visits[node], tree.tried[node], tree.firstEdge[node], tree.values[2 * node]]).toEqual([
      0,
      0,
      NONE,
      0,
    ]);
    tree.visits[node] = number;
    tree.values[2 * node + 1] = number / 4;
    pair.data[2 * node + 1] = -number;
    this.nodes[node] = plain;
    if (parent !== undefined) this.nodes[parent]!.edges[edge - tree.firstEdge[parent]!]!.child = plain;
  }

  #mark(node: number, edge: number, key: number): void {
    expect([this.mark.data[edge], this.tree.child[edge]]).toEqual([-5, NONE]);
    this.mark.data[edge] = ++this.#marks;
    this.nodes[node]!.edges.push({ key, mark: this.#marks });
  }

  expand(node: number, count: number): void {
    const keys = Int32Array.from({ length: count }, (_, i) => 10 * i);
    const first = this.tree.addEdges(node, keys, count);
    for (let i = 0; i < count; i++) this.#mark(node, first + i, 10 * i);
  }

  append(node: number, key: number): void {
    this.#mark(node, this.tree.addEdge(node, key), key);
  }

  rebase(root: number): void {
    const top = this.nodes[root]!;
    this.tree.rebase(root);
    const within = new Set<Node>();
    const visit = (node: Node) => {
      within.add(node);
      for (const { child } of node.edges) if (child !== undefined) visit(child);
    };
    visit(top);
    this.nodes = this.nodes.filter((node) => within.has(node));
    expect(this.nodes[ROOT]).toBe(top);
  }

  check(tree = this.tree, pair = this.pair, mark = this.mark): void {
    expect(tree.size).toBe(this.nodes.length);
    for (const [node, { number, edges }] of this.nodes.entries()) {
      expect([tree.visits[node], tree.toMove[node], tree.values[2 * node + 1]]).toEqual([
        number,
        number % 3,
        number / 4,
      ]);
      expect([pair.data[2 * node], pair.data[2 * node + 1]]).toEqual([7, -number]);
      expect(tree.edgeCount[node]).toBe(edges.length);
      expect(tree.tried[node]).toBe(edges.filter(({ child }) => child !== undefined).length);
      for (const [i, { key, mark: own, child }] of edges.entries()) {
        const edge = tree.firstEdge[node]! + i;
        expect([tree.key[edge], mark.data[edge]]).toEqual([key, own]);
        expect(tree.child[edge]).toBe(child === undefined ? NONE : this.nodes.indexOf(child));
      }
    }
  }
}

describe("a search tree", () => {
  it("holds what a tree of objects holds, whatever is added, moved and dropped, and so does a copy", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 120 }), (draws) => {
        const pair = new Pair();
        const { tree } = pair;
        pair.add(undefined, NONE);
        for (const draw of draws) {
          const node = draw % tree.size;
          const edges = tree.edgeCount[node]!;
          const edge = tree.firstEdge[node]! + (draw % Math.max(1, edges));
          if (draw % 23 === 0) pair.rebase(node);
          else if (edges === 0 && draw % 3 > 0) pair.expand(node, draw % 5);
          else if (edges === 0 || draw % 7 === 0) pair.append(node, 1000 + edges);
          else if (tree.child[edge] === NONE) pair.add(node, edge);
          else if (draw % 5 === 0) {
            const other = tree.firstEdge[node]! + ((draw >> 3) % edges);
            tree.swapEdges(edge, other);
            const plain = pair.nodes[node]!.edges;
            const first = tree.firstEdge[node]!;
            [plain[edge - first], plain[other - first]] = [plain[other - first]!, plain[edge - first]!];
          }
        }
        pair.check();
        const copy = new SearchTree(2);
        const columns = [copy.nodeColumn(Float64Array, 2, 7), copy.edgeColumn(Int32Array, 1, -5)] as const;
        copy.addNode(0);
        copy.copy(tree);
        pair.check(copy, ...columns);
      }),
    );
  });

  it("grows past the first size of its arrays without loss, and is as new when cleared", () => {
    const pair = new Pair();
    const { tree } = pair;
    for (let time = 0; time < 2; time++) {
      pair.nodes = [];
      pair.add(undefined, NONE);
      for (let node = 0; node < 300; node++) {
        if (node % 2 === 0) pair.expand(node, 1 + (node % 9));
        else for (let i = 0; i <= node % 9; i++) pair.append(node, i);
        pair.add(node, tree.firstEdge[node]!);
      }
      pair.check();
      expect(tree.edgeOf(299, 1)).toBe(tree.firstEdge[299]! + 1);
      expect(tree.edgeOf(299, 99)).toBe(NONE);
      tree.clear();
    }
  });
});
