import type { Random } from "../../random.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import { NONE } from "../tree/nodes.ts";
import type { SearchTree } from "../tree/search-tree.ts";

/**
 * What n' of UCB1 counts. `availability`: how often the child could have been selected, including this time (subset-armed
 * bandits: Cowling, Powley and Whitehouse 2012, section V). `parent`: the visits of the parent before this one (Tsubokura
 * and Nishino, equation 1), also those in which the child could not be selected.
 */
export type BanditCounts = "availability" | "parent";

/**
 * What a player other than the root's does in the tree. `max-n`: it maximises its own return. `paranoid`: it minimises that of
 * the root's player, x, whose place 1 - x takes. `cooperative`: it maximises it. Tsubokura and Nishino back up the gain as
 * the root's player sees it (section 2.1, steps 3 and 4), and do not say how the others select by it.
 */
export type OpponentGoal = "max-n" | "paranoid" | "cooperative";

/** The settings of a selection among moves between information sets. */
export interface SelectionConfig {
  /** C of UCB1. */
  readonly exploration: number;
  readonly counts: BanditCounts;
  readonly opponents: OpponentGoal;
  /** The value of a key without an edge, compared with mean + C sqrt(2 ln n' / n) of the others; null: infinite. */
  readonly firstPlay: number | null;
}

/**
 * Selects among the keys that are possible at a node, by UCB1:
 *
 *     mean + C sqrt(2 ln n' / n)
 *
 * n is the number of visits of the child; `BanditCounts` says what n' is. The factor 2 follows Tsubokura and Nishino,
 * equation (1). Cowling et al. have none: their constant is sqrt(2) C. A key without an edge comes first, or, with a
 * `firstPlay`, where this is greater than the value of every edge; it gets an edge. Among several such keys a draw decides;
 * there is no other draw.
 */
export class InformationSelection {
  readonly #tree: SearchTree;
  /** Shape [edges]: how often the node was passed while the key of the edge was possible there. A new edge counts 1. */
  readonly #available: TreeColumn<Int32Array>;
  readonly #exploration: number;
  readonly #ofParent: boolean;
  readonly #opponents: OpponentGoal;
  readonly #firstPlay: number;
  /** After `select`: the number of possible keys that have no edge yet, if each of them comes before all edges. Else 0. */
  missing = 0;
  /** By key: the number of the call in which it was possible, negated when an edge with this key was found. */
  readonly #stamp: Int32Array;
  readonly #keys: Int32Array;
  #logarithms = new Float64Array(1024);
  #count = 0;
  #call = 0;

  /** Keys are 0 .. keys - 1. */
  constructor(
    tree: SearchTree,
    { exploration, counts, opponents, firstPlay }: SelectionConfig,
    keys: number,
  ) {
    this.#tree = tree;
    this.#available = tree.edgeColumn(Int32Array, 1, 1);
    this.#exploration = exploration;
    this.#ofParent = counts === "parent";
    this.#opponents = opponents;
    this.#firstPlay = firstPlay ?? Infinity;
    this.#stamp = new Int32Array(keys);
    this.#keys = new Int32Array(keys);
    this.#logarithms.forEach((_, n, all) => (all[n] = Math.log(n)));
  }

  /** Starts a selection: no key is possible yet. */
  begin(): void {
    this.#count = 0;
    // Stamps of earlier calls never recur. Zero is the content of a new array.
    if (++this.#call === 0x7fffffff) {
      this.#stamp.fill(0);
      this.#call = 1;
    }
  }

  /** Adds a possible key. */
  add(key: number): void {
    if (this.#stamp[key] === this.#call) return;
    this.#stamp[key] = this.#call;
    this.#keys[this.#count++] = key;
  }

  /**
   * Returns the edge that the moving seat takes in a search for the seat `root`. A new edge leads to no node yet; all others do.
   * `expanding`: a key without an edge comes first whatever `firstPlay` is.
   */
  select(node: number, mover: number, root: number, expanding: boolean, random: Random): number {
    const { key, child, players, values, visits } = this.#tree;
    const available = this.#available.data;
    const stamp = this.#stamp;
    const call = this.#call;
    const seat = this.#opponents === "max-n" ? mover : root;
    const minimises = this.#opponents === "paranoid" && mover !== root;
    const parent = this.#ofParent ? this.#logarithm(visits[node]!) : 0;
    const firstEdge = this.#tree.firstEdge[node]!;
    const end = firstEdge + this.#tree.edgeCount[node]!;
    let best = NONE;
    let greatest = -Infinity;
    let found = 0;
    for (let edge = firstEdge; edge < end; edge++) {
      if (stamp[key[edge]!] !== call) continue;
      stamp[key[edge]!] = -call;
      found++;
      const times = ++available[edge]!;
      const to = child[edge]!;
      const n = visits[to]!;
      const logarithm = this.#ofParent ? parent : this.#logarithm(times);
      const mean = values[to * players + seat]! / n;
      const value = (minimises ? 1 - mean : mean) + this.#exploration * Math.sqrt((2 * logarithm) / n);
      if (value > greatest) {
        greatest = value;
        best = edge;
      } else if (best === NONE) best = edge;
    }
    const missing = this.#count - found;
    const first = expanding || found === 0 || this.#firstPlay === Infinity;
    this.missing = first ? Math.max(0, missing - 1) : 0;
    if (missing === 0 || !(first || this.#firstPlay > greatest)) return best;
    let which = missing === 1 ? 0 : random.below(missing);
    for (let i = 0; ; i++)
      if (stamp[this.#keys[i]!] === call && which-- === 0) return this.#tree.addEdge(node, this.#keys[i]!);
  }

  #logarithm(n: number): number {
    if (n >= this.#logarithms.length) {
      this.#logarithms = new Float64Array(2 * n);
      this.#logarithms.forEach((_, k, all) => (all[k] = Math.log(k)));
    }
    return this.#logarithms[n]!;
  }
}
