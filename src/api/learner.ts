import type { Game } from "../games/game.ts";
import type { LearningExample } from "../graph/example-learner.ts";
import { OBJECT, withPublicErrors } from "./errors.ts";
import type { Nets } from "./experiment.ts";
import { assertGame, configOf } from "./games.ts";
import { assertPositions } from "./positions.ts";

/** How a net learns. */
export interface NetLearnerOptions {
  /** The net and its options, as under `nets` in an experiment file. It begins with random weights. */
  readonly net: Nets[keyof Nets];
  /** The number of examples of a step. Default 64. */
  readonly batch?: number;
  /** The first weights follow from it. Default 1. */
  readonly seed?: number;
}

/** A net that learns. Disposing of it releases its memory. */
export interface Learner extends AsyncDisposable {
  readonly game: Game<unknown>;
  /** Steps taken so far. */
  readonly steps: number;
  /**
   * Takes a step of Adam (Kingma and Ba 2015) on `batch` examples: squared error of the values plus cross-entropy of the policy over the legal
   * actions (Silver et al. 2017). Returns the loss, `total`, and its parts.
   *
   * Throws a LudoflowError: `ERR_POSITION` for what is not a state of the game; a RangeError for another number of examples, values
   * or probabilities, and for numbers that are not finite.
   */
  step(examples: readonly LearningExample[], rate: number): Promise<Readonly<Record<string, number>>>;
  /**
   * Writes the weights as a checkpoint, which replaces what is in the folder: `openCheckpoint`, agents and experiments take it.
   * Throws a LudoflowError: `ERR_FILE_NOT_WRITTEN`.
   */
  save(folder: string): Promise<void>;
}

/**
 * Makes a net that learns a game from examples: `await learner(game, { net: { use: "residual", filters: 16, blocks: 2 } })`.
 *
 * Throws a LudoflowError: `ERR_EXPERIMENT` for options that the net does not have, `ERR_AGENT` if the net and the game do not fit,
 * `ERR_COMPUTE` if nets cannot be computed here.
 */
export async function learner(
  game: Game<unknown>,
  { net, batch = 64, seed = 1 }: NetLearnerOptions,
): Promise<Learner> {
  return await withPublicErrors(async () => {
    assertGame(game);
    const { openExampleLearner } = await import("../graph/example-learner.ts");
    const opened = await openExampleLearner(OBJECT, { game: configOf(game), net, batch, seed });
    return {
      game,
      get steps() {
        return opened.steps;
      },
      step: async (examples, rate) =>
        await withPublicErrors(async () => {
          assertPositions(
            game,
            examples.map(({ position }) => position),
            (i) => `examples[${i}].position`,
          );
          return await opened.step(examples, rate);
        }),
      save: async (folder) => await withPublicErrors(() => opened.save(folder)),
      [Symbol.asyncDispose]: async () => await opened.dispose(),
    };
  });
}
