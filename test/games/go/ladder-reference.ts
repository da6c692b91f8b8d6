import { EMPTY, PlainGo, plainRules } from "./reference.ts";

/** A board while a ladder is read, and the point that the side to move may not take back. */
interface Reading {
  readonly board: readonly number[];
  readonly ko: number;
}

/**
 * Ladders by their definition: the attacker gives atari, the defender plays the last liberty of the prey or captures
 * beside the prey, three liberties are an escape. Every position is a board of its own.
 */
export class PlainLadders {
  readonly #go: PlainGo;
  /** Positions with the prey in atari that the last reading has visited. */
  visits = 0;

  constructor(size: number) {
    this.#go = new PlainGo({ ...plainRules, size });
  }

  /** Whether the prey, a stone of a chain of two liberties, is caught by a move of the other side at one of them. */
  captures(board: readonly number[], prey: number, at: number): boolean {
    this.visits = 0;
    return this.#attack({ board, ko: -1 }, prey, at);
  }

  /** Whether the prey, a stone of a chain in atari, is safe after a move of its own side. */
  escapes(board: readonly number[], prey: number, at: number): boolean {
    this.visits = 0;
    return this.#defend({ board, ko: -1 }, prey, at);
  }

  /** The moves that take a chain beside the prey. */
  counters(board: readonly number[], prey: number): number[] {
    const go = this.#go;
    const enemies = go
      .chain(prey, board)
      .flatMap((stone) => go.beside(stone))
      .filter((point) => board[point] === 3 - board[prey]!);
    const lastLiberties = enemies
      .map((enemy) => go.liberties(enemy, board))
      .filter((liberties) => liberties.length === 1);
    return [...new Set(lastLiberties.flat())];
  }

  #play({ board, ko }: Reading, point: number, colour: number): Reading | undefined {
    if (point === ko) return undefined;
    const go = this.#go;
    go.board = [...board];
    const { board: next, captured, suicides } = go.outcome(point, colour);
    if (suicides.length > 0) return undefined;
    const single = go.chain(point, next).length === 1 && go.liberties(point, next).length === 1;
    return {
      board: next,
      ko: captured.length === 1 && single ? captured[0]! : -1,
    };
  }

  #attack(from: Reading, prey: number, at: number): boolean {
    const next = this.#play(from, at, 3 - from.board[prey]!);
    return next !== undefined && this.#caught(next, prey);
  }

  /** In atari, the defender to move. */
  #caught(from: Reading, prey: number): boolean {
    if (++this.visits > 5000) throw new Error("a ladder that has no end");
    const moves = [...this.#go.liberties(prey, from.board), ...this.counters(from.board, prey)];
    return !moves.some((move) => this.#defend(from, prey, move));
  }

  #defend(from: Reading, prey: number, at: number): boolean {
    const next = this.#play(from, at, from.board[prey]!);
    return next !== undefined && this.#free(next, prey);
  }

  /** The attacker to move. */
  #free(from: Reading, prey: number): boolean {
    const liberties = this.#go.liberties(prey, from.board);
    if (liberties.length >= 3) return true;
    if (liberties.length === 2) return !liberties.some((at) => this.#attack(from, prey, at));
    return liberties[0] === from.ko;
  }
}

/** By point of the board: what the planes of ladders show for the seat to move. */
export function plainLadderPlanes(
  go: PlainGo,
  ladders: PlainLadders,
): { capture: boolean[]; escape: boolean[] } {
  const own = go.mover + 1;
  const legal = new Set(go.legal());
  const capture = go.points().map(() => false);
  const escape = go.points().map(() => false);
  for (const stone of go.points()) {
    if (go.board[stone] === EMPTY) continue;
    const liberties = go.liberties(stone);
    if (go.board[stone] !== own && liberties.length === 2) {
      for (const at of liberties)
        if (legal.has(at) && ladders.captures(go.board, stone, at)) capture[at] = true;
    } else if (go.board[stone] === own && liberties.length === 1) {
      for (const at of [...liberties, ...ladders.counters(go.board, stone)])
        if (legal.has(at) && ladders.escapes(go.board, stone, at)) escape[at] = true;
    }
  }
  return { capture, escape };
}
