import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { diagnosisThresholds } from "../../messages/diagnosis-thresholds.ts";
import { diagnosisText } from "../../messages/diagnosis-text.ts";
import { Random } from "../../random.ts";
import { drive } from "../drive.ts";
import type { Search } from "../search.ts";

/** Positions that are searched. */
const POSITIONS = 8;

/** Plies of random play at most. */
const MOST_PLIES = 500;

/** With more simulations than this nothing is tried: it would take long, and few searches are narrow then. */
const MOST_SIMULATIONS = 1000;

/** Positions with fewer legal moves are not judged. */
const LEAST_MOVES = 4;

/** By how much the mover of the root is ahead or behind, and half of the width of the values, as shares of the range of returns. */
const ADVANTAGE = 0.1;
const SPREAD = 0.05;

const { topVisits, triedMoves } = diagnosisThresholds;

/** A search looks at each move once if this share of its simulations does. */
const NEARLY_ALL = 0.7;

/** Whether a decision, or the mean of several, looks at one move: by the shares of the top move's visits and of the moves tried. */
export const looksAtOneMove = (top: number, tried: number): boolean =>
  top >= topVisits && tried <= triedMoves.check;

/**
 * Tries a search at positions of random play, with a net that knows little: all priors are equal, and values say that the mover
 * is a little ahead, or behind. Returns in words what is wrong if the search then looks at one move, or at each move once;
 * else undefined. Draws are fixed, so the answer is a function of game and search.
 */
export function narrowSearch<S>(game: Game<S>, simulations: number, search: Search<S>): string | undefined {
  const [least, most] = game.returnBounds;
  if (!Number.isFinite(most - least) || simulations > MOST_SIMULATIONS) return undefined;
  const random = Random.named("narrow search", game.name);
  const roots = Array.from({ length: POSITIONS }, () => drawnPosition(game, random)).filter(
    (root) => root !== undefined,
  );
  if (roots.length === 0) return undefined;
  for (const side of ["ahead", "behind"] as const) {
    const decisions = roots.map((root) => visitsAt(game, search, root, side, random));
    const top = median(decisions.map(({ all, visits }) => Math.max(...visits) / all));
    const tried = median(decisions.map(({ visits }) => shareOf(visits, (count) => count > 0)));
    const once = median(
      decisions.map(({ all, visits }) => visits.filter((count) => count === 1).length / all),
    );
    const found = `at positions of random play (${median(decisions.map(({ visits }) => visits.length))} legal moves), with a net of equal priors that takes the mover to be ${side}, its ${simulations} simulations`;
    if (looksAtOneMove(top, tried))
      return diagnosisText({
        name: "one-move-search",
        says: `${found} look at hardly more than one move, which gets ${percent(top)} of them`,
        cure: "Take gumbel, more simulations, or a stronger exploration",
      });
    if (once >= NEARLY_ALL)
      return diagnosisText({
        name: "one-move-search",
        says: `${found} look at each move only once`,
        cure: "Take gumbel, more simulations, or a lower first-play urgency",
      });
  }
  return undefined;
}

/** A drawn position of a random game, of those with some choice; undefined if the game has none. */
function drawnPosition<S>(game: Game<S>, random: Random): S | undefined {
  const actions = new Int32Array(game.maxLegal);
  const state = game.initial();
  const found: S[] = [];
  for (let ply = 0; game.toMove(state) !== OVER && ply < MOST_PLIES; ply++) {
    const count = game.legal(state, actions);
    const chance = game.toMove(state) === CHANCE;
    if (!chance && count >= LEAST_MOVES) {
      const copy = game.initial();
      game.copy(state, copy);
      found.push(copy);
    }
    game.play(state, chance ? game.chance!.sample(state, random) : actions[random.below(count)]!);
  }
  return found.length === 0 ? undefined : found[random.below(found.length)];
}

/** The visits of a decision, and their number. */
function visitsAt<S>(
  game: Game<S>,
  search: Search<S>,
  root: S,
  side: "ahead" | "behind",
  random: Random,
): { readonly visits: Float64Array; readonly all: number } {
  const { players } = game;
  const [least, most] = game.returnBounds;
  const range = most - least;
  const even = least + range / players;
  const advantage = side === "ahead" ? ADVANTAGE : -ADVANTAGE;
  const mover = game.toMove(root);
  const { visits } = drive(search.search(root, random, 0), {
    evaluate({ values, priors }) {
      for (let i = 0; i < values.length; i++) {
        const own = i % players === mover ? advantage : -advantage / (players - 1);
        values[i] = even + range * ((players === 1 ? advantage : own) + SPREAD * (2 * random.float() - 1));
      }
      priors?.fill(1);
    },
  });
  return { visits: visits.slice(), all: visits.reduce((sum, count) => sum + count, 0) };
}

const shareOf = (numbers: Float64Array, has: (number: number) => boolean): number =>
  numbers.filter(has).length / numbers.length;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const percent = (share: number): string => `${Math.round(100 * share)}%`;
