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

/** A person at a terminal, who sees the board and types moves. */
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

  /** The person as the player of a seat; the agent gives hints. Throws GameLeft where the person ends the game. */
  at(agent: SessionAgent): SeatPlayer {
    const adviser = agentAtSeat(agent);
    return {
      ...adviser,
      choose: async (state, random, decisions) => {
        const { drawing, notation } = this.#game;
        const who = seatName(this.#game, this.#game.toMove(state));
        this.#say(`\n${drawing.text(state)}`);
        for (;;) {
          this.#out.write(`${who}, your move (? lists the moves, hint, quit): `);
          const { done, value = "" } = await this.#lines.next();
          const text = value.trim();
          if (done === true || text === "quit") throw new GameLeft("the game was not played to its end");
          const action = notation.parse(state, text);
          if (action !== undefined) return action;
          if (text === "?") this.#say(this.#moves(state));
          else if (text === "hint")
            this.#say(notation.format(state, await adviser.choose(state, random, decisions)));
          else if (text !== "")
            this.#say(`"${text}" is no legal move${because(notation.whyIllegal?.(state, text))}`);
        }
      },
    };
  }

  /** Tells what another seat, or chance, has played. */
  tell(mover: number, move: string): void {
    this.#say(`${mover === CHANCE ? "chance" : seatName(this.#game, mover)}: ${move}`);
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

/** Words in lines of some width, where no word is longer. */
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
