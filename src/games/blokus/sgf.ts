import type { BlokusBoard } from "./board.ts";
import { blokusNotation, formatPlacement, parsePlacement } from "./notation.ts";
import { newBlokusState, playBlokus, seatOfPly } from "./state.ts";
import { classicBoard, duoBoard } from "./blokus.ts";
import { OVER } from "../game.ts";

/** The text is not a game in Blokus SGF that can be played here; the message says what and where. */
export class BlokusSgfInvalid extends Error {
  override readonly name = "BlokusSgfInvalid";
}

/** A game as Blokus SGF holds it. */
export interface BlokusSgf {
  readonly game: "blokus" | "blokus-duo";
  /** The placements of the main line, in order. */
  readonly actions: readonly number[];
  /** By seat: the player's name, or "". */
  readonly players: readonly string[];
  /** The number of side lines, which are left out. */
  readonly variations: number;
}

/** What differs between the two games: the value of GM, and by seat the properties of its moves and its name. */
const FORMATS = {
  blokus: { gm: "Blokus", board: classicBoard, moves: ["1", "2", "3", "4"], names: ["P1", "P2", "P3", "P4"] },
  "blokus-duo": { gm: "Blokus Duo", board: duoBoard, moves: ["B", "W"], names: ["PB", "PW"] },
} as const satisfies Record<
  string,
  { gm: string; board: () => BlokusBoard; moves: string[]; names: string[] }
>;

/** The names of moves before version 0.2 of Pentobi. */
const OLD_MOVES: Readonly<Record<string, string>> = { BLUE: "1", YELLOW: "2", RED: "3", GREEN: "4" };

/** Properties that put up positions which need not come about by moves. */
const SETUP = ["AB", "AW", "AE", "A1", "A2", "A3", "A4", "PL"];

/**
 * Writes a game as Blokus SGF, as Pentobi reads it ("Blokus SGF Files", version 1.0, doc/blksgf in its sources): a
 * derivative of SGF FF[4] with GM[Blokus] and moves 1[] to 4[], or GM[Blokus Duo] and B[], W[]; a move is its cells with
 * commas. `actions` must be legal one after the other.
 */
export function writeBlokusSgf(
  game: "blokus" | "blokus-duo",
  actions: ArrayLike<number>,
  players: readonly string[] = [],
): string {
  const { gm, moves, names } = FORMATS[game];
  const board = FORMATS[game].board();
  const state = newBlokusState(board);
  const root = [`GM[${gm}]`, "CA[UTF-8]", "AP[ludoflow]"];
  for (const [seat, name] of players.entries())
    if (name !== "")
      root.push(`${names[seat]}[${name.replaceAll(/[\\\]]/g, "\\$&").replaceAll(/\s/g, " ")}]`);
  const nodes = Array.from(actions, (action) => {
    playBlokus(state, board, action);
    return `;${moves[seatOfPly(state, state.plies - 1)]}[${formatPlacement(board, action)}]`;
  });
  return `(;${root.join("")}\n${nodes.map((node) => `${node}\n`).join("")})\n`;
}

/**
 * Reads a game in Blokus SGF: the main line, which is the first of every set of side lines, and the names of players.
 * Comments and marks are passed over; Pentobi's older spellings of moves are read. Throws BlokusSgfInvalid for other
 * games, for setup properties (a game here begins at its start), for moves out of turn or not legal.
 */
