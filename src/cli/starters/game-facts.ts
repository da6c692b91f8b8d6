import type { Game } from "../../games/game.ts";
import { CHANCE, OVER } from "../../games/game.ts";
import type { GameConfig, OpenedGame } from "../../games/registry.ts";
import { Random } from "../../random.ts";

/** What the first experiment with a game depends on. */
export interface GameFacts {
  readonly game: Game<unknown>;
  /** The game as the file names it, without the options that have their defaults. */
  readonly named: GameConfig;
  /** The path of the plug-in that defines the game, as the file names it; absent for games of ludoflow. */
  readonly plugin?: string;
  /** Decisions of a game of random moves, and legal moves of a decision: means. */
  readonly decisions: number;
  readonly moves: number;
  /** Whether a decision can follow chance. */
  readonly chance: boolean;
}

/** Random games that are played for the means, and the decisions after which a game is given up. */
const GAMES = 20;
const MOST_DECISIONS = 2000;

/** Plays some random games, from fixed seeds, to find how long games are and how many moves there are. */
export function factsOfGame(
  { game: opened }: OpenedGame,
  named: GameConfig,
  plugin: string | undefined,
): GameFacts {
  const game = opened as Game<unknown>;
  const actions = new Int32Array(game.maxLegal);
  let [decisions, moves] = [0, 0];
  for (let index = 0; index < GAMES; index++) {
    const random = Random.named(0, "starter", index, "moves");
    const state = game.initial();
    for (let made = 0; made < MOST_DECISIONS;) {
      const mover = game.toMove(state);
      if (mover === OVER) break;
      if (mover === CHANCE) {
        game.play(state, game.chance!.sample(state, random));
        continue;
      }
      const count = game.legal(state, actions);
      game.play(state, actions[random.below(count)]!);
      made++;
      decisions++;
      moves += count;
    }
  }
  return {
    game,
    named,
    ...(plugin === undefined ? {} : { plugin }),
    decisions: Math.max(1, decisions / GAMES),
    moves: moves / Math.max(1, decisions),
    chance: game.chance !== undefined,
  };
}
