import { createInterface, type Interface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { CHANCE, type Game } from "../games/game.ts";
import { seatName } from "../games/seat-name.ts";
import type { SeatPlayer } from "../protocols/play-game.ts";
import { agentAtSeat } from "../protocols/play-game.ts";
import type { SessionAgent } from "../protocols/session-agent.ts";

/** A person has left a game before its end. */
export class GameLeft extends Error {
  override readonly name = "GameLeft";
}

/** Moves that are listed at most. */
const LISTED = 120;
/** Characters of a line of moves. */
const WIDTH = 78;

/** A person at a terminal: sees the board and types moves. */
export class Person {
  readonly #game: Game<unknown>;
  readonly #out: Writable;
  readonly #terminal: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor(game: Game<unknown>, input: Readable, out: Writable) {
    this.#game = game;
    this.#out = out;
    this.#terminal = createInterface({ input });
    this.#lines = this.#terminal[Symbol.asyncIterator]();
  }

  /**
   * The person as the player of a seat; the agent gives hints. In a game with hidden information the person sees what this seat
   * sees, also of the moves of others, which then need no `show`. Throws GameLeft if the person ends the game.
   */
  at(agent: SessionAgent, seat: number): SeatPlayer {
    const adviser = agentAtSeat(agent);
    const hides = this.#game.information !== undefined;
    return {
      ...adviser,
      observe: (state, action) => {
        if (hides) this.#showSeen(state, action, seat);
        adviser.observe?.(state, action);
      },
      choose: async (state, random, decisions) => {
        const { drawing, notation } = this.#game;
        const name = seatName(this.#game, this.#game.toMove(state));
        this.#say(`\n${hides ? drawing.seatText!(state, seat) : drawing.text(state)}`);
        for (;;) {
          this.#out.write(`${name}, your move (? lists the moves, hint, quit): `);
          const { done, value = "" } = await this.#lines.next();
          const text = value.trim();
          if (done === true || text === "quit") throw new GameLeft("the game was not played to its end");
          const action = notation.parse(state, text);
          if (action !== undefined) return action;
          if (text === "?") this.#say(this.#moves(state));
          else if (text === "hint")
            this.#say(notation.format(state, await adviser.choose(state, random, decisions)));
          else if (text !== "")
            this.#say(`"${text}" is not a legal move${because(notation.whyIllegal?.(state, text))}`);
        }
      },
    };
  }

  /** Shows what another seat, or chance, has played. */
  show(mover: number, move: string): void {
    this.#say(`${mover === CHANCE ? "chance" : seatName(this.#game, mover)}: ${move}`);
  }

  /** Shows what a seat sees of a move of another seat. What chance does is hidden, as the cards that it deals. */
  #showSeen(state: unknown, action: number, seat: number): void {
    const game = this.#game;
    const mover = game.toMove(state);
    if (mover === CHANCE || mover === seat) return;
    const seen = (each: number) => game.information?.observed?.(state, each, seat) ?? each;
    const actions = new Int32Array(game.maxLegal);
    const alike = actions
      .subarray(0, game.legal(state, actions))
      .filter((each) => seen(each) === seen(action));
    if (alike.length === 1) this.show(mover, game.notation.format(state, action));
    else this.#say(`${seatName(game, mover)}: (hidden)`);
  }

  /** Reads no more. */
  close(): void {
    this.#terminal.close();
  }

  #moves(state: unknown): string {
    const actions = new Int32Array(this.#game.maxLegal);
    const count = this.#game.legal(state, actions);
    const moves = Array.from(actions.subarray(0, Math.min(count, LISTED)), (action) =>
      this.#game.notation.format(state, action),
    );
    return wrapped(count > LISTED ? [...moves, `and ${count - LISTED} more`] : moves);
  }

  #say(text: string): void {
    this.#out.write(`${text}\n`);
  }
}

/** Words in lines of at most `WIDTH` characters, unless a word is longer. */
function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}