export function readBlokusSgf(text: string): BlokusSgf {
  const { nodes, variations } = mainLine(text);
  const gm = nodes[0]?.find(({ name }) => name === "GM")?.values[0]?.trim();
  const game = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).find(
    (each) => FORMATS[each].gm.toLowerCase() === gm?.toLowerCase(),
  );
  if (game === undefined)
    throw new BlokusSgfInvalid(
      gm === undefined
        ? "no GM property in the first node: not a Blokus SGF file"
        : `GM[${gm}]: only GM[Blokus] and GM[Blokus Duo] are played here`,
    );
  const { moves, names } = FORMATS[game];
  const board = FORMATS[game].board();
  const notation = blokusNotation(board);
  const state = newBlokusState(board);
  const players = names.map(
    (name) => nodes.flat().find((property) => property.name === name)?.values[0] ?? "",
  );
  const actions: number[] = [];
  for (const { name, values, line } of nodes.flat()) {
    if (SETUP.includes(name))
      throw new BlokusSgfInvalid(
        `line ${line}: ${name} sets up a position; only games from their start are read`,
      );
    const seat = (moves as readonly string[]).indexOf(OLD_MOVES[name] ?? name);
    if (seat < 0) continue;
    const ply = `line ${line}, ply ${actions.length + 1}`;
    // Before version 0.3 of Pentobi a move was a list of points.
    const move = values.join(",");
    // A pass that a program has written down: here it is silent.
    if (move === "" && seat !== state.toMove) continue;
    if (state.toMove === OVER) throw new BlokusSgfInvalid(`${ply}: a move after the end of the game`);
    if (seat !== state.toMove)
      throw new BlokusSgfInvalid(
        `${ply}: ${name} moves out of turn, it is ${moves[state.toMove]} to move; seats without a move are passed over`,
      );
    const action = notation.parse(state, move);
    if (action === undefined) {
      const why = parsePlacement(board, move) === undefined ? "is not a piece on the board" : "is not legal";
      throw new BlokusSgfInvalid(`${ply}: ${name}[${move}] ${why}`);
    }
    playBlokus(state, board, action);
    actions.push(action);
  }
  return { game, actions, players, variations };
}

interface Property {
  readonly name: string;
  readonly values: readonly string[];
  /** The line of the text, from 1. */
  readonly line: number;
}

/** The nodes of the first game tree's main line as lists of properties, and how many side lines there are. */
function mainLine(text: string): { nodes: Property[][]; variations: number } {
  const nodes: Property[][] = [];
  let variations = 0;
  let at = 0;
  const lineAt = (place: number) => text.slice(0, place).split("\n").length;
  const fail = (what: string): never => {
    throw new BlokusSgfInvalid(`line ${lineAt(at)}: ${what}`);
  };
  const skipSpace = () => {
    while (at < text.length && /\s/.test(text[at]!)) at++;
  };
  const value = (): string => {
    let read = "";
    for (at++; text[at] !== "]"; at++) {
      if (at >= text.length) fail("a value does not end");
      if (text[at] === "\\") {
        at++;
        // A line broken by a backslash goes on.
        if (text[at] === "\n") continue;
      }
      read += text[at] ?? "";
    }
    at++;
    return read;
  };
  /** Reads a tree from its parenthesis on; keeps its nodes where it is on the main line. */
  const tree = (kept: boolean): void => {
    at++;
    let children = 0;
    for (skipSpace(); text[at] !== ")"; skipSpace()) {
      if (at >= text.length) fail("a game tree does not end");
      if (text[at] === "(") {
        if (children++ > 0) variations++;
        tree(kept && children === 1);
      } else if (text[at] === ";") {
        at++;
        const node: Property[] = [];
        for (skipSpace(); /[A-Za-z0-9]/.test(text[at] ?? ""); skipSpace()) {
          const start = at;
          while (/[A-Za-z0-9]/.test(text[at] ?? "")) at++;
          const name = text.slice(start, at);
          const line = lineAt(start);
          const values: string[] = [];
          for (skipSpace(); text[at] === "["; skipSpace()) values.push(value());
          if (values.length === 0) fail(`property ${name} has no value`);
          node.push({ name, values, line });
        }
        if (kept) nodes.push(node);
      } else fail(`"${text[at]}" where a node, a game tree or its end should be`);
    }
    at++;
  };
  skipSpace();
  // Some editors write a byte order mark.
  if (text[at] === "\ufeff") at++;
  if (text[at] !== "(") fail("an SGF file begins with (");
  tree(true);
  return { nodes, variations };
}
