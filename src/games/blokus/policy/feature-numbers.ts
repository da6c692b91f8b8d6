import type { BlokusBoard } from "../board.ts";
import { blokusPieces } from "../pieces.ts";

/** The most cells at a corner of a piece. */
export const MOST_CORNERS = 8;
/** New corners are counted up to this number, and lost ones up to the next. */
export const MOST_MADE = 8;
/** See `MOST_MADE`. */
export const MOST_LOST = 5;
/** Distances from the centre are counted up to this number. */
export const MOST_CENTRE = 9;

/** What the new corners of a move are contested by, from nobody to an opponent's own corner there. */
const CONTESTS = ["", ", within two steps of an opponent's", ", an opponent's too"] as const;
/** Number of these. */
export const CONTEST_KINDS = CONTESTS.length;

/** The stages of a game for a seat, by the number of the piece that it lays next. */
const STAGE_NAMES = ["pieces 1-3", "pieces 4-6", "pieces 7-10", "pieces 11-21"] as const;
/** Number of stages. */
export const STAGES = STAGE_NAMES.length;
/** The classes of a cell for an opponent: `CLASSES` of them. */
const CLASS_NAMES = ["far", "two steps", "one step", "narrow corner", "wide corner"] as const;
/** Number of classes. */
export const CLASSES = CLASS_NAMES.length;
const ROOM_NAMES = ["room for 0-2", "room for 3-15", "room for 16-60", "room for 61 or more"] as const;

/** Where each family of features of moves begins, and the names of all. The stage varies fastest within a family. */
export interface FeatureNumbers {
  /** A square that the piece does not have, and a corner cell that it does not have or that is closed to the mover. */
  readonly noSquare: number;
  readonly noCorner: number;
  /** By class of a cell, see `MoverView`. */
  readonly square: number;
  /** A corner cell that is open already. */
  readonly oldCorner: number;
  /** By room, then by who contests it. */
  readonly newCorner: number;
  readonly piece: number;
  readonly made: number;
  readonly lost: number;
  readonly centre: number;
  readonly opponents: number;
  /** By opponent in turn order, then by distance. */
  readonly reply: number;
  readonly count: number;
  readonly names: readonly string[];
}

/** The features of moves on a board; see `blokusMoveFeatures` for what they mean. */
export function featureNumbers({ players }: BlokusBoard): FeatureNumbers {
  const names = ["no square", "no corner"];
  const family = (kinds: readonly string[]): number => {
    const first = names.length;
    for (const kind of kinds) for (const stage of STAGE_NAMES) names.push(`${kind}, ${stage}`);
    return first;
  };
  const upTo = (most: number, text: (n: string) => string) =>
    Array.from({ length: most + 1 }, (_, n) => text(n === most ? `${n} or more` : `${n}`));
  const opponents = Array.from({ length: players - 1 }, (_, k) =>
    players === 2 ? "" : ` of seat +${k + 1}`,
  );
  let classes = [""];
  for (const who of opponents.toReversed())
    classes = classes.flatMap((rest) => CLASS_NAMES.map((name) => `${rest}, ${name}${who}`));
  const numbers = {
    noSquare: 0,
    noCorner: 1,
    square: family([
      ...classes.map((each) => `square${each}`),
      ...classes.map((each) => `square on own corner${each}`),
    ]),
    oldCorner: family(["old corner"]),
    newCorner: family(
      ROOM_NAMES.flatMap((room) => CONTESTS.map((contest) => `new corner, ${room}${contest}`)),
    ),
    piece: family(blokusPieces.map(({ name }) => `piece ${name}`)),
    made: family(upTo(MOST_MADE, (n) => `makes ${n} corners`)),
    lost: family(upTo(MOST_LOST, (n) => `takes ${n} own corners`)),
    centre: family(upTo(MOST_CENTRE, (n) => `${n} from the centre`)),
    opponents: family(["1", "2", "3", "4", "5 or more"].map((n) => `${n} from opponents`)),
    reply: family(
      opponents.flatMap((who) =>
        ["beside", "2 from", "3-4 from", "far from"].map((text) => `${text} the last piece${who}`),
      ),
    ),
  };
  return { ...numbers, count: names.length, names };
}
