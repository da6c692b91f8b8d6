import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import type { RunError } from "../run/run-error.ts";
import type { WeightsBoard } from "../run/weights/weights-board.ts";
import { type GameReport, type PlannedGame, weightsNamed, withVersions } from "./game-task.ts";
import type { PlayHost } from "./play-host.ts";

/**
 * Plays a game of a stage. `versionOf` gives the version of each net that its participants play with, earlier selves
 * excepted; without it they play with the newest. If a thread is lost, the game is started again, at most `retries` times.
 */
export type PlayGame = (
  game: PlannedGame,
  retries: number,
  versionOf?: (net: string) => number,
) => Effect.Effect<GameReport, RunError>;

/**
 * Plays games on a host and holds the weights of each on the board until the host has ended it. That is also so for a game
 * whose stage no longer waits for it: its thread plays on, and requests evaluations, until the scope closes.
 */
export const playHolding =
  (opened: OpenExperiment, board: WeightsBoard, host: Pick<PlayHost, "play">, scope: Scope.Scope): PlayGame =>
  (game, retries, versionOf = (net) => board.version(net)) =>
    Effect.flatMap(
      Effect.uninterruptible(
        Effect.suspend(() => {
          const task = withVersions(opened, game, versionOf);
          return Effect.flatMap(board.hold(weightsNamed(opened, task)), (release) =>
            host
              .play(task, retries)
              .pipe(Effect.ensuring(Effect.sync(release)), Effect.interruptible, Effect.forkIn(scope)),
          );
        }),
      ),
      Fiber.join,
    );
