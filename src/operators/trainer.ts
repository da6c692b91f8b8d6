import * as Effect from "effect/Effect";
import { taggedUnion, Type } from "../schema.ts";
import { alphazeroOptions, openLoss, valueRegressionOptions } from "../models/nets/loss.ts";
import { lossTargets } from "../models/nets/loss-targets.ts";
import type { Net } from "../models/net.ts";
import type { OpenNetwork } from "../models/registry.ts";
import { Random } from "../random.ts";
import { batchLayout } from "./play/examples/batch-layout.ts";
import { BatchSampler } from "./learning/replay/batch-sampler.ts";
import { areWeighted, layoutOf } from "./play/examples/examples.ts";
import type { ReplayReady } from "./run/items.ts";
import { type GamesOffer, operator, type ReplayOffer, type SettingsOf } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { scheduleComplaint, scheduleSchema } from "../schedule.ts";
import { trainingFigures } from "../events/training-figures.ts";
import { type Learning, NetLearner } from "./learning/training/net-learner.ts";
import { type BatchDraws, MOST_BATCHES, openNetSteps } from "./learning/training/net-steps.ts";
import { networkOf, type OpenExperiment, valueKindOf } from "./experiment/open-experiment.ts";
import { adamSchema, sgdSchema } from "./learning/training/optimiser-settings.ts";
import { startingPoint } from "./learning/training/starting-point.ts";

const settings = {
  net: Type.String({ description: "The net it trains (a name under nets)." }),
  batch: Type.Integer({ minimum: 1, maximum: 65536, description: "Positions in a minibatch." }),
  steps: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Optimiser steps after each generation of games, once the buffer is filled.",
  }),
  rate: scheduleSchema("Learning rate", "step", { exclusiveMinimum: 0, maximum: 100 }),
  optimiser: taggedUnion("use", "The optimiser that changes the weights.", [sgdSchema, adamSchema], {
    default: { use: "adam" },
  }),
  loss: taggedUnion("use", "The loss that training minimises.", [valueRegressionOptions, alphazeroOptions], {
    default: { use: "value-regression" },
  }),
  averaging: Type.Union([Type.Number({ minimum: 0, exclusiveMaximum: 1 }), Type.Null()], {
    default: null,
    description:
      "Decay per step of a running average of the weights. The average is played with and saved instead of the weights: 0.99 averages over about 100 steps; null: no average (Polyak and Juditsky 1992; exponential as in KataGo: Wu 2019).",
  }),
  symmetries: Type.Boolean({
    default: false,
    description:
      "Draws a symmetry of the board with every position; seats are permuted if the symmetry moves them. For games with symmetries (Silver et al. 2016, 2017).",
  }),
};

type Settings = SettingsOf<typeof settings>;

/** Complaints about targets that need the rest of a game, if examples are single positions. */
function unknownEnds(net: Net, { loss }: Settings, games: GamesOffer | undefined): Complaint[] {
  const examples = games?.examples;
  if (examples === undefined || layoutOf(examples) === "games") return [];
  return lossTargets(net, openLoss(loss))
    .filter(({ name }) => name === "score" || name === "ownership" || name === "reply")
    .map(({ name }) => ({
      key: "loss",
      message: `the net learns the ${name}, and examples of the kind ${examples.use} do not hold it; make the net without it, or learn from examples: { use: alphazero }`,
    }));
}

/** A complaint if the games are played for another kind of value than the net predicts. */
function otherValues(
  opened: OpenExperiment,
  { net: name }: Settings,
  net: OpenNetwork,
  games: GamesOffer | undefined,
): Complaint[] {
  const agent = games && opened.experiment.agents[games.agent];
  const played = games?.values ?? (agent === undefined ? net.values : valueKindOf(opened, agent));
  if (played === net.values) return [];
  return [
    {
      key: "net",
      message: `"${name}" predicts ${net.values} (its setting "values"), but the games it learns from are played for ${played}: an agent plays for what its net predicts, and for returns if it has no net`,
    },
  ];
}

/** Number of generations that the net learns from; undefined if the games are not known. */
function trainingsOf(replay: ReplayOffer | undefined): number | undefined {
  if (replay?.games === undefined) return undefined;
  return Math.max(0, replay.games.games / replay.games.generation - replay.onlyFilling);
}

