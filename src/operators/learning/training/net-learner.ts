import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { StageEnv } from "../../operator.ts";
import type { ReplayReady, Tensors, WeightsVersion } from "../../run/items.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { emitFigures } from "../../run/weights/emit-figures.ts";
import type { LearningSteps, StepsTaken } from "./learning-steps.ts";
import type { StartingPoint } from "../../run/weights/net-weights.ts";

/** What a net learns from between two versions of its weights. */
export type Generation = Pick<ReplayReady, "generation" | "rounds" | "last" | "keep">;

/** How a net is trained. */
export interface Learning<R> {
  /** Its name in the experiment. */
  readonly net: string;
  /** Number of steps for each generation. */
  readonly steps: number;
  /** Number of generations that the whole run learns from; undefined if it is not known. */
  readonly trainings: number | undefined;
  /** What it waits for, in words: at first, and after each generation. */
  readonly awaits: { readonly first: string; readonly next: string };
  /** Whether its progress is that of the whole run. Default: that of a generation. */
  readonly whole?: boolean;
  /** Figures by name that are emitted with the version that is learned from a generation. */
  readonly figures?: (generation: R) => Readonly<Record<string, number>>;
}

/**
 * Learns generation by generation: requests the steps, emits the losses, and makes versions of the weights.
 *
 * What a step learns from is a function of its number and the generation. So results depend neither on how steps are
 * grouped into requests nor on resumptions of the run.
 */
export class NetLearner<R extends Generation> {
  readonly #settings: Learning<R>;
  readonly #env: StageEnv;
  readonly #steps: LearningSteps<R>;
  /** Number of steps done. */
  #step: number;
  /** The state after `#stateStep` steps. */
  #state: Tensors;
  #stateStep: number;
  /** Steps of the checkpoint that this part of the run began with. */
  readonly #savedStep: number;
  /** Number of generations learned from, or skipped while the buffer was being filled. */
  #generations: number;
  /** Whether nothing is left to learn: no version follows. */
  #final: boolean;
  /** The generation that was last learned from; before the first step, the first one received. */
  #drawn: R | undefined;

  constructor(settings: Learning<R>, env: StageEnv, steps: LearningSteps<R>, start: StartingPoint) {
    this.#settings = settings;
    this.#env = env;
    this.#steps = steps;
    this.#state = start.tensors;
    this.#step = this.#stateStep = this.#savedStep = start.progress["steps"] ?? 0;
    const { trainings } = settings;
    // A run can be killed after its last version, while stages still play with it.
    this.#final = trainings !== undefined && this.#step >= trainings * settings.steps;
    // Checkpoints of earlier versions lack this counter: every generation had its steps then.
    this.#generations = start.progress["generations"] ?? Math.floor(this.#step / settings.steps);
    env.activity.waits(settings.awaits.first);
  }

