import { SgfInvalid } from "../../../src/formats/sgf/faults.ts";
import { readSgf } from "../../../src/formats/sgf/reader.ts";
import { sgfEscape } from "../../../src/formats/sgf/values.ts";
import { sgfMainLine, writeSgf } from "../../../src/formats/sgf/sgf.ts";
import { type Game, OVER } from "../../../src/games/game.ts";
import type { GameConfig } from "../../../src/games/registry.ts";
import type { GtpDialect, GtpGame } from "../../../src/protocols/gtp/dialect.ts";
import { GtpError } from "../../../src/protocols/gtp/error.ts";
import { withArguments } from "../../../src/protocols/gtp/handler.ts";
import { leadOf } from "../../../src/protocols/gtp/scores.ts";

/** A board of stones: -1 empty, else the seat; the seat to move; the passes in a row. */
interface StateStones {
  readonly cells: Int8Array;
  toMove: number;
  passes: number;
}

/**
 * A game for tests of dialects, as near to Go as a few lines get: two seats put stones on a square board or pass; two
 * passes in a row end the game; the score is the number of stones. Action = cell, row by row from the top left; the last
 * one is the pass.
 */
class GameStones implements Game<StateStones> {
  readonly name = "stones";
  readonly players = 2;
  readonly size: number;
  readonly actions: number;
  readonly maxLegal: number;
  readonly returnBounds: readonly [number, number];
  readonly notation: Game<StateStones>["notation"];
  readonly drawing: Game<StateStones>["drawing"];

  constructor(size: number) {
    this.size = size;
    this.actions = size * size + 1;
    this.maxLegal = this.actions;
    this.returnBounds = [0, size * size];
    this.notation = {
      format: (_, action) => String(action),
      parse: (state, text) => (this.#isLegal(state, Number(text)) ? Number(text) : undefined),
      position: ({ cells, toMove }) => `${cells.join(",")} ${toMove}`,
      parsePosition: () => ({ error: { code: "ERR_SYNTAX", message: "no positions here" } }),
    };
    this.drawing = { text: ({ cells }) => cells.join(" "), svg: () => "" };
  }

  get pass(): number {
    return this.size * this.size;
  }

  initial(): StateStones {
    return { cells: new Int8Array(this.size * this.size).fill(-1), toMove: 0, passes: 0 };
  }

  toMove({ toMove }: StateStones): number {
    return toMove;
  }

  legal(state: StateStones, out: Int32Array): number {
    let count = 0;
    for (let action = 0; action < this.actions; action++)
      if (this.#isLegal(state, action)) out[count++] = action;
    return count;
  }

  play(state: StateStones, action: number): void {
    if (action !== this.pass) state.cells[action] = state.toMove;
    state.passes = action === this.pass ? state.passes + 1 : 0;
    state.toMove = state.passes === 2 ? OVER : 1 - state.toMove;
  }

  copy(from: StateStones, into: StateStones): void {
    into.cells.set(from.cells);
    into.toMove = from.toMove;
    into.passes = from.passes;
  }

  returns({ cells }: StateStones, out: Float64Array): void {
    for (const seat of [0, 1]) out[seat] = cells.filter((cell) => cell === seat).length;
  }

  #isLegal({ cells, toMove }: StateStones, action: number): boolean {
    return toMove !== OVER && (action === this.pass || cells[action] === -1);
  }
}

const COLUMNS = "ABCDEFGHJ";
const LETTERS = "abcdefghi";

const stones: GtpGame = {
  variant: "Stones",
  colours: [
    ["black", "b"],
    ["white", "w"],
  ],
  moves: {
    format: (game, _, action) => {
      const { pass, size } = game as unknown as GameStones;
      return action === pass ? "PASS" : `${COLUMNS[action % size]}${size - Math.floor(action / size)}`;
    },
    parse: (game, state, text) => {
      const { notation, pass, size } = game as unknown as GameStones;
      if (text.toUpperCase() === "PASS") return notation.parse(state as StateStones, String(pass));
      const column = COLUMNS.indexOf(text[0]!.toUpperCase());
      const row = size - Number(text.slice(1));
      if (column < 0 || column >= size || !(row >= 0 && row < size)) return undefined;
      return notation.parse(state as StateStones, String(row * size + column));
    },
  },
  score: (game, state) => leadOf(game, state, ["B", "W"]),
  begin: (game) => [`boardsize ${(game as unknown as GameStones).size}`, "clear_board"],
};

/** The dialect of Go programs for this game. */
export const stonesDialect: GtpDialect = {
  name: "stones",
  description: "For tests.",
  games: { stones },
  commands: (table) => ({
    boardsize: withArguments(["a size"], ([size]) => {
      if (!/^[2-9]$/.test(size!)) throw new GtpError("unacceptable size");
      table.begin({ ...table.config, size: Number(size) });
      return "";
    }),
  }),
  files: {
    rules: ["stones"],
    read: (content, most) => {
      const text = String(content);
      try {
        const nodes = sgfMainLine([...readSgf(text)][0]!);
        const size = Number(nodes[0]!.find(({ name }) => name === "SZ")!.values[0]);
        const moves = nodes.flat().filter(({ name }) => name === "B" || name === "W");
        const actions = moves.map(({ values: [point] }) =>
          point === "" ? size * size : size * LETTERS.indexOf(point![1]!) + LETTERS.indexOf(point![0]!),
        );
        return { config: { rules: "stones", size }, actions: actions.slice(0, most) };
      } catch (error) {
        if (error instanceof SgfInvalid) throw new GtpError(`${error.code}: ${error.message}`);
        throw error;
      }
    },
    write: ({ actions, config: { size } }, players = []) => {
      const names = players.map((name, seat) => ({ name: ["PB", "PW"][seat]!, values: [sgfEscape(name)] }));
      const root = [{ name: "GM", values: ["40"] }, { name: "SZ", values: [String(size)] }, ...names];
      const moves = actions.map((action, ply) => [
        {
          name: "BW"[ply % 2]!,
          values: [
            action === Number(size) ** 2
              ? ""
              : `${LETTERS[action % Number(size)]}${LETTERS[Math.floor(action / Number(size))]}`,
          ],
        },
      ]);
      return writeSgf([{ nodes: [root, ...moves], variations: [] }]);
    },
  },
};

/** The game of a configuration. */
export function openStones(config: GameConfig): { game: Game<unknown>; config: GameConfig } {
  const size = Number(config["size"] ?? 3);
  return { game: new GameStones(size), config: { rules: "stones", size } };
}
