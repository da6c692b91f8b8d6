import { decodeCsv } from "../../../formats/csv.ts";
import { LARGEST_LIST, readBoundedText } from "../../../formats/files/bounded-file.ts";
import { type Game, OVER } from "../../../games/game.ts";

/** A position of a test suite, in which a seat decides. */
export interface SuitePosition {
  /** In the game's notation. */
  readonly position: string;
  /** The right actions, each once, in increasing order; not all that are legal. */
  readonly right: readonly number[];
  /** Number of legal actions. */
  readonly legal: number;
  /** The entries of the columns by which positions are grouped, joined by commas; absent without such columns. */
  readonly group?: string;
  /** The outcome for the seat to move, -1 to 1; absent if outcomes are not read. */
  readonly outcome?: number;
}

/** What is read of a file beside positions and moves. */
export interface SuiteColumns {
  /** Names of the columns by which positions are grouped. */
  readonly by: readonly string[];
  /** Whether the column `outcome` is read. */
  readonly values: boolean;
}

/** A test suite cannot be used: the file is missing, or has a line that is not a position with right moves. */
export class SuiteUnusable extends Error {
  readonly _tag = "SuiteUnusable";

  constructor(path: string, reason: string) {
    super(`test suite ${path}: ${reason}`);
    this.name = "SuiteUnusable";
  }
}

/** The positions of a file, in their order; columns that are not named are not read. Throws SuiteUnusable. */
export function readSuite(
  game: Game<unknown>,
  path: string,
  { by, values }: SuiteColumns = { by: [], values: false },
): SuitePosition[] {
  let text: string;
  try {
    text = readBoundedText(path, LARGEST_LIST);
  } catch (error) {
    throw new SuiteUnusable(path, `cannot be read: ${(error as Error).message}`);
  }
  const [header, ...rows] = decodeCsv(text);
  const column = (name: string) => {
    const at = header?.fields.indexOf(name) ?? -1;
    if (at < 0) throw new SuiteUnusable(path, `the first line names no column "${name}"`);
    return at;
  };
  const [positions, moves] = [column("position"), column("moves")];
  const groups = by.map(column);
  const outcomes = values ? column("outcome") : undefined;
  if (rows.length === 0) throw new SuiteUnusable(path, "holds no position");
  return rows.map(({ fields, line }) => {
    const read = suitePosition(game, fields[positions] ?? "", fields[moves] ?? "");
    if ("wrong" in read) throw new SuiteUnusable(path, `line ${line}: ${read.wrong}`);
    const text = outcomes === undefined ? undefined : (fields[outcomes] ?? "");
    if (text !== undefined && !["1", "0", "-1"].includes(text))
      throw new SuiteUnusable(path, `line ${line}: the outcome "${text}" is not 1, 0 or -1`);
    return {
      ...read,
      ...(groups.length === 0 ? {} : { group: groups.map((at) => fields[at] ?? "").join(", ") }),
      ...(text === undefined ? {} : { outcome: Number(text) }),
    };
  });
}

/** The position of a row, or what is wrong with it. */
function suitePosition(
  game: Game<unknown>,
  position: string,
  moves: string,
): SuitePosition | { readonly wrong: string } {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) return { wrong: `"${position}" is not a position: ${reading.error.message}` };
  const { state } = reading;
  const mover = game.toMove(state);
  if (mover < 0)
    return { wrong: mover === OVER ? "the game is over" : "chance is to move, and no seat decides" };
  const right = new Set<number>();
  for (const move of moves.split(" ").filter((text) => text !== "")) {
    const action = game.notation.parse(state, move);
    if (action === undefined) return { wrong: `"${move}" is not a legal move there` };
    right.add(action);
  }
  const legal = game.legal(state, new Int32Array(game.maxLegal));
  if (right.size === 0) return { wrong: "no right move is named" };
  if (right.size === legal) return { wrong: "every legal move is right, which tests nothing: leave it out" };
  return { position, right: [...right].toSorted((a, b) => a - b), legal };
}
