import { LARGEST_LIST, readBoundedText } from "../../../formats/files/bounded-file.ts";
import { Type } from "../../../schema.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { Random } from "../../../random.ts";
import type { Opening } from "../../../search/episode.ts";
import { databaseIn } from "./opening-database.ts";
import type { GivenOpening } from "../game-task.ts";

/** The setting `openings`: how the games of a match start. */
export const openingsSchema = Type.Object(
  {
    plies: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          "Number of decisions at the start that are drawn at random, uniformly among the legal moves.",
      }),
    ),
    book: Type.Optional(
      Type.String({
        description:
          "A file of openings, which are used in turn: a text file with one opening per line, moves in the game's notation separated by spaces, # before comments; or a database that a stage of openings has built (openings/STAGE.json in the folder of a run). The path is relative to the folder of the experiment file.",
      }),
    ),
    shared: Type.Boolean({
      default: true,
      description:
        "Whether the games in which the same agents change seats share their opening, so that no agent has better openings. false: every game has its own opening.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "How games start: with plies drawn at random, or with openings from a book. Absent: at the start of the game.",
  },
);

/** An opening book cannot be used: it is missing, or has a line that is not an opening of the game. */
export class BookUnusable extends Error {
  readonly _tag = "BookUnusable";

  constructor(path: string, reason: string) {
    super(`opening book ${path}: ${reason}`);
    this.name = "BookUnusable";
  }
}

/** The openings of a book as lists of actions. All moves must be legal, and the game must not be over. Throws BookUnusable. */
export function readBook(game: Game<unknown>, path: string): number[][] {
  let text: string;
  try {
    text = readBoundedText(path, LARGEST_LIST);
  } catch (error) {
    throw new BookUnusable(path, `cannot be read: ${(error as Error).message}`);
  }
  const openings = linesOf(path, text).map(([moves, place]) => actionsOf(game, path, moves, place));
  if (openings.length === 0) throw new BookUnusable(path, "holds no opening");
  return openings;
}

/** The openings as text, each with its place in the file. */
function linesOf(path: string, text: string): [moves: string, place: string][] {
  if (text.trimStart().startsWith("{"))
    return databaseOf(path, text).openings.map((moves, i) => [moves, `opening ${i}`]);
  return text
    .split("\n")
    .map((line, i): [string, string] => [line.replace(/#.*/, "").trim(), `line ${i + 1}`])
    .filter(([moves]) => moves !== "");
}

function databaseOf(path: string, text: string) {
  try {
    return databaseIn(text);
  } catch (error) {
    throw new BookUnusable(path, (error as Error).message);
  }
}

function actionsOf(game: Game<unknown>, path: string, moves: string, place: string): number[] {
  const state = game.initial();
  const actions = moves.split(/\s+/).map((move) => {
    const action = game.toMove(state) === CHANCE ? undefined : game.notation.parse(state, move);
    if (action === undefined) throw new BookUnusable(path, `${place}: "${move}" is not a legal move there`);
    game.play(state, action);
    return action;
  });
  if (game.toMove(state) === OVER) throw new BookUnusable(path, `${place}: the game is over`);
  return actions;
}

/**
 * An opening as a function for `episode`. Random moves come from the stream (seed, name), so games with the same name have
 * the same moves of players. Chance is drawn by each game for itself.
 */
export function playOpening<S>(game: Game<S>, seed: number, opening: GivenOpening): Opening<S> {
  if ("actions" in opening) return (_, decisions) => opening.actions[decisions];
  const random = Random.named(seed, ...opening.name);
  const legal = new Int32Array(game.maxLegal);
  return (state, decisions) =>
    decisions < opening.plies ? legal[random.below(game.legal(state, legal))] : undefined;
}