/** Trains a net on minibatches drawn from a replay buffer. */
export const trainer = operator({
  use: "trainer",
  description:
    "Trains a net on minibatches drawn uniformly from a replay buffer, with a fixed number of steps per generation.",
  example:
    "weights: { use: trainer, from: replay, net: value, batch: 256, steps: 100, rate: [{ until: 1000, value: 0.001 }, { value: 0.0001 }] }",
  settings,
  inputs: { from: { kind: "replay", description: "The buffer to draw from" } },
  output: "weights",
  learns: "net",
  check: (settings: Settings, { opened, offered }) => {
    const complaints: Complaint[] = complainUnknown("net", "net", settings.net, opened.experiment.nets);
    const net = opened.nets.get(settings.net);
    if (net !== undefined && net.kind !== "network")
      complaints.push({
        key: "net",
        message: `"${settings.net}" is not a net for gradient descent; learn it with td-learner`,
      });
    if (net?.kind === "network" && !net.hasValue)
      complaints.push({
        key: "loss",
        message: `the loss ${settings.loss.use} needs a net with a value head, and "${settings.net}" has none`,
      });
    if (settings.loss.use === "alphazero" && net !== undefined && !net.hasPolicy)
      complaints.push({
        key: "loss",
        message: `the loss alphazero needs a net with a policy, and "${settings.net}" gives values only`,
      });
    const { capacity, games } = offered("from", "replay") ?? {};
    if (capacity !== undefined && settings.batch > capacity)
      complaints.push({
        key: "batch",
        message: `a batch of ${settings.batch} is larger than the buffer that it is drawn from (capacity ${capacity}); make the batch smaller or the buffer larger`,
      });
    if (net?.kind === "network")
      complaints.push(...unknownEnds(net.net, settings, games), ...otherValues(opened, settings, net, games));
    if (settings.symmetries && opened.game.symmetry === undefined)
      complaints.push({
        key: "symmetries",
        message: `the game ${opened.game.name} has no symmetries: write symmetries: false`,
      });
    const rate = scheduleComplaint(settings.rate);
    if (rate !== undefined) complaints.push({ key: "rate", message: rate });
    return complaints;
  },
  bounds: (settings: Settings) => [
    `at most ${MOST_BATCHES} minibatches of ${settings.batch}, drawn or being learned from`,
  ],
  work: ({ steps }: Settings, { offered }) => {
    const trainings = trainingsOf(offered("from", "replay"));
    return trainings === undefined
      ? undefined
      : { unit: "steps", total: steps * trainings, purpose: "learn", threads: Infinity };
  },
  foresees: async (settings: Settings, { opened, offered }) => {
    const games = offered("from", "replay")?.games;
    if (games?.examples.use !== "alphazero") return [];
    const [{ overReading }, { rateTrial }] = await Promise.all([
      import("./measuring/foresight/example-reads.ts"),
      import("./measuring/foresight/rate-trial.ts"),
    ]);
    return [...overReading(settings, opened, games), ...(await rateTrial(settings, opened, games))];
  },
  offers: ({ net }: Settings, { offered }) => {
    const replay = offered("from", "replay");
    return {
      net,
      filling: replay?.onlyFilling ?? 0,
      trainings: trainingsOf(replay),
      ...(replay?.games?.endsEarly === true ? { endsEarly: true as const } : {}),
    };
  },
  firstEqual: (version, { offered }) =>
    version <= (offered("from", "replay")?.onlyFilling ?? -1) ? 0 : version,
  build: (settings: Settings, { from }, env) =>
    Effect.gen(function* () {
      const start = yield* startingPoint(env, settings.net);
      const examples = env.offered("from", "replay")?.games?.examples;
      const weighted = examples !== undefined && areWeighted(examples);
      const training = { ...settings, loss: { ...settings.loss, ...(weighted ? { weighted } : {}) } };
      const sampler = new BatchSampler(
        env.opened.game,
        batchLayout(training, networkOf(env.opened, settings.net)),
      );
      const draws: BatchDraws<ReplayReady> = {
        bytes: sampler.bytes,
        draw: (replay, step, slot) =>
          sampler.draw(replay, Random.named(env.opened.experiment.seed, env.stage, "batch", step), slot),
      };
      const steps = yield* openNetSteps(training, draws, env, start.tensors);
      const learning: Learning<ReplayReady> = {
        net: settings.net,
        steps: settings.steps,
        trainings: trainingsOf(env.offered("from", "replay")),
        awaits: { first: "the first generation of games", next: "the next generation of games" },
        figures: ({ age, fresh }) => ({
          [trainingFigures.reads]: (settings.steps * settings.batch) / fresh,
          [trainingFigures.age]: age,
        }),
      };
      return new NetLearner(learning, env, steps, start).versions(from);
    }),
});
