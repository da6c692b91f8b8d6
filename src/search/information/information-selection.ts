import type { Random } from "../../random.ts";
import type { InformationTree } from "./information-tree.ts";
import { NONE } from "../tree/nodes.ts";

/**
 * Selects among the keys that are possible at a node, by UCB1 for subset-armed bandits (Cowling, Powley and Whitehouse
 * 2012, section V):
 *
 *     mean + C sqrt(2 ln n' / n)
 *
 * n is the number of visits of the child, and n' the number of times that it could have been selected, including this
 * one. The factor 2 follows Tsubokura and Nishino, equation (1). Cowling et al. have none: their constant is sqrt(2) C.
 * A key without a child comes first, and gets a child. Among several such keys a draw decides; there is no other draw.
 */
export class InformationSelection {
  readonly #exploration: number;
  /** By key: the number of the call in which it was possible, negated when a child with this key was found. */
  readonly #stamp: Int32Array;
  readonly #keys: Int32Array;
  #logarithms = new Float64Array(1024);
  #count = 0;
  #call = 0;

  /** Keys are 0 .. keys - 1. */
  constructor(exploration: number, keys: number) {
    this.#exploration = exploration;
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

  /** Returns the child that the moving seat goes to. A new child has no visits. */
  select(tree: InformationTree, node: number, seat: number, random: Random): number {
    const { available, key, nextSibling, players, sums, visits } = tree;
    const stamp = this.#stamp;
    const call = this.#call;
    let best = NONE;
    let greatest = -Infinity;
    let found = 0;
    for (let child = tree.firstChild[node]!; child !== NONE; child = nextSibling[child]!) {
      if (stamp[key[child]!] !== call) continue;
      stamp[key[child]!] = -call;
      found++;
      const times = ++available[child]!;
      const n = visits[child]!;
      const value =
        sums[child * players + seat]! / n + this.#exploration * Math.sqrt((2 * this.#logarithm(times)) / n);
      if (value > greatest) {
        greatest = value;
        best = child;
      }
    }
    const missing = this.#count - found;
    if (missing === 0) return best;
    let which = missing === 1 ? 0 : random.below(missing);
    for (let i = 0; ; i++)
      if (stamp[this.#keys[i]!] === call && which-- === 0) return tree.addChild(node, this.#keys[i]!);
  }

  #logarithm(n: number): number {
    if (n >= this.#logarithms.length) {
      this.#logarithms = new Float64Array(2 * n);
      this.#logarithms.forEach((_, k, all) => (all[k] = Math.log(k)));
    }
    return this.#logarithms[n]!;
  }
}
