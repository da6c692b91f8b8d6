import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { Random } from "../../../random.ts";
import type { Requests } from "../../../workers/requests.ts";
import type { StageEnv } from "../../operator.ts";
import type { GameReport } from "../../play/game-task.ts";
import { BusyThreads } from "../../run/busy-threads.ts";
import type { Tensors, WeightsVersion } from "../../run/items.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { batchLayout } from "../../play/examples/batch-layout.ts";
import { batchesAtOnce } from "../training/net-steps.ts";
import { emitInt8Error } from "../../run/weights/int8-figures.ts";
import { weightsOf } from "../../run/weights/named-tensors.ts";
import type { StartingPoint } from "../../run/weights/net-weights.ts";
import { scheduled } from "../../../schedule.ts";
import type { FromTrainer, ToTrainer } from "../training/trainer-worker.ts";
import { networkOf } from "../../experiment/open-experiment.ts";
import { leaveOneOut, resultOf } from "./advantages.ts";
import type { BaselineValues } from "./baseline-values.ts";
import { type DecisionBatch, DecisionBatches, type SeatDecisions } from "./decision-batches.ts";
import { learnedSeatOf, opponentOf, reinforcementGame } from "./policy-pool.ts";
import type { ReinforcementSettings } from "./reinforcement-settings.ts";

/** The loss of a reinforcement stage: players draw from the policy over the legal moves, so that is what it learns. */
export const REINFORCE_LOSS = { use: "policy", legalOnly: true } as const;

/**
 * Learns a policy from the games of minibatches: plays a minibatch, takes a step, makes a version, and begins again.
 *
 * A step is a function of the seed, its number, the weights before it and the versions of the pool, which are files of the
 * run. A resumed run therefore repeats the steps after its last checkpoint exactly.
 */
export class ReinforcementLearner {
  readonly #settings: ReinforcementSettings;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToTrainer, FromTrainer>;
  readonly #thread: BusyThreads;
  readonly #batches: DecisionBatches<unknown>;
  /** Number of batches in a request: as many again are laid out meanwhile. */
  readonly #atOnce: number;
  readonly #baseline: BaselineValues | undefined;
  /** The state after `#step` steps. */
  #state: Tensors;
  #step: number;
  /** The figure of the last step, for people. */
  #latest: string | undefined;

