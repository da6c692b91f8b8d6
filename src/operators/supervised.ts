import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { counted } from "../messages/counted.ts";
import { Random } from "../random.ts";
import { taggedUnion, Type } from "../schema.ts";
import { CollectedPositions } from "./learning/collection/collected-positions.ts";
import { abilitiesOf } from "./experiment/agent-net.ts";
import { networkOf } from "./experiment/open-experiment.ts";
import { operator, type SettingsOf, type StageEnv } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { batchLayout } from "./play/examples/batch-layout.ts";
import type { GameCollection } from "./run/items.ts";
import { RunFailed } from "./run/run-error.ts";
import { CollectionBatches } from "./learning/supervised/collection-batches.ts";
import { openLinearSteps } from "./learning/supervised/linear-steps.ts";
import { type Generation, type Learning, NetLearner } from "./learning/training/net-learner.ts";
import { type BatchDraws, MOST_BATCHES, openNetSteps } from "./learning/training/net-steps.ts";
import { adamSchema, sgdSchema } from "./learning/training/optimiser-settings.ts";
import { scheduleComplaint, scheduleSchema } from "../schedule.ts";
import { startingPoint } from "./learning/training/starting-point.ts";

const settings = {
  net: Type.String({
    description: "The net with a policy, or the linear policy, that it learns (a name under nets).",
  }),
  batch: Type.Integer({ minimum: 1, maximum: 65536, description: "Decisions in a minibatch." }),
  steps: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Steps of the whole run, a minibatch each.",
  }),
  every: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Steps from one version of the weights to the next. `steps` is a multiple of it.",
  }),
  rate: scheduleSchema("Learning rate", "step", { exclusiveMinimum: 0, maximum: 100 }),
  optimiser: Type.Optional(
    taggedUnion(
      "use",
      "The optimiser that changes the weights of a net. Default: adam. Linear policies have none: their steps are AdaGrad's.",
      [sgdSchema, adamSchema],
    ),
  ),
  averaging: Type.Union([Type.Number({ minimum: 0, exclusiveMaximum: 1 }), Type.Null()], {
    default: null,
    description:
      "Decay per step of a running average of the weights of a net, which is played with and saved in their place; null: no average.",
  }),
  symmetries: Type.Boolean({
    default: true,
    description:
      "Draws a symmetry of the board with every decision, if the game has symmetries (Silver et al. 2016). Features of linear policies are the same under symmetries.",
  }),
};

type SupervisedSettings = SettingsOf<typeof settings>;

/** Learns a policy from the moves of recorded games. */
export const supervised = operator({
  use: "supervised",
  description:
    "Learns the policy of a net, or a linear policy, from the moves of recorded games, by stochastic gradient ascent on their log-likelihood.",
  example:
    "policy: { use: supervised, from: records, net: policy, batch: 128, steps: 20000, every: 1000, rate: [{ until: 10000, value: 0.001 }, { value: 0.0005 }] }",
  settings,
  inputs: { from: { kind: "collection", description: "The recorded games to learn from" } },
  output: "weights",
  learns: "net",
  check: (settings: SupervisedSettings, { opened }) => {
    const { averaging, every, net, optimiser, rate, steps } = settings;
    const complaints: Complaint[] = complainUnknown("net", "net", net, opened.experiment.nets);
    const open = opened.nets.get(net);
    if (open?.kind === "network" && !open.hasPolicy)
      complaints.push({
        key: "net",
        message: `"${net}" gives values only; learn a net with a policy head, or a linear-policy`,
      });
    if (open?.kind === "tables") {
      if (!abilitiesOf(open).guides)
        complaints.push({ key: "net", message: `"${net}" is not a policy; learn it with td-learner` });
      else if (optimiser !== undefined || averaging !== null)
        complaints.push({
          key: optimiser === undefined ? "averaging" : "optimiser",
          message: `"${net}" is a linear policy, whose steps are AdaGrad's: leave this setting out`,
        });
    }
    if (steps % every !== 0)
      complaints.push({
        key: "every",
        message: `${steps} steps cannot be divided into versions of ${every}`,
      });
    const wrong = scheduleComplaint(rate);
    if (wrong !== undefined) complaints.push({ key: "rate", message: wrong });
    return complaints;
  },
  bounds: ({ batch, net }: SupervisedSettings, { opened }) => [
    opened.nets.get(net)?.kind === "tables"
      ? "1 thread, which draws and learns; stops after every version until all readers are done"
      : `at most ${MOST_BATCHES} minibatches of ${batch}, drawn or being learned from`,
  ],
  work: ({ net, steps }: SupervisedSettings, { opened }) => ({
    unit: "steps",
    total: steps,
    purpose: "learn",
    threads: opened.nets.get(net)?.kind === "tables" ? 1 : Infinity,
  }),
  offers: ({ batch, every, net, steps }: SupervisedSettings) => ({
    net,
    filling: 0,
    trainings: steps / every,
    positions: batch,
  }),
  build: (settings: SupervisedSettings, { from }, env) =>
    Effect.gen(function* () {
      env.activity.waits("recorded games");
      const scope = yield* Effect.scope;
      return from.pipe(
        Stream.take(1),
        Stream.flatMap((collection) =>
          Stream.unwrap(Scope.provide(versionsFrom(settings, collection, env), scope)),
        ),
      );
    }),
});

