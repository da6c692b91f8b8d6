import type { NatsConnection } from "@nats-io/transport-node";
import * as Effect from "effect/Effect";
import { openLocalThreads } from "../../operators/play/local-threads.ts";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import type { OpenPlayHost, PlayHost } from "../../operators/play/play-host.ts";
import { workerThreads } from "../../operators/run/parallelism.ts";
import { type RunError, RunFailed } from "../../operators/run/run-error.ts";
import { countDecision, countEvaluations } from "../../operators/run/shared-counts.ts";
import type { FleetGame } from "./fleet-games.ts";
import { FleetRun } from "./fleet-run.ts";
import type { FleetUse } from "./run-end.ts";
import { runId } from "./run-id.ts";
import { isShareable } from "../wire/task-message.ts";

/** Games of a stage that may wait for joiners or be with them. The window of `FleetGames` is what bounds them in truth. */
const MOST_ELSEWHERE = 4096;
/** Games of an asynchronous run take the weights that are the newest when they are asked for: few wait. */
const MOST_ELSEWHERE_ASYNCHRONOUS = 64;

/** How a run uses a fleet, and where its folder is. */
export interface FleetHostOptions extends FleetUse {
  readonly connection: NatsConnection;
  readonly folder: string;
  /** Whether the run's machine plays games that joiners can play. */
  readonly playsHere: boolean;
}

/**
 * The play host of a fleet: this machine's threads, and the machines that have joined. A game is played on any machine with
 * a free place; its report does not depend on the machine. Games with programs, with tables or with models of others stay here.
 */
export const openFleetHost =
  ({ connection, folder, playsHere, ...use }: FleetHostOptions): OpenPlayHost =>
  (opened, env) =>
    Effect.gen(function* () {
      const local = yield* openLocalThreads(opened, env);
      const { schedule } = opened.experiment;
      let fleet: FleetRun | undefined;
      const host: PlayHost = {
        ...local,
        elsewhere: schedule === "asynchronous" ? MOST_ELSEWHERE_ASYNCHRONOUS : MOST_ELSEWHERE,
        start: (experiment, counts = {}) =>
          Effect.gen(function* () {
            yield* local.start(experiment, counts);
            const games = Object.values(experiment.graph).map(
              (stage) => (stage["inFlight"] as number | undefined) ?? 1,
            );
            fleet = yield* Effect.tryPromise({
              try: () =>
                FleetRun.open(connection, runId(folder), use, {
                  opened: { ...opened, experiment },
                  places: playsHere ? Math.max(...games) * workerThreads(experiment) : 0,
                  weightsOf: env.weightsOf,
                  play: (game) => playHere(game),
                  playAgain: (task) => Effect.runPromise(local.play(task, 0)),
                  counts: ({ stage }, { evaluations, plies }) => {
                    const own = counts[stage];
                    if (own === undefined) return;
                    for (let ply = 0; ply < plies; ply++) countDecision(own);
                    countEvaluations(own, evaluations);
                  },
                }),
              catch: (error) =>
                new RunFailed({
                  stage: "fleet",
                  reason: error instanceof Error ? error.message : String(error),
                }),
            });
          }),
        play: (task, retries) =>
          isShareable(opened, task) ? playAnywhere(task, retries) : local.play(task, retries),
        load: (net, version, weights) =>
          Effect.andThen(
            local.load(net, version, weights),
            Effect.sync(() => fleet!.newest(net, version)),
          ),
        flow: (seconds) => [...local.flow(seconds), ...(fleet === undefined ? [] : [fleet.flow(seconds)])],
        drop: (net, version) => {
          local.drop(net, version);
          fleet?.dropWeights({ net, version });
        },
      };
      yield* Effect.addFinalizer(() => Effect.promise(async () => fleet?.close()));
      /** By game: its end on this machine, if that fails. */
      const failing = new Map<FleetGame, (error: RunError) => void>();
      const playHere = (game: FleetGame) => {
        Effect.runFork(
          local.play(game.task, game.retries).pipe(
            Effect.matchEffect({
              onSuccess: (report) => Effect.sync(() => fleet!.take(game, report)),
              onFailure: (error) => Effect.sync(() => failing.get(game)?.(error)),
            }),
          ),
        );
      };
      const playAnywhere = (task: GameTask, retries: number) =>
        Effect.callback<GameReport, RunError>((resume) => {
          const game: FleetGame = {
            task,
            retries,
            finish: (report) => {
              failing.delete(game);
              resume(Effect.succeed(report));
            },
          };
          failing.set(game, (error) => {
            failing.delete(game);
            fleet!.drop(game);
            resume(Effect.fail(error));
          });
          fleet!.add(game);
          return Effect.sync(() => {
            failing.delete(game);
            fleet!.drop(game);
          });
        });
      return host;
    });
