import type { FleetFlow } from "../../events/flow-event.ts";
import { GameRate } from "./game-rate.ts";
import type { JoinerBeat, JoinerWork } from "../wire/beats.ts";
import { GONE_MS } from "../wire/subjects.ts";

/** Machines that an event names: the busiest ones. */
const MOST_NAMED = 50;

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
  readonly #rates = new Map<string, GameRate>();
  /** Games that were taken, and names of joiners that left, since the last report. */
  #done = 0;
  #left: string[] = [];
  readonly #clock: () => number;

  /** `clock` gives milliseconds of a monotonic clock. */
  constructor(run: string, clock: () => number = () => performance.now()) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Takes in a heartbeat; says whether the joiner came with it, or left. */
  onHeartbeat(beat: JoinerBeat): "came" | "left" | undefined {
    const { joiner, leaves, name, runs } = beat;
    const work = runs[this.#run];
    const known = this.#joiners.get(joiner);
    if (leaves === true || work === undefined) {
      this.#remove(joiner);
      return known === undefined ? undefined : "left";
    }
    this.#joiners.set(joiner, { ...work, joiner, name, seen: this.#clock(), games: known?.games ?? 0 });
    if (known === undefined) this.#rates.set(joiner, new GameRate(this.#clock));
    return known === undefined ? "came" : undefined;
  }

  /** Counts a game that was taken from a joiner. */
  counts(joiner: string): void {
    this.#done++;
    const known = this.#joiners.get(joiner);
    if (known === undefined) return;
    this.#joiners.set(joiner, { ...known, games: known.games + 1 });
    this.#rates.get(joiner)!.count();
  }

  /** Takes out the joiners that have been silent for too long, and returns them. */
  lose(): KnownJoiner[] {
    const lost = [...this.#joiners.values()].filter(({ seen }) => this.#clock() - seen > GONE_MS);
    for (const { joiner } of lost) this.#remove(joiner);
    return lost;
  }

  /** Takes out a joiner that may not play. */
  dismiss(joiner: string): void {
    this.#remove(joiner);
  }

  /** Games a second that were taken from a joiner in the last minute. */
  rateOf(joiner: string): number {
    return this.#rates.get(joiner)?.perSecond ?? 0;
  }

  /** What the joiners do, and what has happened since the last call. */
  takeDone(): Pick<FleetFlow, "games" | "joiners" | "left" | "machines" | "places"> {
    const [games, left] = [this.#done, this.#left];
    [this.#done, this.#left] = [0, []];
    const machines = this.joiners
      .map(({ games: all, joiner, name, places, playing }) => ({
        name,
        places,
        playing: playing.length,
        games: all,
        rate: this.rateOf(joiner),
      }))
      .toSorted((a, b) => b.rate - a.rate);
    const joiners = machines.length;
    return { joiners, places: this.places, games, machines: machines.slice(0, MOST_NAMED), left };
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

  #remove(joiner: string): void {
    const known = this.#joiners.get(joiner);
    if (known === undefined) return;
    this.#joiners.delete(joiner);
    this.#rates.delete(joiner);
    this.#left.push(known.name);
  }
}
