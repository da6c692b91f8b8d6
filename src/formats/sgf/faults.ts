import type { SgfPlace } from "./sgf.ts";

/**
 * What is wrong with a text, by kind. The codes are stable: programs may compare them.
 *
 * - `ERR_START`: no game tree where one should begin
 * - `ERR_NODE`: a game tree without a node at its start
 * - `ERR_PLACE`: a character that is not allowed in its place
 * - `ERR_NAME`: a name of a property without a capital letter
 * - `ERR_VALUE`: a property without a value
 * - `ERR_BRACKET`: a bracket in a text that is not escaped
 * - `ERR_VALUE_END`: a value that does not end
 * - `ERR_TREE_END`: a game tree that does not end
 * - `ERR_LONG`: a game tree of more parts than the reader takes
 * - `ERR_CHARSET`: bytes in another charset than the file says
 * - `ERR_MANY`: further faults, which are not listed
 */
export type SgfErrorCode =
  | "ERR_START"
  | "ERR_NODE"
  | "ERR_PLACE"
  | "ERR_NAME"
  | "ERR_VALUE"
  | "ERR_BRACKET"
  | "ERR_VALUE_END"
  | "ERR_TREE_END"
  | "ERR_LONG"
  | "ERR_CHARSET"
  | "ERR_MANY";

/** The text is not in the Smart Game Format. The message begins with the place. */
export class SgfInvalid extends Error implements SgfPlace {
  readonly _tag = "SgfInvalid";
  readonly code: SgfErrorCode;
  readonly line: number;
  readonly column: number;

  constructor(code: SgfErrorCode, { line, column }: SgfPlace, what: string) {
    super(`line ${line}, column ${column}: ${what}`);
    this.name = "SgfInvalid";
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

/** A fault that a lenient reader has found. The message says the place, the fault, and what the reader did. */
export interface SgfWarning extends SgfPlace {
  readonly code: SgfErrorCode;
  readonly message: string;
}

/** Adds a warning, as long as they are not too many to be of use: of the others only the number is unknown. */
export function warn(
  warnings: SgfWarning[],
  code: SgfErrorCode,
  { line, column }: SgfPlace,
  what: string,
): void {
  if (warnings.length > MOST_WARNINGS) return;
  if (warnings.length === MOST_WARNINGS)
    [code, what] = ["ERR_MANY", "further faults from here on are not listed"];
  warnings.push({ code, line, column, message: `line ${line}, column ${column}: ${what}` });
}

const MOST_WARNINGS = 1000;