  /** `baseline` gives the values if the baseline is a value net. */
  constructor(
    settings: ReinforcementSettings,
    env: StageEnv,
    requests: Requests<ToTrainer, FromTrainer>,
    start: StartingPoint,
    baseline: BaselineValues | undefined,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#requests = requests;
    this.#baseline = baseline;
    this.#thread = new BusyThreads(env.stage, 1);
    env.addFlowSource((seconds) => this.#thread.flow(seconds));
    this.#state = start.tensors;
    this.#step = start.progress["steps"] ?? 0;
    const { game } = env.opened;
    const layout = batchLayout(
      { batch: settings.batch, loss: REINFORCE_LOSS, symmetries: settings.symmetries },
      networkOf(env.opened, settings.net),
    );
    this.#atOnce = batchesAtOnce(new DecisionBatches(game, layout, 1).bytes);
    this.#batches = new DecisionBatches(game, layout, 2 * this.#atOnce);
    // Games of steps that a killed run had taken after its last checkpoint are played again.
    const { every, games } = settings;
    env.files.recordedGames(env.stage, games * Math.ceil(this.#step / every));
  }

  /** The version that learning starts or continues from, and one version after each step. */
  versions(): Stream.Stream<WeightsVersion, RunError> {
    const { steps } = this.#settings;
    const { stop } = this.#env;
    this.#emitProgress();
    const learned = Stream.range(this.#step, steps - 1).pipe(
      Stream.mapEffect(() => Effect.andThen(this.#learn(), this.#version())),
      Stream.interruptWhen(stop.wait),
    );
    return Stream.fromEffect(this.#version()).pipe(
      Stream.concat(this.#step < steps ? learned : Stream.empty),
      Stream.concat(Stream.suspend(() => this.#rest())),
    );
  }

  /** Plays the games of the newest policy, takes a step, and emits the events of both. */
  #learn(): Effect.Effect<void, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { files, emit, opened, stage } = this.#env;
      const { every, games, rate: rates } = this.#settings;
      const version = this.#step;
      const reports = yield* this.#play(version);
      const records = reports.map(({ record }) => decodeGameRecord(record, stage));
      const results = records.map(({ game: index, returns }) => {
        const seat = learnedSeatOf(this.#settings, opened.game.players, index);
        return { seat, z: resultOf(returns, seat) };
      });
      const learned = yield* this.#withAdvantages(records, results);
      const rate = scheduled(rates, version + 1);
      const { loss, entropy } = yield* this.#train(learned, rate);
      yield* this.#fetch();
      // No pause from here on: an interruption finds a step that is done and reported, or one that is neither.
      this.#step = version + 1;
      this.#env.activity.stepped(1);
      if (version % every === 0) for (const { record } of reports) files.appendGame(stage, record);
      const opponent = opponentOf(this.#settings, opened.experiment.seed, stage, version);
      const score = mean(results.map(({ z }) => (1 + z) / 2));
      const plies = mean(reports.map((report) => report.plies));
      emit({ type: "training", stage, step: this.#step, loss, parts: { policy: loss }, rate });
      emit({ type: "pool-games", stage, step: this.#step, opponent, games, score, plies, entropy });
      this.#latest = `step ${this.#step}: ${(100 * score).toFixed(1)}% against version ${opponent}`;
      this.#emitProgress();
    });
  }

  /** Plays the minibatch of a version. */
  #play(version: number): Effect.Effect<GameReport[], RunError> {
    const { opened, play, stage } = this.#env;
    const { agent, games, inFlight, retries } = this.#settings;
    let finished = 0;
    const playOne = (index: number) =>
      Effect.flatMap(
        play(reinforcementGame(this.#settings, opened, stage, index), retries, () => version),
        (report) => {
          if (report.failure === undefined) {
            if (++finished < games) this.#emitProgress(finished);
            return Effect.succeed(report);
          }
          const reason = `"${agent}" could not continue in game ${index}: ${report.failure.message}`;
          return Effect.fail(new RunFailed({ stage, reason }));
        },
      );
    const indices = Array.from({ length: games }, (_, i) => version * games + i);
    return Effect.forEach(indices, playOne, { concurrency: gamesInFlight(opened, inFlight) });
  }

  /** The games of a minibatch with what is learned from each decision: z - b. */
  #withAdvantages(
    records: readonly StoredGame[],
    results: readonly { readonly seat: number; readonly z: number }[],
  ): Effect.Effect<SeatDecisions[]> {
    const means = this.#settings.baseline.use === "leave-one-out" ? leaveOneOut(results) : undefined;
    return Effect.forEach(records, ({ actions }, i) => {
      const { seat, z } = results[i]!;
      if (this.#baseline === undefined)
        return Effect.succeed({ actions, seat, advantage: () => z - (means?.[i] ?? 0) });
      return Effect.map(this.#baseline({ actions, seat }), (values) => ({
        actions,
        seat,
        advantage: (decision: number) => z - values[decision]!,
      }));
    });
  }

  /** One step by the decisions of games; returns the loss, and the mean entropy of the policy in nats. */
  #train(games: readonly SeatDecisions[], rate: number) {
    return Effect.gen({ self: this }, function* () {
      const { opened, stage } = this.#env;
      const symmetries = Random.named(opened.experiment.seed, stage, "symmetries", this.#step);
      const laidOut = this.#batches.of(games, symmetries);
      const some = (): DecisionBatch[] => [...take(laidOut, this.#atOnce)];
      let [loss, entropy, decisions] = [0, 0, 0];
      for (let now = some(), next: DecisionBatch[] = []; now.length > 0; now = next) {
        const batches = now.map(({ batch }) => batch);
        const rates = Float32Array.from(now, ({ last }) => (last ? rate : 0));
        // The next batches are laid out while the thread computes these.
        const [reply] = yield* this.#env.activity.during(
          Effect.all(
            [
              this.#submit({ type: "steps", batches, rates }),
              Effect.sync(() => {
                next = some();
              }),
            ],
            { concurrency: 2 },
          ),
        );
        if (reply.type !== "steps") throw new Error("the trainer responded to another request");
        for (const [i, { rows }] of now.entries()) {
          loss += reply.losses["total"]![i]!;
          entropy += rows * reply.losses["entropy"]![i]!;
          decisions += rows;
        }
      }
      if (!Number.isFinite(loss))
        yield* Effect.fail(
          new RunFailed({
            stage,
            reason: `the loss is ${loss} at step ${this.#step + 1}: training has diverged; lower the learning rate`,
          }),
        );
      return { loss, entropy: decisions === 0 ? 0 : entropy / decisions };
    });
  }

  /** The state as a version of the weights; published unless it is partial. */
  #version(partial = false): Effect.Effect<WeightsVersion, RunError> {
    return Effect.suspend(() => {
      const { board, clock } = this.#env;
      const { net, steps } = this.#settings;
      const state = this.#state;
      const step = this.#step;
      const version: WeightsVersion = {
        net,
        version: step,
        trainings: step,
        learned: step,
        unit: "steps",
        state: partial ? "partial" : step === steps ? "final" : "whole",
        snapshot: Effect.succeed(state),
        progress: { steps: step },
        saved: () => undefined,
      };
      if (partial) return Effect.succeed(version);
      const weights = { kind: "network", tensors: weightsOf(state) } as const;
      return clock
        .heldUp(board.readersFollow(net, step))
        .pipe(Effect.andThen(board.publish(net, step, weights, version.state)), Effect.as(version));
    });
  }

  /** After an interruption: the state once more, so that a checkpoint is saved. */
  #rest(): Stream.Stream<WeightsVersion, RunError> {
    return this.#env.stop.requested && this.#step < this.#settings.steps
      ? Stream.fromEffect(this.#version(true))
      : Stream.empty;
  }

  /** Emits how many games are finished: those of all steps done, and of the next one. */
  #emitProgress(ofNextStep = 0): void {
    const { emit, stage } = this.#env;
    const { games, steps } = this.#settings;
    const latest = this.#latest === undefined ? {} : { latest: this.#latest };
    const done = games * this.#step + ofNextStep;
    emit({ type: "progress", stage, done, total: games * steps, unit: "games", ...latest });
  }

  #fetch() {
    return Effect.map(this.#submit({ type: "state" }), (reply) => {
      if (reply.type !== "state") throw new Error("the trainer responded to another request");
      if (reply.int8Error !== undefined) emitInt8Error(this.#env, this.#step + 1, reply.int8Error);
      this.#state = reply.tensors;
    });
  }

  #submit(request: ToTrainer) {
    return this.#thread.request(
      this.#requests.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
      }),
    );
  }
}

/** The next items of an iterator, at most `most`. */
function* take<T>(items: Iterator<T>, most: number): Generator<T> {
  for (let i = 0; i < most; i++) {
    const { done, value } = items.next();
    if (done === true) return;
    yield value;
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
