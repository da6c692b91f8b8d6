import { delegate } from "./delegate.ts";
import { type Game, OVER } from "./game.ts";
import { allFinite } from "./all-finite.ts";
import { positionForMessage } from "./position-text.ts";
import type { DefinitionPlace } from "../definitions/assert-definition.ts";

/** In so many calls the order of legal actions is looked at: later ones should not pay for it. `check --laws` tries more. */
const WATCHED = 200;

/** How far the sum of the probabilities of chance may be from 1. */
const SUM_TOLERANCE = 1e-6;

/**
 * The game of a plug-in, whose numbers are judged before they enter a tree, a table or a file: returns are finite, and within the
 * bounds at the end; probabilities of chance sum to 1; static evaluations, preferences and priors of moves are finite. The first calls
 * of `legal` are looked at too: actions in another order would be confused without a word. Throws RulesBroken.
 */
export function watchedGame<S>(game: Game<S>, place: DefinitionPlace): Game<S> {
  const { chance, depthFirst, players, returnBounds, search } = game;
  const [least, greatest] = returnBounds;
  const broken = (message: string) => place.error("RulesBroken", message);
  /** Throws unless the first `count` numbers that a function has written are finite. */
  const judge = (numbers: Float64Array, count: number, state: S, from: string, of: string) => {
    if (allFinite(numbers, 0, count)) return;
    const at = numbers.findIndex((number) => !Number.isFinite(number));
    throw broken(
      `${from} gave ${numbers[at]} for ${of} ${at} in ${positionForMessage(game, state)}; every number is finite`,
    );
  };
  let left = WATCHED;
  return {
    ...game,
    legal(state, out) {
      const count = game.legal(state, out);
      if (left <= 0) return count;
      left--;
      for (let i = 1; i < count; i++)
        if (out[i]! <= out[i - 1]!)
          throw broken(
            `legal gave ${out[i - 1]} before ${out[i]}; actions come in increasing order, each once`,
          );
      return count;
    },
    returns(state, out) {
      game.returns(state, out);
      judge(out, players, state, "returns", "seat");
      for (let seat = 0; seat < players; seat++)
        if ((out[seat]! < least || out[seat]! > greatest) && game.toMove(state) === OVER)
          throw broken(
            `returns gave ${out[seat]} for seat ${seat} at the end, in ${positionForMessage(game, state)}; returnBounds are ${least} and ${greatest}`,
          );
    },
    ...(chance === undefined
      ? {}
      : {
          chance: {
            sample: (state, random) => chance.sample(state, random),
            outcomes(state, actions, probabilities) {
              const count = chance.outcomes(state, actions, probabilities);
              let sum = 0;
              let lowest = 0;
              for (let i = 0; i < count; i++) {
                sum += probabilities[i]!;
                lowest = Math.min(lowest, probabilities[i]!);
              }
              if (lowest < 0 || !(Math.abs(sum - 1) < SUM_TOLERANCE))
                throw broken(
                  `the probabilities of chance.outcomes ${lowest < 0 ? `have ${lowest} among them` : `sum to ${sum}`} in ${positionForMessage(game, state)}; they are 0 or more, and sum to 1`,
                );
              return count;
            },
          },
        }),
    ...(depthFirst?.staticEvaluations === undefined
      ? {}
      : {
          depthFirst: {
            ...delegate(depthFirst),
            staticEvaluations: mapped(depthFirst.staticEvaluations, (write, name) => (state, out) => {
              write(state, out);
              judge(out, players, state, `the static evaluation ${name}`, "seat");
            }),
          },
        }),
    ...(search === undefined
      ? {}
      : {
          search: {
            ...delegate(search),
            ...(search.preference === undefined
              ? {}
              : {
                  preference: (action) => {
                    const preferred = search.preference!(action);
                    if (!Number.isFinite(preferred))
                      throw broken(
                        `preference gave ${preferred} for action ${action}; every number is finite`,
                      );
                    return preferred;
                  },
                }),
            ...(search.movePriors === undefined
              ? {}
              : {
                  movePriors: mapped(search.movePriors, (write, name) => (state, actions, count, out) => {
                    write(state, actions, count, out);
                    judge(out, count, state, `the move prior ${name}`, "move");
                  }),
                }),
          },
        }),
  };
}

function mapped<T>(
  record: Readonly<Record<string, T>>,
  map: (each: T, name: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([name, each]) => [name, map(each, name)]));
}