/** The versions of the weights that are learned from a collection. */
const versionsFrom = (settings: SupervisedSettings, collection: GameCollection, env: StageEnv) =>
  Effect.gen(function* () {
    const { opened, stage } = env;
    const { every, net, steps: total } = settings;
    const positions = new CollectedPositions(opened.game, collection, "training");
    if (!positions.hasDecisions)
      return yield* new RunFailed({
        stage,
        reason: `the ${counted(collection.games, "game")} of ${collection.source} have no training games with a decision between two moves; give it more games, or a smaller share for validation and testing`,
      });
    const start = yield* startingPoint(env, net);
    const learning: Learning<Generation> = {
      net,
      steps: every,
      trainings: total / every,
      awaits: { first: "recorded games", next: "its weights to be read" },
      whole: true,
    };
    const generations = Stream.fromIterable(generationsOf(total / every));
    if (opened.nets.get(net)!.kind === "tables") {
      const steps = yield* openLinearSteps(settings, collection, env, start.tensors);
      return new NetLearner<Generation>(learning, env, steps, start).versions(generations).pipe(
        Stream.tap(({ state }) =>
          Effect.sync(() => {
            if (state === "final" && steps.leftOut > 0) reportLeftOut(env, net, steps);
          }),
        ),
      );
    }
    const loss = { use: "policy" } as const;
    const layout = batchLayout({ ...settings, loss }, networkOf(opened, net));
    const batches = new CollectionBatches(opened.game, layout, positions);
    const draws: BatchDraws<Generation> = {
      bytes: batches.bytes,
      draw: (_generation, step, slot) =>
        batches.draw(Random.named(opened.experiment.seed, stage, "batch", step), slot),
    };
    const { optimiser = { use: "adam" } } = settings;
    const steps = yield* openNetSteps({ ...settings, loss, optimiser }, draws, env, start.tensors);
    return new NetLearner<Generation>(learning, env, steps, start).versions(generations);
  });

/** A generation for each version after the first: all of them learn from the same games. */
function* generationsOf(count: number): Generator<Generation> {
  for (let generation = 0; generation < count; generation++)
    yield { generation, rounds: generation + 1, last: generation + 1 === count, keep: () => undefined };
}

/** Reports how many of the decisions drawn were left out. */
function reportLeftOut(
  { emit, stage }: StageEnv,
  net: string,
  { drawn, leftOut }: { readonly drawn: number; readonly leftOut: number },
): void {
  const share = ((100 * leftOut) / drawn).toPrecision(2);
  emit({
    type: "note",
    level: "info",
    stage,
    message: `${leftOut.toLocaleString("en")} of ${drawn.toLocaleString("en")} decisions drawn (${share}%) were left out: "${net}" never plays the move that was played there`,
  });
}
