import { readFileSync } from "node:fs";
import { Type, type Static } from "../../schema.ts";
import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { Random } from "../../random.ts";
import type { Opening } from "../../search/episode.ts";
import type { GivenOpening } from "./game-task.ts";

/** How the games of a match begin, as a setting. */
export const openingsSchema = Type.Object(
  {
    plies: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Begin with so many decisions drawn at random, all legal moves being equally likely.",
      }),
    ),
    book: Type.Optional(
      Type.String({
        description:
          "Begin with the openings of a file in turn: a line each, moves in the game's notation with spaces between, # before comments; or a database that a stage of openings has built. Relative to this file's folder.",
      }),
    ),
    shared: Type.Boolean({
      default: true,
      description:
        "The games in which the same agents change seats begin alike, so that no side has the better openings; false: every game has an opening of its own.",
    }),
  },
  {
    additionalProperties: false,
    description: "How games begin: from plies drawn at random, or from a book; otherwise from the start.",
  },
);

/** How the games of a match begin. */
export type OpeningsConfig = Static<typeof openingsSchema>;

/** A book that cannot be used: not there, or with a line that is no opening of the game. */
export class BookUnusable extends Error {
  readonly _tag = "BookUnusable";

  constructor(path: string, reason: string) {
    super(`opening book ${path}: ${reason}`);
    this.name = "BookUnusable";
  }
}

/** The openings of a book as actions; each must be legal and leave the game unfinished. Throws BookUnusable. */
export function readBook(game: Game<unknown>, path: string): number[][] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new BookUnusable(path, `cannot be read: ${(error as Error).message}`);
  }
  const openings = linesOf(path, text).map(([moves, place]) => actionsOf(game, path, moves, place));
  if (openings.length === 0) throw new BookUnusable(path, "holds no opening");
  return openings;
}

/** The openings as text, each with where it stands. */
function linesOf(path: string, text: string): [moves: string, place: string][] {
  if (text.trimStart().startsWith("{")) {
    const openings = jsonOpenings(text);
    if (openings === undefined) throw new BookUnusable(path, 'is JSON without a list of texts "openings"');
    return openings.map((moves, i) => [moves, `opening ${i}`]);
  }
  return text
    .split("\n")
    .map((line, i): [string, string] => [line.replace(/#.*/, "").trim(), `line ${i + 1}`])
    .filter(([moves]) => moves !== "");
}

function jsonOpenings(text: string): string[] | undefined {
  try {
    const { openings } = JSON.parse(text) as { readonly openings?: unknown };
    return Array.isArray(openings) && openings.every((each) => typeof each === "string")
      ? openings
      : undefined;
  } catch {
    return undefined;
  }
}

function actionsOf(game: Game<unknown>, path: string, moves: string, place: string): number[] {
  const state = game.initial();
  const actions = moves.split(/\s+/).map((move) => {
    const action = game.toMove(state) === CHANCE ? undefined : game.notation.parse(state, move);
    if (action === undefined) throw new BookUnusable(path, `${place}: "${move}" is no legal move there`);
    game.play(state, action);
    return action;
  });
  if (game.toMove(state) === OVER) throw new BookUnusable(path, `${place}: the game is over`);
  return actions;
}

/**
 * An opening as an episode asks for it. Random moves come from the stream (seed, name), so that games of the same name
 * begin alike; where chance moves too, it is drawn by each game for itself.
 */
export function playOpening<S>(game: Game<S>, seed: number, opening: GivenOpening): Opening<S> {
  if ("actions" in opening) return (_, decisions) => opening.actions[decisions];
  const random = Random.named(seed, ...opening.name);
  const legal = new Int32Array(game.maxLegal);
  return (state, decisions) =>
    decisions < opening.plies ? legal[random.below(game.legal(state, legal))] : undefined;
}
