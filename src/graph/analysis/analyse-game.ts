import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { type Analyst, analysePly, type PlyAnalysis, type Thought } from "./analyse-ply.ts";

/** The plies of a game: where it began, and all that was played. */
export interface GameCourse {
  readonly start: unknown;
  /** Chance included. */
  readonly actions: ArrayLike<number>;
}

/**
 * Analyses the decisions of a game one after the other, those of plies `first` to `last`, counted from 0. The analysis of a
 * ply does not depend on which others are analysed. It comes with the state before the ply, which the next step changes.
 */
export function* analyseGame(
  game: Game<unknown>,
  analyst: Analyst,
  { start, actions }: GameCourse,
  { first, last }: { readonly first: number; readonly last: number },
): Generator<{ readonly analysis: PlyAnalysis; readonly state: unknown }, void, undefined> {
  const state = game.initial();
  game.copy(start, state);
  let known: Thought | undefined;
  for (let ply = 0, decisions = 0; ply < actions.length && ply <= last; ply++) {
    const action = actions[ply]!;
    const mover = game.toMove(state);
    if (mover === OVER) return;
    if (mover !== CHANCE) {
      if (ply >= first) {
        const { analysis, next } = analysePly(game, analyst, { state, ply, decisions }, action, known);
        yield { analysis, state };
        known = next;
      }
      decisions++;
    }
    game.play(state, action);
  }
}

/** How one seat played, as the analyst sees it. */
export interface SeatAnalysis {
  readonly seat: number;
  /** Decisions that were analysed. */
  readonly decisions: number;
  /** Decisions in which the played move was as good as the best one: its loss is 0 or less. */
  readonly best: number;
  /** Mean loss of a decision, over those whose loss is known; a loss below 0 counts as 0. NaN without any. */
  readonly meanLoss: number;
}

/** How each seat played that decided anything, in the order of seats. */
export function seatAnalyses(plies: readonly PlyAnalysis[]): SeatAnalysis[] {
  const bySeat = [...Map.groupBy(plies, ({ seat }) => seat)].toSorted(([a], [b]) => a - b);
  return bySeat.map(([seat, own]) => {
    const losses = own.flatMap(({ loss }) => (loss === undefined ? [] : [loss]));
    return {
      seat,
      decisions: own.length,
      best: losses.filter((loss) => loss <= 0).length,
      meanLoss: losses.reduce((sum, loss) => sum + Math.max(0, loss), 0) / losses.length,
    };
  });
}

/** The plies with the greatest losses above 0, the greatest first. */
export function largestMistakes(plies: readonly PlyAnalysis[], most: number): PlyAnalysis[] {
  return plies
    .filter(({ loss }) => loss !== undefined && loss > 0)
    .toSorted((a, b) => b.loss! - a.loss! || a.ply - b.ply)
    .slice(0, most);
}
