import { type Static, Type } from "../../schema.ts";
import { type GoBoard, goBoard } from "./board.ts";
import { mostHandicapStones } from "./handicap.ts";

/** Options of `go`. */
export const optionsGo = Type.Object(
  {
    size: Type.Integer({
      minimum: 2,
      maximum: 19,
      default: 19,
      description: "Rows and columns of the board.",
    }),
    komi: Type.Number({
      minimum: -361,
      maximum: 361,
      multipleOf: 0.5,
      default: 7.5,
      description: "Points that White has besides its area, in half points. A whole komi allows draws.",
    }),
    superko: Type.Union([Type.Literal("positional"), Type.Literal("situational"), Type.Literal("simple")], {
      default: "positional",
      description:
        "What a move may not bring about. positional: an earlier board; situational: an earlier board with the same seat to move; simple: the board before the opponent's capture of a single stone (simple ko).",
    }),
    suicide: Type.Boolean({
      default: false,
      description: "Whether a move may leave its own chain without liberties, which removes the chain.",
    }),
    handicap: Type.Integer({
      minimum: 0,
      maximum: 9,
      default: 0,
      description:
        "Black stones on the board before the game, on the points of the GTP standard: 2 to 9. White then moves first. 0: none.",
    }),
    moveLimit: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: "Plies, passes included, after which the game ends and is scored; 0: no limit.",
    }),
  },
  { additionalProperties: false },
);

/** The options of `go` as a value. */
export type OptionsGo = Static<typeof optionsGo>;

/** What the rules need besides a position. */
export interface GoRules {
  readonly board: GoBoard;
  readonly komi: number;
  readonly superko: OptionsGo["superko"];
  readonly suicide: boolean;
  readonly moveLimit: number;
  /** Handicap stones at the start; 0: none. */
  readonly handicap: number;
}

/** The rules that options ask for. */
export function goRules({ size, ...options }: OptionsGo): GoRules {
  return { board: goBoard(size), ...options };
}

/** What is wrong with options that are allowed one by one, or undefined. */
export function goOptionsError({ size, handicap }: OptionsGo): string | undefined {
  if (handicap === 1) return "handicap: expected 0 or 2 to 9 stones, found 1; for one stone, lower komi";
  const most = mostHandicapStones(size);
  if (handicap <= most) return undefined;
  const places =
    most === 0 ? "no fixed places for handicap stones" : `fixed places for ${most} handicap stones`;
  return `handicap: a board of ${size}x${size} has ${places}, found ${handicap}`;
}
