import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { Random } from "../../../random.ts";

/** Random games that positions are taken from, and positions of a game in each third. */
const GAMES = 3;
const OF_A_THIRD = 2;

/** Decisions of a random game at most. */
const MOST_DECISIONS = 400;

/** A position of random play in which a player has a choice. */
export interface TrialPosition {
  readonly state: unknown;
  /** Number of decisions before it. */
  readonly decisions: number;
  /** 0: it lies in the first third of the decisions of its game, 1: in the middle, 2: in the last. */
  readonly third: number;
}

/** Positions of random play from the start to the end of the game, spread evenly; a function of the game alone. */
export function trialPositions(game: Game<unknown>): TrialPosition[] {
  return Array.from({ length: GAMES }, (_, number) => {
    const { all, decisions } = choicesOf(game, Random.named("foresight", game.name, number));
    const shown = new Set(
      Array.from({ length: 3 * OF_A_THIRD }, (_each, i) =>
        Math.floor((all.length * (i + number / GAMES)) / (3 * OF_A_THIRD)),
      ),
    );
    return [...shown].flatMap((index) => {
      const position = all[index];
      return position === undefined
        ? []
        : [{ ...position, third: Math.floor((3 * position.decisions) / decisions) }];
    });
  }).flat();
}

/** The positions of a random game in which a player has a choice, and the number of its decisions. */
function choicesOf(
  game: Game<unknown>,
  random: Random,
): { readonly all: readonly Omit<TrialPosition, "third">[]; readonly decisions: number } {
  const legal = new Int32Array(game.maxLegal);
  const state = game.initial();
  const all: Omit<TrialPosition, "third">[] = [];
  let decisions = 0;
  for (
    let mover = game.toMove(state);
    mover !== OVER && decisions < MOST_DECISIONS;
    mover = game.toMove(state)
  ) {
    if (mover === CHANCE) {
      game.play(state, game.chance!.sample(state, random));
      continue;
    }
    const count = game.legal(state, legal);
    if (count > 1) {
      const copy = game.initial();
      game.copy(state, copy);
      all.push({ state: copy, decisions });
    }
    decisions++;
    game.play(state, legal[random.below(count)]!);
  }
  return { all, decisions };
}
