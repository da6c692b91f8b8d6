import { CHANCE, OVER } from "../../../games/game.ts";
import type { Game } from "../../../games/game.ts";
import { Random } from "../../../random.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import type { PlannedGame } from "../../play/game-task.ts";
import type { ValueGamesSettings } from "./value-games-settings.ts";

/** One attempt at a game: attempts follow each other until one reaches the position after its random move. */
export interface Attempt {
  /** The number of the game in its stage. */
  readonly game: number;
  /** Counts from 0. */
  readonly attempt: number;
}

/** The number U of the random move of an attempt: from 1 to `longest`. */
export function randomPlyOf(
  { longest }: Pick<ValueGamesSettings, "longest">,
  seed: number,
  stage: string,
  { attempt, game }: Attempt,
): number {
  return 1 + Random.named(seed, stage, game, attempt, "ply").below(longest);
}

/** The moves before the random one, as a game that ends after U - 1 plies. */
export function firstMoves(
  { first }: Pick<ValueGamesSettings, "first">,
  { game: { players } }: OpenExperiment,
  stage: string,
  { attempt, game }: Attempt,
  randomPly: number,
): PlannedGame {
  return {
    stage,
    name: [stage, game, attempt, "first"],
    index: game,
    generation: 0,
    seats: Array.from({ length: players }, () => first),
    plies: randomPly - 1,
  };
}

/**
 * The first moves and the random one, drawn uniformly from the legal moves; undefined if the game is over before or
 * after it. `before` has the actions of `firstMoves`.
 */
export function withRandomMove<S>(
  game: Game<S>,
  before: ArrayLike<number>,
  randomPly: number,
  random: Random,
): number[] | undefined {
  if (before.length < randomPly - 1) return undefined;
  const state = game.initial();
  const actions = Array.from(before);
  for (const action of actions) game.play(state, action);
  if (game.toMove(state) === OVER) return undefined;
  const legal = new Int32Array(game.maxLegal);
  const drawn = legal[random.below(game.legal(state, legal))]!;
  game.play(state, drawn);
  return game.toMove(state) === OVER ? undefined : [...actions, drawn];
}

/** The whole game, whose opening is given: the moves after it are played to the end. */
export function wholeGame(
  { then }: Pick<ValueGamesSettings, "then">,
  { game: { players } }: OpenExperiment,
  stage: string,
  { attempt, game }: Attempt,
  opening: readonly number[],
): PlannedGame {
  return {
    stage,
    name: [stage, game, attempt, "then"],
    index: game,
    generation: 0,
    seats: Array.from({ length: players }, () => then),
    opening: { actions: opening },
  };
}

/** The plies of the positions that a game gives as examples: each position is the one before its ply. */
export function examplePlies<S>(
  game: Game<S>,
  actions: ArrayLike<number>,
  randomPly: number,
  positions: ValueGamesSettings["positions"],
): number[] {
  if (positions === "one") return [randomPly];
  const plies: number[] = [];
  const state = game.initial();
  for (let ply = 0; ply < actions.length; ply++) {
    if (ply >= randomPly && game.toMove(state) !== CHANCE) plies.push(ply);
    game.play(state, actions[ply]!);
  }
  return plies;
}

/** Whether a game is kept for testing: as many of the first n games as their share says, evenly spread. */
export function isHeldOut({ heldOut }: Pick<ValueGamesSettings, "heldOut">, game: number): boolean {
  return Math.floor((game + 1) * heldOut) > Math.floor(game * heldOut);
}