  /**
   * Called with every generation, trained on or skipped. The games of the first one are kept until a checkpoint is saved. An earlier
   * part of the run may have ended between such a checkpoint and the removal of the games that it makes needless.
   */
  #onGeneration(generation: R): void {
    const learned = generation.rounds > 0 && generation.rounds * this.#settings.steps <= this.#savedStep;
    if (this.#drawn !== undefined && !learned) return;
    this.#drawn = generation;
    generation.keep(this.#env.stage);
  }

  /** Skips a generation that only fills the buffer; the next generation is played with the same weights. */
  #pass({ rounds, generation }: R): Effect.Effect<void, RunError> {
    if (rounds > 0 || generation < this.#generations) return Effect.void;
    this.#env.activity.waits("the buffer to be filled");
    this.#generations = generation + 1;
    return this.#publish("whole");
  }

  /** Performs the steps of one generation that are not done yet; ends early when the run is to stop. */
  #learn(generation: R) {
    return Effect.gen({ self: this }, function* () {
      const end = generation.rounds * this.#settings.steps;
      this.#drawn = generation;
      this.#emitProgress(end);
      while (this.#step < end && !this.#env.stop.requested) {
        const taken = yield* this.#steps.take(generation, this.#step, end);
        this.#step += taken.count;
        this.#env.activity.stepped(taken.count);
        yield* this.#reportSteps(taken, end);
      }
      this.#state = yield* this.#steps.state(this.#step === end);
      this.#stateStep = this.#step;
      if (this.#step === end) {
        this.#generations = generation.generation + 1;
        emitFigures(this.#env, end, this.#settings.figures?.(generation) ?? {});
      }
      this.#final = generation.last && this.#step === end;
      this.#env.activity.waits(this.#settings.awaits.next);
      return yield* this.#version(this.#step < end);
    });
  }

  /** The state as a version of the weights; published unless it is partial. */
  #version(partial: boolean) {
    const { net, steps } = this.#settings;
    const state = this.#state;
    const drawn = this.#drawn;
    const version: WeightsVersion = {
      net,
      version: this.#generations + (this.#stateStep % steps === 0 ? 0 : 1),
      trainings: Math.ceil(this.#stateStep / steps),
      learned: this.#stateStep,
      unit: "steps",
      state: partial || this.#stateStep % steps !== 0 ? "partial" : this.#final ? "final" : "whole",
      snapshot: Effect.succeed(state),
      progress: { steps: this.#stateStep, generations: this.#generations },
      saved: () => drawn?.keep(this.#env.stage),
    };
    // After an interruption within a generation the last whole version continues to play: its games are not finished.
    return Effect.as(
      version.state === "partial" && this.#env.board.version(net) >= 0
        ? Effect.void
        : this.#publish(version.state),
      version,
    );
  }

  #publish(state: WeightsVersion["state"]) {
    const { board, clock } = this.#env;
    const { net } = this.#settings;
    return Effect.andThen(
      clock.heldUp(board.readersFollow(net, this.#generations)),
      board.publish(net, this.#generations, this.#steps.published(this.#state), state),
    );
  }

  /** After an interruption between two generations: the state once more, so that a checkpoint is saved. */
  #rest(): Stream.Stream<WeightsVersion, RunError> {
    return this.#env.stop.requested && !this.#final ? Stream.fromEffect(this.#version(true)) : Stream.empty;
  }

  /** The versions of the weights, beginning with the one at the start: one after each generation. */
  versions<E>(generations: Stream.Stream<R, E | RunError>): Stream.Stream<WeightsVersion, E | RunError> {
    const { net, steps } = this.#settings;
    const trained = generations.pipe(
      Stream.tap((generation) => Effect.sync(() => this.#onGeneration(generation))),
      Stream.tap((generation) => this.#pass(generation)),
      Stream.filter(({ rounds }) => !this.#env.stop.requested && rounds * steps > this.#step),
      Stream.mapEffect((generation) => this.#learn(generation)),
    );
    const first = Effect.suspend(() => {
      // An arena that an earlier part of the run has let end learning says so when it is built.
      this.#final ||= this.#generations > this.#env.board.ends.lastGeneration([net]);
      return this.#version(false);
    });
    return Stream.fromEffect(first).pipe(
      Stream.concat(trained),
      Stream.concat(Stream.suspend(() => this.#rest())),
    );
  }

  #reportSteps({ losses, rate }: StepsTaken, end: number) {
    return Effect.suspend(() => {
      const { stage, emit } = this.#env;
      const means = Object.fromEntries(
        Object.entries(losses).map(([name, values]) => [
          name,
          values.reduce((sum, value) => sum + value, 0) / values.length,
        ]),
      );
      const { total: loss, ...parts } = means as { total: number };
      emit({ type: "training", stage, step: this.#step, loss, parts, rate });
      this.#emitProgress(end, `loss ${loss.toPrecision(4)}`);
      return Number.isFinite(loss)
        ? Effect.void
        : Effect.fail(
            new RunFailed({
              stage,
              reason: `the loss is ${loss} at step ${this.#step}: training has diverged; lower the learning rate, or clip (loss: { clip: ... })`,
            }),
          );
    });
  }

  #emitProgress(end: number, latest?: string): void {
    const { stage, emit } = this.#env;
    const { steps, trainings, whole = false } = this.#settings;
    const total = whole && trainings !== undefined ? trainings * steps : end;
    const shown = latest === undefined ? {} : { latest };
    emit({ type: "progress", stage, done: this.#step, total, unit: "steps", ...shown });
  }
}
