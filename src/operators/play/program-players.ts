import type { Search } from "../../search/search.ts";

/** Most processes of other programs beside one thread. A game that needs more has them, and no others beside it. */
export const MOST_PROGRAMS = 4;

/** A program that plays for an agent, or has played and waits for its next game. */
interface ProgramPlayer {
  readonly agent: string;
  readonly search: Search<unknown>;
  /** Whether it may have a process: it has played since it was stopped last. */
  running: boolean;
}

/** What a game under way has of programs. */
interface GamePrograms {
  /** Number of programs that it is admitted with. */
  readonly count: number;
  /** By key: those that it has taken. */
  readonly taken: Map<string, ProgramPlayer>;
}

/**
 * The other programs that play in the games of one thread. A program plays one game at a time, then the next game of its agent,
 * in any seat and at any place. A thread waits for one program at a time, so more processes would not play faster.
 */
export class ProgramPlayers {
  readonly #most: number;
  /** Those without a game; the last one has played last. */
  readonly #idle: ProgramPlayer[] = [];
  readonly #games = new Map<number, GamePrograms>();

  constructor(most = MOST_PROGRAMS) {
    this.#most = most;
  }

  /** Whether a game with this number of programs may begin now. One may always begin if no other one has programs. */
  admits(count: number): boolean {
    const held = [...this.#games.values()].reduce((sum, game) => sum + game.count, 0);
    return count === 0 || held === 0 || held + count <= this.#most;
  }

  /** Keeps room for the programs of a game that begins at a place. */
  begin(place: number, count: number): void {
    if (count > 0) this.#games.set(place, { count, taken: new Map() });
  }

  /** The program of an agent for the game at a place: the same one for the same key until the game ends. */
  take(place: number, key: string, agent: string, create: () => Search<unknown>): Search<unknown> {
    const { taken } = this.#games.get(place)!;
    let player = taken.get(key);
    if (player === undefined) {
      const idle = this.#idle.findLastIndex((each) => each.agent === agent);
      player = idle < 0 ? { agent, search: create(), running: false } : this.#idle.splice(idle, 1)[0]!;
      if (!player.running) this.#makeRoom();
      player.running = true;
      taken.set(key, player);
    }
    return player.search;
  }

  /** The game at a place has ended: its programs are free for other games. */
  end(place: number): void {
    this.#idle.push(...(this.#games.get(place)?.taken.values() ?? []));
    this.#games.delete(place);
  }

  /** Stops the program that has waited longest, if one more would be too many. */
  #makeRoom(): void {
    const playing = [...this.#games.values()].reduce((sum, { taken }) => sum + taken.size, 0);
    const waiting = this.#idle.filter(({ running }) => running);
    if (playing + waiting.length < this.#most) return;
    const [oldest] = waiting;
    if (oldest === undefined) return;
    oldest.search.stop?.();
    oldest.running = false;
  }
}
