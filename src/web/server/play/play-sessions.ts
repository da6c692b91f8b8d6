import type { FollowedRuns } from "../followed-runs.ts";
import { RequestRefused } from "../responses.ts";
import { PlayerOffers } from "./offers.ts";
import { PlaySession, type PlaySeat } from "./play-session.ts";
import { levelsOf } from "./player.ts";
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

/** The games that are played on the page. They live as long as the server; those that end are stored. */
export class PlaySessions {
  readonly offers: PlayerOffers;
  readonly #root: string;
  readonly #sessions = new Map<string, PlaySession>();
  readonly #timer: NodeJS.Timeout;

  constructor(root: string, runs: FollowedRuns) {
    this.#root = root;
    this.offers = new PlayerOffers(root, runs);
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
    const player = await this.offers.player(wish.player);
    if (player === undefined)
      throw new RequestRefused(404, "There is no such player here any more; choose another one.");
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

  /** The game with this id; its process is about to be needed. Throws RequestRefused. */
  at(id: unknown): PlaySession {
    const session = this.#sessions.get(String(id));
    if (session === undefined)
      throw new RequestRefused(
        404,
        "There is no such game. Games live as long as the server; those that have ended are stored.",
      );
    if (!session.awake && !session.over) this.#wake();
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
