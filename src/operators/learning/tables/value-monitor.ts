import * as Effect from "effect/Effect";
import type { RunEvent } from "../../../events/event.ts";
import type { Static } from "../../../schema.ts";
import type { Tensor } from "../../run/items.ts";
import type { monitorSchema } from "./monitor-settings.ts";
import { RunFailed } from "../../run/run-error.ts";

/**
 * Watches whether values diverge from scores, by the ratio V(start) / score over the last games.
 *
 * Values learned from search values can grow without bound while the scores do not: the source of MC Softmax for 2048
 * reports it. Learning is useless from then on, so the run is stopped with an explanation.
 */
export class ValueMonitor {
  readonly #stage: string;
  readonly #config: Static<typeof monitorSchema>;
  readonly #values: Float64Array;
  readonly #scores: Float64Array;
  readonly #optimum: number | undefined;
  #seen = 0;

  /** A monitor for a stage; `optimum` is the return of perfect play, if it is known. */
  constructor(stage: string, config: Static<typeof monitorSchema>, optimum?: number) {
    this.#stage = stage;
    this.#optimum = optimum;
    this.#config = config;
    this.#values = new Float64Array(config.window);
    this.#scores = new Float64Array(config.window);
  }

  /** Counts one finished game. */
  add(startValue: number, score: number): void {
    const at = this.#seen++ % this.#config.window;
    this.#values[at] = startValue;
    this.#scores[at] = score;
  }

  /** The last games, oldest first: V(start) and score of each, float64 [games, 2]. */
  state(): Tensor {
    const data = Array.from(this.#last(), (at) => [this.#values[at]!, this.#scores[at]!]);
    return { shape: [data.length, 2], data: Float64Array.from(data.flat()) };
  }

  /** Restores what `state` returned. */
  restore({ data }: Tensor): void {
    for (let at = 0; at < data.length; at += 2) this.add(data[at]!, data[at + 1]!);
  }

  /** Emits the ratio after a total of `games` games, and fails if it is out of bounds. */
  judge(games: number, emit: (event: RunEvent) => void): Effect.Effect<void, RunFailed> {
    return Effect.suspend(() => {
      const last = [...this.#last()];
      const count = last.length;
      const startValue = mean(last.map((at) => this.#values[at]!));
      const meanReturn = mean(last.map((at) => this.#scores[at]!));
      if (count === 0 || meanReturn === 0) return Effect.void;
      const ratio = startValue / meanReturn;
      const optimum = this.#optimum === undefined ? {} : { optimum: this.#optimum };
      emit({
        type: "value-drift",
        stage: this.#stage,
        learned: games,
        startValue,
        meanReturn,
        ratio,
        ...optimum,
      });
      const { low, high, warmUp } = this.#config;
      if (games < warmUp || this.#seen < this.#config.window || (ratio >= low && ratio <= high))
        return Effect.void;
      const figures = `V(start) is ${startValue.toPrecision(4)}, the mean score of the last ${count} games ${meanReturn.toPrecision(4)}: ratio ${ratio.toPrecision(3)}, outside [${low}, ${high}]`;
      const reason = !(ratio <= high)
        ? `values have diverged from the scores. ${figures}. Values learned from maxima over the same values can grow without end; learn along the moves really played (examples: { use: td }), clip, or lower the learning rate. If this is only the start of learning, raise monitor.warmUp; if values begin above all scores on purpose (initialValue), raise monitor.high`
        : `values stay far below the scores. ${figures}. The net has not learned the size of the returns yet: raise monitor.warmUp, the learning rate or the steps per generation`;
      return Effect.fail(new RunFailed({ stage: this.#stage, reason }));
    });
  }

  /** The places of the last games, oldest first: sums have the same order after a resume. */
  *#last(): Generator<number> {
    const { window } = this.#config;
    for (let game = Math.max(0, this.#seen - window); game < this.#seen; game++) yield game % window;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
