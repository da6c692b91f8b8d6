import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import { batchEvaluator } from "./evaluation/batch-evaluator.ts";
import { gamesUnmeasured, inFlightFor, workerThreads } from "../run/parallelism.ts";
import { type GamePlayers, openGamePlayers } from "./game-players.ts";
import { type GameTask, type TablesVersion, weightsNamed } from "./game-task.ts";
import type { GamesUnderWay, OpenPlayHost } from "./play-host.ts";
import type { SharedTables } from "../../models/tables.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import type { NetVersion } from "../run/weights/weights-board.ts";

/**
 * The play host of this machine: worker threads that play, and a batching evaluator for each net that is computed. The
 * threads share the memory of tables; earlier versions of tables come with the games that need them.
 */
export const openLocalThreads: OpenPlayHost = (opened, { outlivesCrashes = false, warn, weightsOf }) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const { experiment } = opened;
    const open = yield* Effect.forEach(batchEvaluator.instances(opened), ({ name, settings }) =>
      Effect.map(batchEvaluator.open(settings, opened, weightsOf, warn), (evaluator) => ({
        ...evaluator,
        name,
      })),
    );
    const evaluators = new Map(open.map((evaluator) => [evaluator.net, evaluator]));
    let players: GamePlayers | undefined;
    /** By net: the tables that the threads share, and that a learner keeps changing. */
    const shared = new Map<string, SharedTables>();
    /** The tables of a version that are not those that the threads share. */
    const ownTables = ({ net, version }: NetVersion) =>
      Effect.map(weightsOf(net, version), (weights): TablesVersion[] => {
        if (weights.kind !== "tables") throw new Error(`"${net}" is not on tables`);
        return weights.tables === shared.get(net) ? [] : [{ net, version, tables: weights.tables }];
      });
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
          reason: `${games} games at once in each worker thread, for batches of ${batch}`,
        } satisfies GamesUnderWay;
      }),
      // In the host's scope: the threads that play end before the evaluators that they send requests to.
      start: (filled, counts = {}) =>
        openGamePlayers({
          experiment: filled,
          workers: workerThreads(filled),
          evaluators,
          counts,
          outlivesCrashes,
          onRetry: (crash, games) => warn(`${crash.message}; ${games} games are started again`),
        }).pipe(
          Effect.map((pool) => void (players = pool)),
          Scope.provide(scope),
        ),
      play: (task, retries) =>
        Effect.flatMap(Effect.forEach(tablesNamed(opened, task), ownTables), (tables) =>
          players!.play({ task, tables: tables.flat() }, retries),
        ),
      load: (net, version, weights) => {
        if (weights.kind === "network")
          return evaluators.get(net)?.load(version, weights.tensors) ?? Effect.void;
        return Effect.sync(() => {
          shared.set(net, weights.tables);
          players!.shareTables(net, weights.tables);
        });
      },
      drop: (net, version) => evaluators.get(net)?.drop(version),
      computed: () => open.reduce((sum, { computed }) => sum + computed(), 0),
      flow: (seconds) => [
        ...(players === undefined ? [] : [players.flow(seconds)]),
        ...open.map(({ flow, name }) => ({
          type: "evaluator-flow" as const,
          evaluator: name,
          ...flow(seconds),
        })),
      ],
      lost: open.length === 0 ? Effect.never : Effect.raceAllFirst(open.map(({ lost }) => lost)),
    };
  });

/** The versions of tables that a game is played with. */
function tablesNamed(opened: OpenExperiment, task: GameTask): NetVersion[] {
  return weightsNamed(opened, task, (_participant, { net }) => opened.nets.get(net)!.kind === "tables");
}
