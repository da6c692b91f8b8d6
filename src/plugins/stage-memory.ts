import type { RunFiles } from "../operators/run/run-files.ts";

/** What a stage of one's own has done up to an item behind which a resumed run can continue. */
interface Saved {
  /** The number of items up to there. */
  readonly after: number;
  /** The games among them that it did not give on, since what was saved before. */
  readonly held: readonly number[];
  /** What its code remembers; absent if that is nothing. */
  readonly state?: unknown;
}

/** What is kept of a stage of one's own in the files of the run. */
export class StageMemory {
  readonly #files: RunFiles;
  readonly #stage: string;
  readonly #held = new Set<number>();
  /** Games that were held out since the last `save`. */
  #since: number[] = [];
  /** The number of items that earlier parts of the run have dealt with. */
  readonly after: number;
  /** What the code remembered then; undefined at first. */
  readonly state: unknown;

  constructor(files: RunFiles, stage: string) {
    this.#files = files;
    this.#stage = stage;
    const saved = files
      .recordedMeasurements(stage)
      .map((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as Saved);
    for (const { held } of saved) for (const game of held) this.#held.add(game);
    this.after = saved.at(-1)?.after ?? 0;
    this.state = saved.at(-1)?.state;
  }

  /** Whether a game was held out. */
  held(game: number): boolean {
    return this.#held.has(game);
  }

  /** Notes that a game was held out. */
  hold(game: number): void {
    this.#since.push(game);
  }

  /** Keeps what the stage has done up to an item. The state is something that JSON can hold. */
  save(after: number, state: unknown): void {
    const saved: Saved = { after, held: this.#since, ...(state === undefined ? {} : { state }) };
    this.#since = [];
    this.#files.appendMeasurement(this.#stage, new TextEncoder().encode(JSON.stringify(saved)));
  }
}
