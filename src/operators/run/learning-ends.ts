import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";

/** A stage that may end learning, as it says after each of its rounds. */
export interface LearningJudge {
  /** Says, after a round, whether this generation of games is the last one; once for each generation that can be, in order. */
  decide(generation: number, isLast: boolean): void;
}

interface Judge extends LearningJudge {
  /** The last generation, up to this one, that the stage decides about; -1 if there is none. */
  readonly boundary: (generation: number) => number;
  /** The last generation that it has decided about. */
  known: number;
}

/**
 * Ends learning before all of its games are played. Stages that measure decide about it, each after a round; self-play waits for
 * a decision at the end of the generation that it is about. So a run ends with the same generation whatever the threads do.
 */
export class LearningEnds {
  readonly #judges = new Map<string, Judge[]>();
  readonly #last = new Map<string, number>();
  #waiting = new Set<Latch.Latch>();

  /** Adds a stage that decides about the learning of a net. To be called when the stage is built. */
  add(net: string, boundary: Judge["boundary"]): LearningJudge {
    const judge: Judge = {
      boundary,
      known: -1,
      decide: (generation, isLast) => {
        judge.known = generation;
        if (isLast) this.#last.set(net, Math.min(this.lastGeneration([net]), generation));
        const waiting = this.#waiting;
        this.#waiting = new Set();
        for (const latch of waiting) latch.openUnsafe();
      },
    };
    this.#judges.set(net, [...(this.#judges.get(net) ?? []), judge]);
    return judge;
  }

  /** Whether it is decided for these nets if a generation, or one before it, is the last. */
  isDecided(nets: readonly string[], generation: number): boolean {
    return nets.every(
      (net) =>
        generation >= this.lastGeneration([net]) ||
        (this.#judges.get(net) ?? []).every(({ boundary, known }) => known >= boundary(generation)),
    );
  }

  /** Waits for `isDecided`. */
  decided(nets: readonly string[], generation: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.isDecided(nets, generation)) return Effect.void;
      const latch = Latch.makeUnsafe(false);
      this.#waiting.add(latch);
      return Effect.andThen(latch.await, this.decided(nets, generation));
    });
  }

  /** The last generation that these nets learn from, as far as it is decided; else Infinity. */
  lastGeneration(nets: readonly string[]): number {
    return Math.min(Infinity, ...nets.map((net) => this.#last.get(net) ?? Infinity));
  }
}
