import type { GameReport, GameTask } from "../../operators/play/game-task.ts";

/** A game that other machines may play. */
export interface FleetGame {
  readonly task: GameTask;
  readonly retries: number;
  /** Takes the report; it is called once. */
  readonly finish: (report: GameReport) => void;
}

/** The task of a game as joiners get it. */
export interface EncodedTask {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** What carries the games. */
export interface GameCarriers {
  /** Plays a game on this machine. */
  readonly playHere: (game: FleetGame) => void;
  /** Makes the task of a game, or fails. */
  readonly encode: (task: GameTask) => Promise<EncodedTask>;
  readonly put: (task: EncodedTask) => void;
  /** Takes a task back. `unplayed`: no joiner plays it, or needs to. */
  readonly remove: (key: string, unplayed: boolean) => void;
  /** Whether a joiner plays a task now. */
  readonly isPlayed: (key: string) => boolean;
  /** Number of games that joiners can have under way. */
  readonly places: () => number;
}

/** Tasks at the server for each place of a joiner: the next one is there when a game ends. */
const TASKS_A_PLACE = 1.5;

/** How many games may be ahead of the oldest unfinished one of their stage, for each game that can be under way. */
const AHEAD = 8;

/** Milliseconds within which joiners with free places begin a task. */
const BEGUN_MS = 5000;

/**
 * Deals out the games of a run: to this machine's threads while they have places, and to joiners as many as keep them busy.
 * The others wait here, in their order: that is the backpressure. A game that no joiner plays is also played here when nothing
 * else is left to do; the first report counts, and both are equal.
 */
export class FleetGames {
  readonly #carriers: GameCarriers;
  /** Places of this machine's threads; 0 if only joiners play. */
  readonly #placesHere: number;
  readonly #waiting = new Set<FleetGame>();
  readonly #here = new Set<FleetGame>();
  /** By key: a game that joiners were asked for, and when, in milliseconds of a monotonic clock. */
  readonly #away = new Map<string, { readonly game: FleetGame; readonly since: number }>();
  readonly #keys = new Map<FleetGame, string>();
  /** Games whose tasks are being made. */
  readonly #leaving = new Set<FleetGame>();
  /** By stage: its unfinished games with their numbers, the oldest first. */
  readonly #open = new Map<string, Map<FleetGame, number>>();
  readonly #numbers = new Map<string, number>();

  constructor(placesHere: number, carriers: GameCarriers) {
    this.#placesHere = placesHere;
    this.#carriers = carriers;
  }

  /** Adds a game; it is played as soon as there is a place. */
  add(game: FleetGame): void {
    const { stage } = game.task;
    const number = this.#numbers.get(stage) ?? 0;
    this.#numbers.set(stage, number + 1);
    const open = this.#open.get(stage) ?? new Map<FleetGame, number>();
    this.#open.set(stage, open.set(game, number));
    this.#waiting.add(game);
    this.deal();
  }

  /** The game that joiners were asked for by this key; undefined if it is finished or was never asked for. */
  away(key: string): FleetGame | undefined {
    return this.#away.get(key)?.game;
  }

  /** Takes the report of a game; a second one of the same game is not taken. */
  take(game: FleetGame, report: GameReport): void {
    if (this.#forget(game)) game.finish(report);
    this.deal();
  }

  /** A result of a game has come, and is looked at before it is taken: no joiner is asked for the game any more. */
  hold(game: FleetGame): void {
    if (this.#isOpen(game)) this.#recall(game, () => false);
    this.deal();
  }

  /** Number of games that nobody plays yet. */
  get waiting(): number {
    let unplayed = 0;
    for (const [key, { game }] of this.#away)
      if (!this.#here.has(game) && !this.#carriers.isPlayed(key)) unplayed++;
    return this.#waiting.size + this.#leaving.size + unplayed;
  }

  /** Plays a game on this machine although there may be no place: joiners could not. */
  bring(game: FleetGame): void {
    if (!this.#isOpen(game) || this.#here.has(game)) return;
    this.#recall(game, () => true);
    this.#playHere(game);
  }

  /** Gives a game up: nobody waits for it any more. */
  drop(game: FleetGame): void {
    this.#forget(game);
  }

  /** Deals out games, as far as there are places. To be called when places have changed. */
  deal(): void {
    for (const game of this.#waiting) {
      if (this.#here.size >= this.#placesHere) break;
      this.#waiting.delete(game);
      this.#playHere(game);
    }
    const places = this.#carriers.places();
    const window = Math.ceil(TASKS_A_PLACE * places);
    for (const game of this.#waiting) {
      if (this.#away.size + this.#leaving.size >= window) break;
      if (this.#ahead(game) > AHEAD * (window + this.#placesHere)) break;
      this.#waiting.delete(game);
      void this.#send(game);
    }
    if (this.#waiting.size > 0) return;
    for (const [key, { game, since }] of this.#away) {
      if (this.#here.size >= this.#placesHere) return;
      if (this.#here.has(game) || this.#carriers.isPlayed(key)) continue;
      if (places === 0 || performance.now() - since > BEGUN_MS) this.#playHere(game);
    }
  }

  #playHere(game: FleetGame): void {
    this.#here.add(game);
    this.#carriers.playHere(game);
  }

  async #send(game: FleetGame): Promise<void> {
    this.#leaving.add(game);
    // If its weights cannot be sent to others, this machine plays the game, or reports why it cannot.
    const task = await this.#carriers.encode(game.task).catch(() => undefined);
    this.#leaving.delete(game);
    if (!this.#isOpen(game)) return;
    if (task === undefined) return this.#playHere(game);
    this.#away.set(task.key, { game, since: performance.now() });
    this.#keys.set(game, task.key);
    this.#carriers.put(task);
  }

  #isOpen(game: FleetGame): boolean {
    return this.#open.get(game.task.stage)?.has(game) === true;
  }

  /** By how many games a game is ahead of the oldest unfinished one of its stage. */
  #ahead(game: FleetGame): number {
    const open = this.#open.get(game.task.stage)!;
    const [oldest] = open.values();
    return open.get(game)! - oldest!;
  }

  /** Forgets a game; false if it was forgotten before. */
  #forget(game: FleetGame): boolean {
    if (!this.#isOpen(game)) return false;
    this.#open.get(game.task.stage)!.delete(game);
    this.#waiting.delete(game);
    const playedHere = this.#here.delete(game);
    this.#recall(game, (key) => playedHere || !this.#carriers.isPlayed(key));
    return true;
  }

  #recall(game: FleetGame, unplayed: (key: string) => boolean): void {
    const key = this.#keys.get(game);
    if (key === undefined) return;
    this.#keys.delete(game);
    this.#away.delete(key);
    this.#carriers.remove(key, unplayed(key));
  }
}
