import type { Evaluator } from "../../games/evaluation.ts";
import type { PlayoutGuide } from "../../games/guided-playouts.ts";
import type { NetVersion } from "../run/weights/weights-board.ts";

/** Weights that games under way are played with. */
export interface UsedWeights extends NetVersion {
  /** Values and playouts by tables of an earlier version; absent for nets that are computed and for current tables. */
  readonly evaluator?: Evaluator<unknown> | undefined;
  readonly guide?: PlayoutGuide<unknown> | undefined;
}

/**
 * The weights that the games of a thread are played with. Each has a number, and searches name the weights in their
 * requests by this number. A number is used again when no game uses its weights any more.
 */
export class WeightsInUse {
  readonly #used: (
    | { readonly weights: UsedWeights; readonly ownTables: boolean; uses: number }
    | undefined
  )[] = [];

  /**
   * The number of a version of a net for one more use; `open` opens it if it is not in use yet. A version can be in use as
   * the current tables, which a learner keeps changing, and with tables of its own, which stay as they are.
   */
  acquire({ net, version }: NetVersion, ownTables: boolean, open: () => UsedWeights): number {
    const known = this.#used.findIndex(
      (used) => used?.weights.net === net && used.weights.version === version && used.ownTables === ownTables,
    );
    if (known >= 0) {
      this.#used[known]!.uses++;
      return known;
    }
    const free = this.#used.indexOf(undefined);
    const number = free >= 0 ? free : this.#used.length;
    this.#used[number] = { weights: open(), ownTables, uses: 1 };
    return number;
  }

  /** Ends one use of the weights with a number. */
  release(number: number): void {
    if (--this.#used[number]!.uses === 0) this.#used[number] = undefined;
  }

  /** The weights with a number that is in use. */
  at(number: number): UsedWeights {
    return this.#used[number]!.weights;
  }
}
