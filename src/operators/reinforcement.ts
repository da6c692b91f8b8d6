import { moduleBeside } from "../module-beside.ts";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { Requests } from "../workers/requests.ts";
import { END } from "../workers/serve.ts";
import { spawnWorker } from "../workers/spawn-worker.ts";
import { operator, type StageEnv } from "./operator.ts";
import { baselineValues } from "./learning/reinforcement/baseline-values.ts";
import { reinforcementComplaints } from "./learning/reinforcement/complaints.ts";
import { neededByPolicyPool, reinforcementGame } from "./learning/reinforcement/policy-pool.ts";
import { REINFORCE_LOSS, ReinforcementLearner } from "./learning/reinforcement/reinforcement-learner.ts";
import {
  type ReinforcementSettings,
  reinforcementSettings,
} from "./learning/reinforcement/reinforcement-settings.ts";
import type { Tensors, WeightsVersion } from "./run/items.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import type { RunError } from "./run/run-error.ts";
import { playingPart } from "./run/weights/named-tensors.ts";
import { MOST_BATCHES } from "./learning/training/net-steps.ts";
import type { StartingPoint } from "./run/weights/net-weights.ts";
import { startingPoint } from "./learning/training/starting-point.ts";
import type { FromTrainer, ToTrainer, TrainerData } from "./learning/training/trainer-worker.ts";

/** Improves a policy by policy gradients, from games against a growing pool of its earlier versions. */
export const reinforcement = operator({
  use: "reinforcement",
  description:
    "Improves the policy of a net by policy gradients (REINFORCE), from games of the newest version against earlier versions in a growing pool.",
  example:
    "reinforced: { use: reinforcement, net: value, agent: sampler, games: 128, steps: 10000, rate: 0.001 }",
  settings: reinforcementSettings,
  inputs: {
    from: {
      kind: "weights",
      description:
        "The stage whose last weights the net starts from; its net has the same settings. If absent, the net starts from its `weights`, or from fresh ones",
      optional: true,
    },
  },
  output: "weights",
  learns: "net",
  check: (settings: ReinforcementSettings, view) => reinforcementComplaints(settings, view),
  bounds: ({ batch, every, inFlight, steps }: ReinforcementSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} games under way`,
    `at most ${MOST_BATCHES} batches of ${batch} positions, laid out or being learned from`,
    `at most ${Math.floor(steps / every) + 1} versions in the pool, as files of the run`,
  ],
  agents: ({ agent }: ReinforcementSettings) => [agent],
  work: ({ agent, games, steps }: ReinforcementSettings) => ({
    unit: "games",
    total: games * steps,
    purpose: "learn",
    deciders: { [agent]: 1 },
    learns: true,
  }),
  // A step of one game takes as long as a game's share of a larger one; random games must not make it diverge.
  trial: (settings: ReinforcementSettings) => ({
    ...settings,
    games: 1,
    rate: 1e-9,
    batch: Math.min(settings.batch, 16),
  }),
  offers: ({ net, steps }: ReinforcementSettings) => ({ net, filling: 0, trainings: steps }),
  replay: (settings: ReinforcementSettings, { view, record }, play) =>
    play(reinforcementGame(settings, view.opened, view.name, record.game), "version"),
  build: (settings: ReinforcementSettings, { from }, env) =>
    Effect.gen(function* () {
      env.board.keep(settings.net, neededByPolicyPool(settings));
      const own = yield* startingPoint(env, settings.net);
      // A run that has taken steps continues from its own checkpoint.
      const started = own.progress["steps"] !== undefined;
      if (from === undefined) return (yield* learnerFrom(settings, env, own)).versions();
      env.activity.waits("the last weights of the stage that it starts from");
      const scope = yield* Effect.scope;
      return Stream.fromEffect(lastWeights(from)).pipe(
        Stream.flatMap((tensors) => {
          // The stage before has been asked to stop.
          if (tensors === undefined) return Stream.empty;
          env.activity.waits("");
          const start: StartingPoint = started ? own : { tensors, progress: {} };
          return Stream.unwrap(
            Effect.map(Scope.provide(learnerFrom(settings, env, start), scope), (learner) =>
              learner.versions(),
            ),
          );
        }),
      );
    }),
});

/** The last weights of a stage, once it has ended; undefined if it ended before them. */
const lastWeights = (from: Stream.Stream<WeightsVersion, RunError>) =>
  Stream.runFoldEffect(
    from,
    (): Tensors | undefined => undefined,
    (before, version) =>
      version.state === "final" ? Effect.map(version.snapshot, playingPart) : Effect.succeed(before),
  );

/** Opens the thread that learns, and what plays for it. */
const learnerFrom = (settings: ReinforcementSettings, env: StageEnv, start: StartingPoint) =>
  Effect.gen(function* () {
    const { experiment } = env.opened;
    const data: TrainerData = {
      experiment,
      net: settings.net,
      compute: experiment.compute,
      batch: settings.batch,
      optimiser: settings.optimiser,
      loss: REINFORCE_LOSS,
      averaging: null,
      accumulating: true,
      start: start.tensors,
    };
    const thread = yield* spawnWorker<never, never>({
      name: `learner ${env.stage}`,
      module: moduleBeside("learning/training/trainer-worker", import.meta.url),
      data,
      device: experiment.compute.device,
      dismiss: (worker) => worker.postMessage(END),
    });
    const requests = new Requests<ToTrainer, FromTrainer>(thread);
    const { baseline } = settings;
    const values = baseline.use === "value-net" ? yield* baselineValues(env.opened, baseline.net) : undefined;
    return new ReinforcementLearner(settings, env, requests, start, values);
  });
