import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import { batchEvaluator } from "../batch-evaluator.ts";
import { gamesUnmeasured, inFlightFor, workerThreads } from "../run/parallelism.ts";
import { type GamePlayers, openGamePlayers } from "./game-players.ts";
import type { GamesUnderWay, OpenPlayHost } from "./play-host.ts";

/**
 * The play host of this machine: worker threads that play, and a batching evaluator for each net that is computed.
 *
 * Each evaluator holds one version of its net's weights: `load` replaces the version before.
 */
export const openLocalThreads: OpenPlayHost = (opened, warn) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const { experiment } = opened;
    const open = yield* Effect.forEach(batchEvaluator.instances(opened), ({ settings }) =>
      batchEvaluator.open(settings, opened),
    );
    const evaluators = new Map(open.map((evaluator) => [evaluator.net, evaluator]));
    let players: GamePlayers | undefined;
    return {
      compute: [...new Set(open.map(({ description }) => description))].join("; "),
      measure: Effect.gen(function* () {
        if (open.length === 0) return { perWorker: gamesUnmeasured } satisfies GamesUnderWay;
        let [games, batch] = [1, 0];
        for (const { measure, sessions } of open) {
          const rows = yield* measure;
          batch = Math.max(batch, rows);
          games = Math.max(games, inFlightFor(experiment, sessions, rows));
        }
        return {
          perWorker: games,
          reason: `${games} games a worker thread, for batches of ${batch}`,
        } satisfies GamesUnderWay;
      }),
      // In the host's scope: the threads that play end before the evaluators that they send requests to.
      start: (filled, counts = {}) =>
        openGamePlayers({
          experiment: filled,
          workers: workerThreads(filled),
          evaluators,
          counts,
          onRetry: (crash, games) => warn(`${crash.message}; ${games} games are started again`),
        }).pipe(
          Effect.map((pool) => void (players = pool)),
          Scope.provide(scope),
        ),
      play: (task, retries) => players!.play(task, retries),
      load: (net, _version, weights) => {
        if (weights.kind === "network") return evaluators.get(net)?.load(weights.tensors) ?? Effect.void;
        return Effect.sync(() => players!.shareTables(net, weights.tables));
      },
      computed: () => open.reduce((sum, { computed }) => sum + computed(), 0),
      lost: open.length === 0 ? Effect.never : Effect.raceAllFirst(open.map(({ crashed }) => crashed)),
    };
  });
