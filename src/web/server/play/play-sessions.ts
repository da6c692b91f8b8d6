import type { FollowedRuns } from "../followed-runs.ts";
import { RequestRefused } from "../responses.ts";
import { PlayerOffers } from "./offers.ts";
import type { PlaySeat } from "./play-seat.ts";
import { PlaySession } from "./play-session.ts";
import { readJournal } from "./game-journal.ts";
import { dropUnusedWeights, withHeldNets } from "./held-weights.ts";
import { levelsOf, type PagePlayer } from "./player.ts";
import { newGameId, newSeed } from "./random-names.ts";
import { pliesBefore, type StoredBeginning } from "./stored-beginning.ts";
import { endPrepared } from "./table-host.ts";

/** The most games that are kept. */
const MOST_GAMES = 32;
/** The most games whose players run at a time: each has a process. */
const MOST_AWAKE = 4;
/** After so long without a request or a watcher a game makes room for others. In milliseconds. */
const FORGOTTEN_MS = 10 * 60_000;
/** After so long without a request or a watcher a game's process is ended. In milliseconds. */
const ASLEEP_MS = 60_000;

/** How a game is to be started. */
export interface PlayWish {
  readonly player?: unknown;
  readonly simulations?: unknown;
  /** By seat, from 0: `player`, `you`, or `open` for a person at another browser. Absent: you have the first seat. */
  readonly seats?: unknown;
  readonly seed?: unknown;
  /** The position of a stored game from which it continues. */
  readonly from?: StoredBeginning;
}

/**
 * The games that are played on the page. Those that end are stored. One that has not been looked at for long makes room for others, and
 * ends with its server; its journal brings it back when somebody opens its page.
 */
export class PlaySessions {
  readonly offers: PlayerOffers;
  readonly #root: string;
  readonly #sessions = new Map<string, PlaySession>();
  /** Games of earlier servers that are being opened: several pages may ask at once. */
  readonly #restoring = new Map<string, Promise<PlaySession>>();
  readonly #timer: NodeJS.Timeout;

  constructor(root: string, runs: FollowedRuns) {
    this.#root = root;
    this.offers = new PlayerOffers(root, runs);
    try {
      dropUnusedWeights(root);
    } catch {
      // They only take space, and the next server tries again.
    }
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (const session of this.#sessions.values())
        if (session.awake && !session.busy && !session.watched && now - session.used > ASLEEP_MS)
          session.sleep();
    }, ASLEEP_MS / 2);
    this.#timer.unref();
  }

  /** Starts a game for a visitor. Throws RequestRefused. */
  async start(visitor: string, wish: PlayWish): Promise<PlaySession> {
    const player = await this.heldPlayer(wish.player);
    const { simulations = player.offer.simulations, seed = newSeed() } = wish;
    if (simulations !== undefined && !levelsOf(player).includes(simulations as number))
      throw new RequestRefused(400, "The player has no such number of simulations.");
    if (!Number.isSafeInteger(seed) || (seed as number) < 0)
      throw new RequestRefused(400, "The seed must be a whole number from 0 on.");
    const begun =
      wish.from === undefined ? [] : pliesBefore(this.#root, Object(wish.from) as StoredBeginning, player);
    this.#makeRoom();
    const session = await PlaySession.start({
      id: newGameId(),
      root: this.#root,
      player,
      simulations: simulations as number | undefined,
      seed: seed as number,
      begun,
      seats: (count) => seatsOf(wish.seats, count, visitor),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  /** The game with this id, of this server or of an earlier one; its process is about to be needed. Throws RequestRefused. */
  async at(id: unknown): Promise<PlaySession> {
    const session = this.#sessions.get(String(id)) ?? (await this.#restored(String(id)));
    if (!session.awake && !session.over) this.#wake();
    return session;
  }

  /** A player for a game in progress, whose weights no run can prune. Throws RequestRefused. */
  async heldPlayer(key: unknown): Promise<PagePlayer> {
    for (let again = false; ; again = true) {
      const player = await this.offers.player(key);
      if (player === undefined)
        throw new RequestRefused(404, "There is no such player here any more; choose another one.");
      try {
        return { ...player, agent: withHeldNets(this.#root, player.agent) };
      } catch (error) {
        // The run has pruned them since it was looked at, and has newer ones.
        this.offers.forget();
        if (again)
          throw new RequestRefused(
            409,
            `The weights of ${player.offer.name} cannot be kept for the game: ${(error as Error).message}`,
          );
      }
    }
  }

  async #restored(id: string): Promise<PlaySession> {
    const known = this.#restoring.get(id);
    if (known !== undefined) return await known;
    const game = readJournal(this.#root, id);
    if (game === undefined)
      throw new RequestRefused(
        404,
        "There is no such game here. Games that have ended are stored with the runs.",
      );
    this.#makeRoom();
    const restoring = PlaySession.restore(id, this.#root, game).finally(() => this.#restoring.delete(id));
    this.#restoring.set(id, restoring);
    const session = await restoring;
    this.#sessions.set(id, session);
    return session;
  }

  /** Ends all games. */
  close(): void {
    clearInterval(this.#timer);
    for (const session of this.#sessions.values()) session.sleep();
    this.#sessions.clear();
    endPrepared();
  }

  /** Makes room for one more game. Throws RequestRefused if all are being played. */
  #makeRoom(): void {
    const now = performance.now();
    const old = [...this.#sessions.values()]
      .filter((each) => !each.watched && (each.over || now - each.used > FORGOTTEN_MS))
      .toSorted((a, b) => a.used - b.used);
    while (this.#sessions.size >= MOST_GAMES) {
      const oldest = old.shift();
      if (oldest === undefined)
        throw new RequestRefused(503, `${MOST_GAMES} games are being played; finish one of them.`);
      oldest.sleep();
      this.#sessions.delete(oldest.id);
    }
    this.#wake();
  }

  /** Makes room for one more process: ends that of the game that has been idle longest. Throws RequestRefused. */
  #wake(): void {
    const awake = [...this.#sessions.values()].filter((each) => each.awake);
    if (awake.length < MOST_AWAKE) return;
    const idle = awake.filter((each) => !each.busy).toSorted((a, b) => a.used - b.used)[0];
    if (idle === undefined)
      throw new RequestRefused(503, `${MOST_AWAKE} players are thinking already; try again in a moment.`);
    idle.sleep();
  }
}

/** The seats of players and people. Throws RequestRefused. */
function seatsOf(given: unknown, count: number, visitor: string): PlaySeat[] {
  const wished = given ?? Array.from({ length: count }, (_, seat) => (seat === 0 ? "you" : "player"));
  if (!Array.isArray(wished) || wished.length !== count || !wished.includes("you"))
    throw new RequestRefused(400, `This game has ${count} seats, and one of them is yours.`);
  return wished.map((each): PlaySeat => {
    if (each === "player") return { by: "player" };
    if (each === "you") return { by: "person", visitor };
    if (each === "open") return { by: "person", visitor: "" };
    throw new RequestRefused(400, "A seat is for the player, for you, or open.");
  });
}
