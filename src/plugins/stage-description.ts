import type { Random } from "../random.ts";
import type { Options, OptionValues } from "../definitions/options.ts";
import type { FinishedGame, StageItemKind, StageItems } from "./stage-items.ts";

/** What a stage of one's own is given beside its input. */
export interface StageTools {
  /** The name of the stage in the experiment file. */
  readonly stage: string;
  /** A stream of random numbers of this name: the same in every run of the same file. */
  random(...name: readonly (string | number)[]): Random;
  /**
   * Reports a figure: a finite number. It is shown in the report and in TensorBoard, at the place of the item that was read
   * last, and kept in `metrics.jsonl`.
   */
  figure(name: string, value: number): void;
  /**
   * What the stage remembers: a value that JSON can hold, `undefined` at first. A run that is resumed has it as it was when
   * the stage asked for the item at which it continues. What a stage keeps elsewhere is lost.
   */
  state: unknown;
  /** Aborted when the run is to end before its time. The input ends then, too. */
  readonly signal: AbortSignal;
}

/** A stage of one's own, as `defineStage` takes it. */
export interface StageDescription<K extends StageItemKind, O extends Options> {
  /** The name after `use:` of a stage in experiment files: letters, digits and hyphens. */
  readonly name: string;
  /** One sentence for lists. */
  readonly description: string;
  /** The settings in experiment files, beside `from`, the stage that is read; absent: none. */
  readonly settings?: O;
  /** The kind of what it reads. */
  readonly reads: K;
  /** `games`: it gives on some of the games that it reads. Absent: it gives nothing, and reports figures. */
  readonly gives?: K extends "games" ? "games" : never;
  /**
   * Reads the items, in order, by `for await`. A game that was not given on by `yield` when the next one is asked for is
   * held out: nothing learns from it.
   */
  run(
    items: AsyncIterable<StageItems[K]>,
    settings: OptionValues<O>,
    env: StageTools,
  ): AsyncIterable<K extends "games" ? FinishedGame : never> | Promise<void>;
}
