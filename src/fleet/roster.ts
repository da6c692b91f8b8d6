import { GONE_MS } from "./wire/subjects.ts";

/** What a joiner tells with each heartbeat. */
export interface JoinerBeat {
  /** A random id, one for each process. */
  readonly joiner: string;
  /** The name of its machine and its process, for people. */
  readonly name: string;
  /** By run: what it does for it. */
  readonly runs: Readonly<Record<string, JoinerWork>>;
  /** True in its last beat. */
  readonly leaves?: true;
}

/** What a joiner does for a run. */
export interface JoinerWork {
  /** Games that it can have under way. */
  readonly places: number;
  /** Keys of the tasks that it plays. */
  readonly playing: readonly string[];
}

/** A joiner as a run knows it. */
export interface KnownJoiner extends JoinerWork {
  readonly joiner: string;
  readonly name: string;
  /** Milliseconds of a monotonic clock. */
  readonly seen: number;
  /** Games that the run has taken from it. */
  readonly games: number;
}

/** The joiners of a run, by their heartbeats. */
export class Roster {
  readonly #run: string;
  readonly #joiners = new Map<string, KnownJoiner>();
  readonly #clock: () => number;

  /** `clock` gives milliseconds of a monotonic clock. */
  constructor(run: string, clock: () => number = () => performance.now()) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Takes in a heartbeat; says whether the joiner came with it, or left. */
  hear(beat: JoinerBeat): "came" | "left" | undefined {
    const { joiner, leaves, name, runs } = beat;
    const work = runs[this.#run];
    const known = this.#joiners.get(joiner);
    if (leaves === true || work === undefined) {
      this.#joiners.delete(joiner);
      return known === undefined ? undefined : "left";
    }
    this.#joiners.set(joiner, { ...work, joiner, name, seen: this.#clock(), games: known?.games ?? 0 });
    return known === undefined ? "came" : undefined;
  }

  /** Counts a game that was taken from a joiner. */
  counts(joiner: string): void {
    const known = this.#joiners.get(joiner);
    if (known !== undefined) this.#joiners.set(joiner, { ...known, games: known.games + 1 });
  }

  /** Takes out the joiners that have been silent for too long, and returns them. */
  lose(): KnownJoiner[] {
    const lost = [...this.#joiners.values()].filter(({ seen }) => this.#clock() - seen > GONE_MS);
    for (const { joiner } of lost) this.#joiners.delete(joiner);
    return lost;
  }

  /** Takes out a joiner that may not play. */
  dismiss(joiner: string): void {
    this.#joiners.delete(joiner);
  }

  /** The joiners that are there. */
  get joiners(): readonly KnownJoiner[] {
    return [...this.#joiners.values()];
  }

  /** Number of games that they can have under way. */
  get places(): number {
    return this.joiners.reduce((sum, { places }) => sum + places, 0);
  }

  /** Whether one of them plays a task. */
  isPlayed(key: string): boolean {
    return this.joiners.some(({ playing }) => playing.includes(key));
  }

  /** The name of a joiner for people. */
  nameOf(joiner: string): string {
    return this.#joiners.get(joiner)?.name ?? joiner;
  }
}
