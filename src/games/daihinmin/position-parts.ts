import type { PositionError, PositionErrorCode } from "../game.ts";
import { noPosition } from "../position-text.ts";
import { PLAYERS } from "./cards.ts";
import { NEXT } from "./state.ts";

/** The numbers of the players. */
export const ALL_PLAYERS = [0, 1, 2, 3, 4];

/** The players as they sit, from player 0 on. */
export function seatOrder(words: Int32Array): number[] {
  const order = [0];
  for (let player = words[NEXT]!; player !== 0; player = words[NEXT + player]!) order.push(player);
  return order;
}

/** What is wrong with the text of a position; thrown by its readers, caught by `parseDaihinminPosition`. */
export class WrongPosition extends Error {
  readonly reading: { readonly error: PositionError };

  constructor(code: PositionErrorCode, message: string) {
    super(message);
    this.reading = noPosition(code, message);
  }
}

const KEYS = [
  "hands",
  "table",
  "last",
  "passed",
  "passes",
  "places",
  "order",
  "deal",
  "ranks",
  "points",
  "gifts",
];
const FLAGS = ["lock", "revolution"];

/** The parts of a position's text by name: the phase, then flags and `key=value` in any order, each taken once. */
export class PositionParts {
  /** `seating`, `receiver`, `deal`, `return`, `play`, `draw` or `over`. */
  readonly phase: string;
  /** The player of the phase, from 0; -1 for a phase without one. */
  readonly player: number;
  readonly #parts = new Map<string, string>();

  constructor(text: string) {
    const [first, ...rest] = text.split(" ");
    const phase = /^(seating|receiver|draw|over)$|^(deal|return|play):([1-5])$/.exec(first!);
    if (phase === null)
      throw new WrongPosition(
        "ERR_SYNTAX",
        `the position begins with "${first}"; it begins with seating, receiver, deal:P, return:P, play:P, draw or over, P a player from 1 to 5`,
      );
    this.phase = phase[1] ?? phase[2]!;
    this.player = phase[3] === undefined ? -1 : Number(phase[3]) - 1;
    for (const part of rest) {
      const [key, value] = FLAGS.includes(part) ? [part, ""] : splitOnce(part);
      if (value === undefined || !(KEYS.includes(key) || (FLAGS.includes(key) && part === key)))
        throw new WrongPosition(
          "ERR_SYNTAX",
          `there is no part "${part}"; parts are ${[...FLAGS, ...KEYS].join(", ")}`,
        );
      if (this.#parts.has(key)) throw new WrongPosition("ERR_SYNTAX", `the part "${key}" is given twice`);
      this.#parts.set(key, value);
    }
  }

  /** The value of a part; each is taken once. */
  take(key: string): string | undefined {
    const value = this.#parts.get(key);
    this.#parts.delete(key);
    return value;
  }

  /** The whole number of a part, from `least` to `most`; `otherwise` if the part is missing. */
  number(key: string, least: number, most: number, otherwise: number): number {
    const text = this.take(key);
    if (text === undefined) return otherwise;
    const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (value < least || value > most)
      throw new WrongPosition(
        "ERR_SYNTAX",
        `${key} is "${text}"; it is a whole number from ${least} to ${most}`,
      );
    return value;
  }

  /** Five numbers, one a player, or undefined if the part is missing; `-` is -1. */
  numbers(key: string, most: number): number[] | undefined {
    const text = this.take(key);
    if (text === undefined) return undefined;
    const values = text.split(",");
    if (values.length !== PLAYERS)
      throw new WrongPosition(
        "ERR_SIZE",
        `${key} has ${values.length} entries, not ${PLAYERS}, one for each player`,
      );
    return values.map((value) => {
      const number = value === "-" ? -1 : /^\d{1,6}$/.test(value) ? Number(value) : Infinity;
      if (number > most)
        throw new WrongPosition(
          "ERR_SYNTAX",
          `${key} has "${value}"; an entry is "-" or a whole number up to ${most}`,
        );
      return number;
    });
  }

  /** Throws if a part was never taken: it has no meaning in this phase. */
  end(): void {
    const [unread] = this.#parts.keys();
    if (unread !== undefined)
      throw new WrongPosition("ERR_SYNTAX", `the part "${unread}" has no meaning in the phase ${this.phase}`);
  }
}

function splitOnce(text: string): [key: string, value: string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
