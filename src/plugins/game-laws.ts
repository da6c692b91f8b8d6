import { type Game, OVER } from "../games/game.ts";
import { Random } from "../random.ts";
import { frequencies, outcomes } from "./laws/chance-laws.ts";
import { drawings, hiddenBoards } from "./laws/drawing-laws.ts";
import { encodings, netShapes, ownership, packing, planes } from "./laws/net-laws.ts";
import { damagedTexts, moves, otherTexts, playsOn, positions } from "./laws/notation-laws.ts";
import { copies, legalActions, returns } from "./laws/rules-laws.ts";
import { images, imagesOfMoves, inverses } from "./laws/symmetry-laws.ts";
import { described, type Law, LawBroken, Trial } from "./laws/trial.ts";

/** A promise of the contract of games that a game breaks. */
export interface BrokenLaw {
  /** What is wrong, in words. */
  readonly what: string;
  /** The moves of the game before, as the game writes them; the numbers of actions if it cannot write them. */
  readonly after: readonly string[];
}

/** How a game is tried. */
export interface LawsTried {
  /** Random games that are played. Default 100. */
  readonly games?: number;
  /** Plies after which a game is given up. Default 10,000. */
  readonly plies?: number;
  /** What the games are drawn from. Default: always the same. */
  readonly random?: Random;
  /**
   * Whether states that are one position must also be equal in all their parts, as they are if no state remembers what it has computed.
   * Default false: they must be the same to the functions of the game.
   */
  readonly exact?: boolean;
}

/** Laws that are tried in every position. */
const EVERYWHERE: readonly Law[] = [
  outcomes,
  copies,
  returns,
  moves,
  positions,
  planes,
  packing,
  imagesOfMoves,
];
/** Laws that take longer: tried in about `CLOSE` positions of each of the first games, at their beginnings and ends too. */
const CLOSELY: readonly Law[] = [
  otherTexts,
  playsOn,
  damagedTexts,
  drawings,
  hiddenBoards,
  ownership,
  encodings,
  frequencies,
];
const CLOSE = 10;
const CLOSE_GAMES = 4;
/** Laws that are reported at most. */
const MOST_BROKEN = 20;

/**
 * Plays random games and tries whether a game keeps the promises of its contract (`Game`): its functions agree with each
 * other, copies are whole and separate, moves and positions can be written and read, damaged texts are refused, boards and
 * planes are what they are declared to be, symmetries commute with moves, chance draws outcomes as often as it says. Returns what
 * is broken, each kind once, with the first game that shows it; empty if nothing is. An error that the game throws is reported like
 * the rest.
 */
export function brokenLaws<S>(
  game: Game<S>,
  { games = 100, plies = 10_000, random = Random.named("laws"), exact = false }: LawsTried = {},
): readonly BrokenLaw[] {
  const found = new Map<string, BrokenLaw>();
  let after: string[] = [];
  const broken = (law: string, what: string) => {
    if (!found.has(law)) found.set(law, { what, after: [...after] });
  };
  /** Whether work was finished; no law was broken then, and the game has thrown nothing. */
  const kept = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      // Errors of watched games differ in their first words.
      if (error instanceof Error && error.name === "RulesBroken")
        broken(error.message.split(" ", 2).join(" "), error.message);
      else if (error instanceof LawBroken) broken(error.law, error.message);
      else broken("error", `it threw ${described(error)}`);
      return false;
    }
  };
  let trial: Trial<S>;
  let inverse: readonly number[] = [];
  if (!kept(() => void (trial = new Trial(game, random, exact)))) return [...found.values()];
  kept(() => netShapes(trial));
  kept(() => (inverse = inverses(trial)));
  let longest = 0;
  let ended = 0;
  for (let n = 0; n < games && found.size < MOST_BROKEN; n++) {
    after = [];
    kept(() => {
      const state = game.initial();
      trial.same("initial", "initial gave two different positions", game.initial(), state);
      // The first game is played without a close look, for its length.
      for (let ply = 0; ply < plies; ply++, longest = Math.max(longest, ply)) {
        const actions = legalActions(trial, state);
        for (const law of EVERYWHERE) law(trial, state, actions);
        const over = game.toMove(state) === OVER;
        const within = n > 0 && random.below(Math.ceil(longest / CLOSE)) === 0;
        if (n < CLOSE_GAMES && (ply === 0 || over || within)) {
          for (const law of CLOSELY) law(trial, state, actions);
          images(inverse, trial, state, actions);
        }
        if (over) {
          ended++;
          return;
        }
        const action = trial.draw(state, actions);
        const twin = trial.copyOf(state);
        after.push(written(game, state, action));
        game.play(state, action);
        game.play(twin, action);
        trial.same(
          "play",
          "play brought two equal states to different positions: it may depend on nothing but state and action",
          twin,
          state,
        );
      }
    });
  }
  after = [];
  if (found.size > 0) return [...found.values()];
  if (ended === 0) broken("end", `none of ${games} random games ended within ${plies} plies`);
  else for (const shown of trial!.neverChanged()) broken(shown, `${shown} shows the same in all positions`);
  return [...found.values()];
}

function written<S>(game: Game<S>, state: S, action: number): string {
  try {
    return game.notation.format(state, action);
  } catch {
    return String(action);
  }
}
