import type { BlokusBoard } from "./board.ts";
import { blokusNotation, formatPlacement, parsePlacement } from "./notation.ts";
import { playBlokus } from "./play.ts";
import { newBlokusState, seatOfPly } from "./state.ts";
import { classicBoard, duoBoard } from "./blokus.ts";
import { OVER } from "../game.ts";
import { SgfInvalid } from "../../formats/sgf/faults.ts";
import { readSgf } from "../../formats/sgf/reader.ts";
import {
  type SgfFoundProperty,
  type SgfGame,
  sgfMainLine,
  type SgfProperty,
  sgfSideLines,
  writeSgf,
} from "../../formats/sgf/sgf.ts";
import { sgfEscape, sgfSimpleText } from "../../formats/sgf/values.ts";

/** The text is not a game in Blokus SGF that can be played here. The message says what is wrong, and where. */
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
  /** The number of side lines. They are left out. */
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

/** Properties that set up positions, which no sequence of moves need reach. */
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
  const root: SgfProperty[] = [property("GM", gm), property("CA", "UTF-8"), property("AP", "ludoflow")];
  for (const [seat, name] of players.entries())
    if (name !== "") root.push(property(names[seat]!, name.replaceAll(/\s/g, " ")));
  const played = Array.from(actions, (action) => {
    playBlokus(state, board, action);
    return [property(moves[seatOfPly(state, state.plies - 1)]!, formatPlacement(board, action))];
  });
  return writeSgf([{ nodes: [root, ...played], variations: [] }]);
}

/** A property of one value. */
function property(name: string, text: string): SgfProperty {
  return { name, values: [sgfEscape(text)] };
}

/**
 * Reads the first game of a text in Blokus SGF: its main line and the names of the players. Comments and marks are
 * skipped; Pentobi's older spellings of moves are read. Throws BlokusSgfInvalid for other games, for properties that set
 * up a position, and for moves that are illegal or out of turn.
 */
export function readBlokusSgf(text: string): BlokusSgf {
  return readBlokusTree(firstGame(text));
}

/** Reads a game in Blokus SGF as `readBlokusSgf` does. */
export function readBlokusTree(tree: SgfGame): BlokusSgf {
  const nodes = sgfMainLine(tree);
  const properties = nodes.flat();
  const gm = textOf(nodes[0]!.find(({ name }) => name === "GM"))?.trim();
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
  const players = names.map((name) => textOf(properties.find((each) => each.name === name)) ?? "");
  const actions: number[] = [];
  for (const { name, values, line } of properties) {
    if (SETUP.includes(name))
      throw new BlokusSgfInvalid(
        `line ${line}: ${name} sets up a position; only games from their start are read`,
      );
    const seat = (moves as readonly string[]).indexOf(OLD_MOVES[name] ?? name);
    if (seat < 0) continue;
    const ply = `line ${line}, ply ${actions.length + 1}`;
    // Before version 0.3 of Pentobi a move was a list of points.
    const move = values.map(sgfSimpleText).join(",");
    // Some programs write a pass down; here a seat without a move is passed over silently.
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
  return { game, actions, players, variations: sgfSideLines(tree) };
}

/** The first game of a text; what follows it is not read. */
function firstGame(text: string): SgfGame {
  try {
    return readSgf(text).next().value as SgfGame;
  } catch (error) {
    if (error instanceof SgfInvalid) throw new BlokusSgfInvalid(error.message, { cause: error });
    throw error;
  }
}

/** The first value of a property as text. */
function textOf(found: SgfFoundProperty | undefined): string | undefined {
  return found && sgfSimpleText(found.values[0]!);
}
