import { nakadeShapes } from "./nakade.ts";
import { patterns, ringText } from "./patterns.ts";
import { responsePatterns } from "./response-patterns.ts";

/** The numbers of the features of moves: of the first of each kind, in the order of the numbers. */
export interface MoveFeatureNumbers {
  /** Fills the slots of a move that lacks a feature. */
  readonly nothing: number;
  /** Patterns of 3x3 points around the move. */
  readonly pattern: number;
  /** Patterns of 3x3 points around the last move, and where the move is. */
  readonly responsePattern: number;
  /** The move has a response pattern: it is at most two steps from the last move. */
  readonly response: number;
  /** The move is on one of the eight points around the last move: beside it, or at a corner. */
  readonly beside: number;
  readonly corner: number;
  /** The move takes an own chain out of atari. */
  readonly saveAtari: number;
  /** The move is in the space of a chain that the last move captured: its shape, and the point. */
  readonly nakade: number;
  /** The move catches the chain of the last move in a ladder. */
  readonly ladderCapture: number;
  /** The move rescues an own chain beside the last move, which then cannot be caught in a ladder. */
  readonly ladderEscape: number;
  /** How many features there are. */
  readonly count: number;
}

let known: MoveFeatureNumbers | undefined;
let names: readonly string[] | undefined;

/** The numbers of the features of moves. The first call makes the tables of patterns. */
export function moveFeatureNumbers(): MoveFeatureNumbers {
  return (known ??= numberFeatures());
}

function numberFeatures(): MoveFeatureNumbers {
  const responsePattern = 1 + patterns().count;
  const response = responsePattern + responsePatterns().count;
  const nakade = response + 4;
  const ladderCapture = nakade + nakadeShapes().count;
  return {
    nothing: 0,
    pattern: 1,
    responsePattern,
    response,
    beside: response + 1,
    corner: response + 2,
    saveAtari: response + 3,
    nakade,
    ladderCapture,
    ladderEscape: ladderCapture + 1,
    count: ladderCapture + 2,
  };
}

/**
 * The names of the features, in the order of their numbers. `x` is a stone of the mover, `o` of the opponent, with the
 * number of liberties of its chain (3 for more); `.` is an empty point, `#` lies outside the board, `*` is the move.
 */
export function moveFeatureNames(): readonly string[] {
  if (names !== undefined) return names;
  const { count, text } = responsePatterns();
  names = [
    "nothing",
    ...Array.from(patterns().rings, (ring) => `pattern ${ringText(ring)}`),
    ...Array.from({ length: count }, (_, pattern) => `response pattern ${text(pattern)}`),
    "response",
    "neighbour beside",
    "neighbour at a corner",
    "save atari",
    ...nakadeShapes().texts.map((text) => `nakade ${text}`),
    "ladder capture",
    "ladder escape",
  ];
  return names;
}
