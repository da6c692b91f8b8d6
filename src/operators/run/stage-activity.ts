import * as Effect from "effect/Effect";
import { DECISIONS, EVALUATIONS, type SharedCounts } from "./shared-counts.ts";

/** What a stage has done since it was last asked, and what it does now. */
export interface StageReading {
  readonly decisions: number;
  readonly evaluations: number;
  /** Optimiser steps. */
  readonly steps: number;
  /** `ended`: the stage has nothing left to do. `idle`: it neither works nor says what it waits for. */
  readonly state: "works" | "waits" | "idle" | "ended";
  /** What it waits for, in words: `version 10 of the weights`; empty while it does not wait. */
  readonly waitsFor: string;
}

/** What a stage does: work under way, what it waits for, and counters of work too small for events. */
export class StageActivity {
  readonly counts: SharedCounts = new Int32Array(new SharedArrayBuffer(8));
  #steps = 0;
  #underWay = 0;
  #waitsFor = "";
  #ended = false;
  readonly #read = new Int32Array(2);
  #readSteps = 0;

  /** Marks the stage as working while an effect runs. Effects may run side by side. */
  during<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#underWay++;
      return Effect.ensuring(
        work,
        Effect.sync(() => void this.#underWay--),
      );
    });
  }

  /** Whether work is under way. */
  get works(): boolean {
    return this.#underWay > 0;
  }

  /** Says what the stage waits for while no work is under way, in words for people. */
  waits(what: string): void {
    this.#waitsFor = what;
  }

  /** Counts optimiser steps. */
  stepped(steps: number): void {
    this.#steps += steps;
  }

  /** Says that the stage has nothing left to do. */
  end(): void {
    this.#ended = true;
  }

  /** Reads the counters and the state; the next reading begins from here. */
  read(): StageReading {
    const since = (index: number): number => {
      const now = Atomics.load(this.counts, index);
      const difference = (now - this.#read[index]!) >>> 0;
      this.#read[index] = now;
      return difference;
    };
    const steps = this.#steps - this.#readSteps;
    this.#readSteps = this.#steps;
    const state = this.#ended
      ? "ended"
      : this.#underWay > 0
        ? "works"
        : this.#waitsFor === ""
          ? "idle"
          : "waits";
    return {
      decisions: since(DECISIONS),
      evaluations: since(EVALUATIONS),
      steps,
      state,
      waitsFor: state === "waits" ? this.#waitsFor : "",
    };
  }
}
