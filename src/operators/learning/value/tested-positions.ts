import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { type ValueKind, winShares, winsAndLosses } from "../../../games/outcome.ts";
import { startOfGame } from "../../../games/position-text.ts";
import type { Random } from "../../../random.ts";
import { valuesOfGame } from "../../play/examples/game-examples.ts";
import { collectionParts, type GameCollection, type PlayedGame } from "../../run/items.ts";
import type { ValueErrorSettings } from "./value-error-settings.ts";

/** A position of a finished game, in which a seat decides. */
export interface TestedPosition {
  /** Positions of one game have one number: their errors depend on each other. */
  readonly game: number;
  /** The actions that lead to it, from `start` or, if it is absent, from the start of the game. */
  readonly actions: Int32Array;
  /** A position in the game's notation. */
  readonly start?: string;
  /** The seat that decides, and its result from here on. */
  readonly seat: number;
  readonly result: number;
}

/** The positions that a game gives as examples of values. */
export function positionsOfExamples(
  game: Game<unknown>,
  played: readonly Pick<PlayedGame, "index" | "samples">[],
): TestedPosition[] {
  return played.flatMap(({ index, samples }) => {
    const { actions, examples } = valuesOfGame(samples, game.players);
    const state = game.initial();
    let ply = 0;
    return examples.map((example) => {
      while (ply < example.ply) game.play(state, actions[ply++]!);
      const seat = game.toMove(state);
      return { game: index, actions: actions.subarray(0, ply), seat, result: example.values[seat]! };
    });
  });
}

/** Some positions of a collection, and the number of games of its part that none are from. */
export interface PositionsOfCollection {
  readonly positions: readonly TestedPosition[];
  /** Games whose result is not known. */
  readonly leftOut: number;
}

/**
 * Positions of games of a part of a collection: of at most `test` games, drawn uniformly, at most `positions` each, drawn
 * uniformly. `values` is the kind of their results.
 */
export function positionsOfCollection(
  rules: Game<unknown>,
  collection: GameCollection,
  { part, positions: most, test, values }: Pick<ValueErrorSettings, "part" | "positions" | "test" | "values">,
  random: Random,
): PositionsOfCollection {
  const { players } = rules;
  const known: number[] = [];
  let inPart = 0;
  for (let game = 0; game < collection.games; game++) {
    if (collectionParts[collection.parts[game]!] !== part) continue;
    inPart++;
    const returns = collection.returns.subarray(game * players, (game + 1) * players);
    if (!returns.includes(NaN)) known.push(game);
  }
  const drawn = someOf(known, test, random);
  return {
    leftOut: inPart - known.length,
    positions: drawn.flatMap((game) => positionsOfGame(rules, collection, game, most, values, random)),
  };
}

function positionsOfGame(
  rules: Game<unknown>,
  { moves, offsets, returns, starts }: GameCollection,
  game: number,
  most: number,
  values: ValueKind,
  random: Random,
): TestedPosition[] {
  const { players } = rules;
  const actions = Int32Array.from(moves.subarray(offsets[game], offsets[game + 1]));
  const results = resultsOf(rules, values, returns.subarray(game * players, (game + 1) * players));
  const text = starts.get(game);
  const start = text === undefined ? {} : { start: text };
  const state = startOfGame(rules, text);
  const decisions: TestedPosition[] = [];
  for (let ply = 0; ply < actions.length; ply++) {
    const seat = rules.toMove(state);
    if (seat !== CHANCE && seat !== OVER)
      decisions.push({
        game,
        ...start,
        actions: actions.subarray(0, ply),
        seat,
        result: results(state, seat),
      });
    rules.play(state, actions[ply]!);
  }
  return someOf(decisions, most, random);
}

/**
 * Results of a finished game of the kind `values`, from its returns: a function of a position of the game and a seat. A
 * return counts from the position on.
 */
export function resultsOf(
  rules: Game<unknown>,
  values: ValueKind,
  returns: ArrayLike<number>,
): (state: unknown, seat: number) => number {
  const final = Float64Array.from(returns);
  if (values === "returns") {
    const now = new Float64Array(final.length);
    return (state, seat) => {
      rules.returns(state, now);
      return final[seat]! - now[seat]!;
    };
  }
  const settled = new Float64Array(final.length);
  (values === "win-share" ? winShares : winsAndLosses)(final, settled);
  return (_, seat) => settled[seat]!;
}

/** At most so many of some items, drawn uniformly, in their order. */
function someOf<T>(items: readonly T[], most: number, random: Random): T[] {
  const chosen: T[] = [];
  for (const [i, item] of items.entries())
    // Each of the items left is as likely (Knuth, The Art of Computer Programming, volume 2, algorithm S).
    if (random.below(items.length - i) < most - chosen.length) chosen.push(item);
  return chosen;
}
